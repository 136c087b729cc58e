// Resumable downloads: all bytes in order and hashed, resumed where they broke off, ended with the reason.

import { createHash } from "node:crypto";
import { readFile, stat, truncate, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import {
  brotliCompressSync,
  constants,
  deflateSync,
  gzipSync,
} from "node:zlib";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../../../server/platform/clock.ts";
import { reasonOfConnection } from "../../../../server/platform/http/client.ts";
import {
  digestsOf,
  download,
  type DownloadOptions,
} from "../../../../server/platform/http/download.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import {
  breakingOff,
  serveSources,
  untoldEnd,
} from "../../../support/http/sources.ts";

const bytes = Buffer.alloc(3_000_000);
for (let at = 0; at < bytes.length; at += 4) bytes.writeUInt32LE(at * 7, at);
const hashOf = (algorithm: string, of: Buffer): string =>
  createHash(algorithm).update(of).digest("hex");
const digests = {
  ...{ md5: hashOf("md5", bytes), sha256: hashOf("sha256", bytes) },
  sizeBytes: bytes.length,
};

/** At best it would take half a minute. */
const packLightly = (of: Buffer): Buffer =>
  brotliCompressSync(of, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });

async function newPart(had = Buffer.alloc(0)): Promise<string> {
  const file = path.join(await temporaryFolder(), "film.part");
  await writeFile(file, had);
  return file;
}

async function take(
  address: string,
  file: string,
  options: Partial<DownloadOptions> = {},
) {
  const had = await stat(file).then(({ size }) => size);
  return download(new URL(address), {
    ...{ path: file, had, validator: null, maxBytes: Infinity },
    request: { verifyTls: true, silenceMs: 30_000 },
    begin: async () => true,
    assertDiskSpace: () => null,
    ...options,
  });
}

const complete = (
  _request: IncomingMessage,
  response: ServerResponse,
): void => {
  response.setHeader("Content-Length", bytes.length).end(bytes);
};

/** Announces its length and sends a third. */
const third = (_request: IncomingMessage, response: ServerResponse): void => {
  response.setHeader("Content-Length", bytes.length);
  response.write(bytes.subarray(0, 1_000_000));
};

