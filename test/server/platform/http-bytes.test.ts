// Bytes that go straight into memory of ours: all of them, in order, whatever else the answer brings or lacks.

import { createHash } from "node:crypto";
import { createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import {
  askForBytes,
  type AskBytesOptions,
  type ByteSink,
} from "../../../server/platform/http-bytes.ts";
import { reasonOfConnection } from "../../../server/platform/http-client.ts";
import { systemClock } from "../../../server/platform/clock.ts";
import { afterThisTest } from "../../support/after-this-test.ts";
import { serveSources } from "../../support/sources.ts";

const usual: AskBytesOptions = {
  ...{ verifyTls: true, silenceMs: 30_000, areMany: true },
};
const blockBytes = 100_003;
const bytes = Buffer.alloc(3_000_000);
for (let at = 0; at < bytes.length; at += 4) bytes.writeUInt32LE(at * 7, at);

/** A sink of small blocks that asks for patience after each; `most` refuses what is more. */
function createTaker(most = Infinity) {
  const parts: Buffer[] = [];
  let block = Buffer.alloc(blockBytes);
  let filled = 0;
  let received = 0;
  let isBusy = false;
  const sink: ByteSink = {
    room: () => block.subarray(filled),
    took: (count) => {
      expect(isBusy).toBe(false);
      received += count;
      if (received > most) throw new Error("more than wanted");
      parts.push(Buffer.from(block.subarray(filled, filled + count)));
      filled += count;
      if (filled < blockBytes) return null;
      block = Buffer.alloc(blockBytes);
      filled = 0;
      isBusy = true;
      return new Promise((resolve) =>
        setImmediate(() => {
          isBusy = false;
          resolve();
        }),
      );
    },
  };
  return { sink, taken: () => Buffer.concat(parts) };
}

async function take(address: string, options: Partial<AskBytesOptions> = {}) {
  const answer = await askForBytes(new URL(address), { ...usual, ...options });
  const taker = createTaker();
  await answer.pourInto(taker.sink);
  return { ...answer, taken: taker.taken() };
}

/** Says this to each connection, word for word, and closes or not. */
async function serveWords(
  say: (socket: Socket, heard: string) => void,
): Promise<{ readonly address: string; readonly heard: readonly string[] }> {
  const heard: string[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", (data) => {
      heard.push(data.toString("latin1"));
      say(socket, data.toString("latin1"));
    });
    afterThisTest(async () => void socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterThisTest(async () => void server.close());
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}/film`, heard };
}

const headOf = (...lines: readonly string[]): string =>
  ["HTTP/1.1 200 OK", ...lines, "", ""].join("\r\n");
const plain = headOf(`Content-Length: ${bytes.length}`, 'ETag: "film"');

describe("many bytes", () => {
  it("come whole and in order, by GET, with their head, however they are cut on the way", async () => {
    const cuts = [0, 1, 2, 70_000, 70_001, 1_500_000];
    const server = await serveWords((socket) => {
      socket.setNoDelay();
      socket.write(plain.slice(0, 20));
      setImmediate(() => {
        socket.write(plain.slice(20));
        for (const [place, from] of cuts.entries())
          socket.write(bytes.subarray(from, cuts[place + 1] ?? bytes.length));
      });
    });
    const { taken, status, headers } = await take(server.address, {
      headers: { Range: "bytes=0-" },
      originHeaders: { Authorization: "Token T" },
    });
    expect(status).toBe(200);
    expect(headers.etag).toBe('"film"');
    expect(digestOf(taken)).toBe(digestOf(bytes));
    expect(server.heard).toHaveLength(1);
    expect(server.heard[0]).toMatch(/^GET \/film HTTP\/1\.1\r\n/);
    expect(server.heard[0]).toContain("Range: bytes=0-");
    expect(server.heard[0]).toContain("Authorization: Token T");
  });

  it("may all come along with the head, be none, or have more behind them", async () => {
    const few = headOf("Content-Length: 5");
    for (const [said, expected] of [
      [`${few}films`, "films"],
      [headOf("Content-Length: 0"), ""],
      [`${few}films and more`, "films"],
    ] as const) {
      const server = await serveWords((socket) => void socket.write(said));
      expect((await take(server.address)).taken.toString()).toBe(expected);
    }
  });

  it("are asked for anew through a parser when they come in chunks, or behind a first word", async () => {
    const server = await serveSources({
      "/chunks": (_request, response) => {
        response.write(bytes.subarray(0, 100_000));
        response.end(bytes.subarray(100_000));
      },
      "/early": (_request, response) => {
        response.writeEarlyHints({ link: "</poster>; rel=preload" });
        response.setHeader("Content-Length", bytes.length);
        response.end(bytes);
      },
    });
    for (const path of ["/chunks", "/early"]) {
      const { taken } = await take(server.address + path);
      expect(digestOf(taken)).toBe(digestOf(bytes));
      expect(server.asked(path).length).toBe(2);
    }
  });

  it("are followed to where they lie, without what was for the first host alone", async () => {
    const there = await serveSources({ "/film": bytes });
    const here = await serveSources({
      "/film": (_request, response) => {
        response.writeHead(302, { Location: `${there.address}/film` }).end();
      },
    });
    const { taken } = await take(`${here.address}/film`, {
      originHeaders: { Authorization: "Token T" },
    });
    expect(digestOf(taken)).toBe(digestOf(bytes));
    expect(there.asked("/film")[0]?.headers).not.toHaveProperty(
      "authorization",
    );
  });

  it("that break off, fall silent or are wanted no more end with the reason", async () => {
    const abort = new AbortController();
    const cut = await serveWords((socket) => {
      socket.write(plain);
      socket.end(bytes.subarray(0, 1_000_000));
    });
    const silent = await serveWords((socket) => {
      socket.write(plain);
      socket.write(bytes.subarray(0, 1_000_000));
    });
    const reason = (promise: Promise<unknown>) =>
      promise.then(() => "it came", reasonOfConnection);
    expect(await reason(take(cut.address))).toBe("the connection broke off");
    expect(await reason(take(silent.address, { silenceMs: 50 }))).toBe(
      "it does not answer in time",
    );
    const answer = await askForBytes(new URL(silent.address), {
      ...{ ...usual, signal: abort.signal },
    });
    const ended = reason(answer.pourInto(createTaker().sink));
    abort.abort();
    expect(await ended).toBe("it does not answer in time");
  });

  it("are not called silent while whoever takes them waits", async () => {
    // Longer than a busy machine stands still on the way to the first byte.
    const silenceMs = 3_000;
    const server = await serveSources({
      "/film": (_request, response) => {
        response.setHeader("Content-Length", bytes.length).end(bytes);
      },
    });
    const taken = async (areMany: boolean): Promise<Buffer> => {
      const answer = await askForBytes(new URL(`${server.address}/film`), {
        ...{ ...usual, areMany, silenceMs },
      });
      const { sink, taken: all } = createTaker();
      let isFirst = true;
      await answer.pourInto({
        room: sink.room,
        took: (count) => {
          const wait = sink.took(count);
          if (!isFirst) return wait;
          isFirst = false;
          return new Promise((resolve) =>
            systemClock.after(1.5 * silenceMs, resolve),
          );
        },
      });
      return all();
    };
    for (const all of await Promise.all([taken(true), taken(false)]))
      expect(digestOf(all)).toBe(digestOf(bytes));
  });

  it("that nobody takes are left, and what taking throws is thrown", async () => {
    const server = await serveSources({ "/film": bytes });
    const address = new URL(`${server.address}/film`);
    const answer = await askForBytes(address, usual);
    await expect(answer.pourInto(createTaker(1_000_000).sink)).rejects.toThrow(
      "more than wanted",
    );
    const left = await askForBytes(address, usual);
    left.destroy();
    await expect(left.pourInto(createTaker().sink)).rejects.toThrow("aborted");
  });
});

function digestOf(of: Buffer): string {
  return createHash("sha256").update(of).digest("hex");
}