describe("a download", () => {
  it("delivers all bytes in order, with both hashes, whether their number is announced or not", async () => {
    const server = await serveSources({ "/told": complete, "/untold": bytes });
    for (const [at, totalBytes] of [
      ["/told", bytes.length],
      ["/untold", bytes.length],
    ] as const) {
      const file = await newPart(Buffer.from("what lay there before"));
      let received = 0;
      const got = await take(server.address + at, file, {
        begin: async (head) => {
          expect(head).toMatchObject({ from: 0, totalBytes });
          return true;
        },
        took: (count, all) => {
          received += count;
          expect(all).toBe(received);
          return null;
        },
      });
      expect(got).toMatchObject({ ...digests, isFromStart: true });
      expect(await digestsOf(file)).toEqual(digests);
      expect(await readFile(file)).toEqual(bytes);
    }
  });

  it("reports whether its server announced the length, and whether the partial file was identical", async () => {
    const few = Buffer.from("film");
    const packed = gzipSync(few);
    const server = await serveSources({
      "/told": few,
      "/chunks": (_request, response) =>
        void response.write(few, () => response.end()),
      "/untold": untoldEnd(few),
      "/packed": ({ socket }) => {
        socket.write("HTTP/1.0 200 OK\r\nContent-Encoding: gzip\r\n\r\n");
        socket.end(packed);
      },
    });
    const of = async (at: string, before: string) => {
      const file = await newPart(Buffer.from(before));
      const got = await take(server.address + at, file);
      return [got?.isEndDeclared, got?.isAsBefore];
    };
    for (const at of ["/told", "/chunks", "/packed"])
      expect(await of(at, "")).toEqual([true, false]);
    expect(await of("/untold", "")).toEqual([false, false]);
    expect(await of("/untold", "fil")).toEqual([false, false]);
    expect(await of("/untold", "film")).toEqual([false, true]);
  });

  it("that starts over does not read the existing partial file, where its server announces the length", async () => {
    const server = await serveSources({ "/told": complete });
    const file = await newPart();
    // Reading it would fail, as it is missing.
    const gone = `${file}.gone`;
    const got = await take(`${server.address}/told`, file, {
      ...{ path: gone, had: 1_000_000 },
    });
    expect(got).toMatchObject({
      ...digests,
      isFromStart: true,
      isAsBefore: false,
    });
    expect(await digestsOf(gone)).toEqual(digests);
  });

  it("delivers a few bytes unchanged, and none too", async () => {
    const server = await serveSources({
      "/few": Buffer.from("film"),
      "/none": Buffer.alloc(0),
    });
    for (const text of ["film", ""]) {
      const at = text === "" ? "/none" : "/few";
      const got = await take(server.address + at, await newPart());
      expect(Buffer.from(got?.bytes ?? []).toString()).toBe(text);
      expect(got?.sizeBytes).toBe(text.length);
    }
  });

  it("that broke off keeps its partial file, and resumes as long as its server has the same file", async () => {
    let tag = '"one"';
    const server = await serveSources({
      "/film": breakingOff(bytes, () => tag),
    });
    const address = `${server.address}/film`;
    const file = await newPart();
    const begin = (validator: string) => ({
      begin: async (head: { readonly validator: string | null }) => {
        expect(head.validator).toBe(validator);
        return true;
      },
    });
    await expect(take(address, file, begin('"one"'))).rejects.toThrow();
    const { size } = await stat(file);
    expect(size).toBe(bytes.length / 2);
    const got = await take(address, file, {
      ...{ validator: '"one"', ...begin('"one"') },
    });
    expect(got).toMatchObject({ ...digests, isFromStart: false });
    const [, again] = server.requests("/film");
    expect(again?.headers).toMatchObject({
      ...{ range: `bytes=${size}-`, "if-range": '"one"' },
    });

    tag = '"two"';
    await truncate(file, size);
    const retaken = take(address, file, {
      validator: '"one"',
      ...begin('"two"'),
    });
    await expect(retaken).rejects.toThrow();
    const part = await readFile(file);
    expect(part).toEqual(bytes.subarray(0, part.length));
  });

  it("of a complete file requests nothing more; another range than the requested one starts over", async () => {
    let range = `bytes */${bytes.length}`;
    const server = await serveSources({
      "/film": (_request, response) => {
        response.writeHead(416, { "Content-Range": range }).end();
      },
    });
    const address = `${server.address}/film`;
    const file = await newPart(bytes);
    const validator = '"one"';
    expect(await take(address, file, { validator })).toMatchObject(digests);
    range = "bytes */7";
    await expect(take(address, file, { validator })).rejects.toThrow(
      "a different range",
    );
    expect((await stat(file)).size).toBe(0);
  });

  it("[V2-671] requests the bytes without compression", async () => {
    const server = await serveSources({
      "/film": (request, response) => {
        if (request.headers["accept-encoding"] === "identity")
          return complete(request, response);
        response.setHeader("Content-Encoding", "gzip").end(gzipSync(bytes));
      },
    });
    const got = await take(`${server.address}/film`, await newPart());
    expect(got).toMatchObject(digests);
  });

  it.each([
    ["gzip", gzipSync],
    ["br", packLightly],
    ["deflate", deflateSync],
  ] as const)(
    "[V2-673] decompresses an encoded response all the same (%s), and never resumes it",
    async (coding, pack) => {
      const packed = pack(bytes);
      let isCut = false;
      const server = await serveSources({
        "/film": (_request, response) => {
          response.setHeader("Content-Encoding", coding);
          response.setHeader("ETag", '"one"');
          response.setHeader("Content-Length", packed.length);
          if (!isCut) return void response.end(packed);
          response.write(packed.subarray(0, packed.length / 2), () =>
            response.destroy(),
          );
        },
      });
      const address = `${server.address}/film`;
      const file = await newPart();
      let validator: string | null = "unasked";
      const begin: DownloadOptions["begin"] = async (head) => {
        ({ validator } = head);
        return true;
      };
      expect(await take(address, file, { begin })).toMatchObject({
        ...{ ...digests, isFromStart: true },
      });
      expect(await readFile(file)).toEqual(bytes);
      expect(validator).toBeNull();
      isCut = true;
      await expect(take(address, file)).rejects.toThrow();
    },
  );

  it("[V2-673] decompresses no more than allowed, and fails where the encoding is invalid", async () => {
    const packed = gzipSync(Buffer.alloc(50_000_000));
    const server = await serveSources({
      "/bomb": (_request, response) => {
        response.setHeader("Content-Encoding", "gzip").end(packed);
      },
      "/plain": (_request, response) => {
        response.setHeader("Content-Encoding", "gzip").end(bytes);
      },
    });
    const file = await newPart();
    await expect(
      take(`${server.address}/bomb`, file, { maxBytes: 1_000_000 }),
    ).rejects.toThrow("more bytes than expected");
    expect((await stat(file)).size).toBeLessThanOrEqual(1_000_000);
    await expect(take(`${server.address}/plain`, file)).rejects.toThrow(
      "Content-Encoding does not match",
    );
  });

  it.each([
    ["of another file", { ETag: '"two"' }, '"one"', "3000000"],
    ["without a validator to compare", { ETag: '"two"' }, null, "3000000"],
    [
      "of a file that has changed",
      { "Last-Modified": "Tue, 02 Jan 2024 00:00:00 GMT" },
      ...(["Mon, 01 Jan 2024 00:00:00 GMT", "3000000"] as const),
    ],
    ["of unknown total size", { ETag: '"one"' }, '"one"', "*"],
  ])(
    "[V2-672] does not resume with a rest %s, and starts over",
    async (_what, headers, validator, total) => {
      const from = 1_000_000;
      const server = await serveSources({
        "/film": (_request, response) => {
          const range = `bytes ${from}-2999999/${total}`;
          response.writeHead(206, { ...headers, "Content-Range": range });
          response.end(bytes.subarray(from));
        },
      });
      const file = await newPart(Buffer.alloc(from));
      await expect(
        take(`${server.address}/film`, file, { validator }),
      ).rejects.toThrow("a different range");
      expect((await stat(file)).size).toBe(0);
    },
  );

  it("follows redirects to the file, without the headers for the first host", async () => {
    const there = await serveSources({ "/film": bytes });
    const here = await serveSources({
      "/film": (_request, response) => {
        response.writeHead(302, { Location: `${there.address}/film` }).end();
      },
    });
    const originHeaders = { Authorization: "Token T" };
    const got = await take(`${here.address}/film`, await newPart(), {
      request: { verifyTls: true, silenceMs: 30_000, originHeaders },
    });
    expect(got).toMatchObject(digests);
    expect(here.requests("/film")[0]?.headers).toHaveProperty("authorization");
    expect(there.requests("/film")[0]?.headers).not.toHaveProperty(
      "authorization",
    );
  });

  it("that stalls or is cancelled ends with the reason, and keeps its partial file", async () => {
    const server = await serveSources({ "/film": third });
    const address = `${server.address}/film`;
    const reason = (promise: Promise<unknown>) =>
      promise.then(() => "it came", reasonOfConnection);
    const silent = await newPart();
    const request = { verifyTls: true, silenceMs: 50 };
    expect(await reason(take(address, silent, { request }))).toBe(
      "it did not respond in time",
    );
    const abort = new AbortController();
    const { signal } = abort;
    const file = await newPart();
    const ended = take(address, file, {
      request: { verifyTls: true, silenceMs: 30_000, signal },
      took: (_count, received) => {
        if (received === 1_000_000) abort.abort();
        return null;
      },
    });
    await expect(ended).rejects.toThrow();
    expect(await readFile(file)).toEqual(bytes.subarray(0, 1_000_000));
  });

  it("does not time out while the consumer of its bytes is waiting", async () => {
    // Longer than a busy machine stands still on the way to the first byte.
    const silenceMs = 3_000;
    const server = await serveSources({ "/film": complete });
    let isFirst = true;
    const got = await take(`${server.address}/film`, await newPart(), {
      request: { verifyTls: true, silenceMs },
      took: () => {
        if (!isFirst) return null;
        isFirst = false;
        return new Promise((resolve) =>
          systemClock.after(1.5 * silenceMs, resolve),
        );
      },
    });
    expect(got).toMatchObject(digests);
  });

  it("of more than is allowed, or than was announced, fails; so does one whose headers or disk forbid it", async () => {
    const server = await serveSources({ "/film": complete, "/gone": 404 });
    const address = `${server.address}/film`;
    await expect(
      take(address, await newPart(), { maxBytes: 2_999_999 }),
    ).rejects.toMatchObject({ wereAnnounced: false });
    await expect(
      take(`${server.address}/gone`, await newPart()),
    ).rejects.toMatchObject({ status: 404 });
    const full = new Error("full");
    const refuse = (): Promise<never> => Promise.reject(full);
    for (const options of [
      { begin: refuse },
      { assertDiskSpace: refuse },
      { took: refuse },
    ])
      await expect(take(address, await newPart(), options)).rejects.toBe(full);
    const declining = { begin: async () => false };
    expect(await take(address, await newPart(), declining)).toBeNull();
  });
});
