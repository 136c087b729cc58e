// What a player serves to its network, and to whom: over real TLS, to clients that know the key and to those that don't.

import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import path from "node:path";
import { connect as connectTls } from "node:tls";
import { describe, expect, it, vi } from "vitest";
import {
  presharedKeyAgent,
  type PresharedKey,
} from "../../../../../server/platform/http/preshared-key.ts";
import { requestHttp } from "../../../../../server/platform/http/client.ts";
import { createLog } from "../../../../../server/platform/log.ts";
import { systemClock } from "../../../../../server/platform/clock.ts";
import { createRate } from "../../../../../server/platform/http/transfer-rate.ts";
import {
  startSiteServer,
  type SiteServerOptions,
} from "../../../../../server/player/sync/site/site-server.ts";
import { siteServerLimits } from "../../../../../server/player/sync/site/client-counts.ts";
import { afterThisTest } from "../../../../support/after-this-test.ts";
import { temporaryFolder } from "../../../../support/folder.ts";
import { newSiteKey } from "../../../../support/sync/site-players.ts";

const md5 = "0123456789abcdef0123456789abcdef";
const text = "these are the bytes of the film";

async function serve(change: Partial<SiteServerOptions> = {}) {
  const key = newSiteKey();
  const file = path.join(await temporaryFolder(), "film");
  await writeFile(file, text);
  const errors: unknown[] = [];
  const log = createLog({ toStandardOutput: false });
  const server = await startSiteServer({
    ...{ host: "127.0.0.1", port: 0, rate: createRate(systemClock) },
    monotonic: systemClock.monotonic,
    isNear: () => true,
    log: { ...log, error: (_event, fields) => errors.push(fields) },
    secretOf: (id) => (id === key.id ? key.secret : null),
    answer: (_keyId, { files }) => ({
      player: "0".repeat(16),
      files: files.includes(md5) ? { [md5]: { stage: "here", bytes: 31 } } : {},
    }),
    fileOf: (_keyId, of) =>
      of === md5
        ? {
            ...{ path: () => file, totalBytes: text.length },
            ...{ validator: () => '"v"', readable: () => text.length },
            ...{ isGrowing: () => false, changed: () => Promise.resolve() },
            onSent: () => undefined,
          }
        : null,
    ...change,
  });
  afterThisTest(server.stop);
  return { key, errors, port: server.port };
}

/** Sends these words as the request line and headers, and reads all that comes. */
async function raw(
  port: number,
  key: PresharedKey,
  head: string,
  body = "",
): Promise<string> {
  const socket = connectTls({
    ...{ host: "127.0.0.1", port, checkServerIdentity: () => undefined },
    ...{ ciphers: "ECDHE-PSK-CHACHA20-POLY1305", maxVersion: "TLSv1.2" },
    pskCallback: () => ({
      ...{ psk: Buffer.from(key.secret, "hex"), identity: key.id },
    }),
  });
  destroyAfterThisTest(socket);
  socket.write(`${head}\r\nHost: x\r\nConnection: close\r\n\r\n${body}`);
  let read = "";
  socket.on("data", (chunk: Buffer) => (read += chunk.toString("latin1")));
  await new Promise((resolve) => {
    socket.on("close", resolve).on("error", resolve);
  });
  return read;
}

function destroyAfterThisTest(socket: { destroy(): unknown }): void {
  afterThisTest(() => {
    socket.destroy();
    return Promise.resolve();
  });
}

const statusOf = (answer: string): string => answer.split(" ")[1] ?? "closed";

describe("what a player serves to its network", () => {
  it("[V2-822] is the bytes of a file by its MD5, from an offset on, and nothing else", async () => {
    const { port, key } = await serve();
    const whole = await raw(port, key, `GET /site/v1/files/${md5} HTTP/1.1`);
    expect(whole).toContain(text);
    expect(whole).toContain('ETag: "v"');
    const rest = await raw(
      ...([port, key] as const),
      `GET /site/v1/files/${md5} HTTP/1.1\r\nRange: bytes=10-`,
    );
    expect(statusOf(rest)).toBe("206");
    expect(rest.endsWith(text.slice(10))).toBe(true);
    for (const range of ["bytes=31-", "bytes=0-5", "bytes=-5", "items=1-"])
      expect(
        statusOf(
          await raw(
            ...([port, key] as const),
            `GET /site/v1/files/${md5} HTTP/1.1\r\nRange: ${range}`,
          ),
        ),
      ).toBe("416");
  });

  it("[V2-822] has no list and no other path, however it is written", async () => {
    const { port, key, errors } = await serve();
    const paths = [
      ...["/", "/site/v1", "/site/v1/files", "/site/v1/files/"],
      `/site/v1/files/${"f".repeat(32)}`,
      `/site/v1/files/${md5}/`,
      `/site/v1/files/../files/${md5}`,
      `/site/v1/files/%2e%2e%2f${md5}`,
      `/site/v1/files/${md5}%00`,
      `/site/v1/files/${md5}/../../../etc/passwd`,
      `/site/v1/files/${md5.toUpperCase()}`,
      `//site/v1/files/${md5}`,
      `http://127.0.0.1/site/v1/files/${md5}`,
      "/api/v2/info",
    ];
    for (const at of paths)
      expect([
        at,
        statusOf(await raw(port, key, `GET ${at} HTTP/1.1`)),
      ]).toEqual([at, "404"]);
    for (const method of ["PUT", "DELETE", "PATCH", "OPTIONS"])
      expect(
        statusOf(
          await raw(port, key, `${method} /site/v1/files/${md5} HTTP/1.1`),
        ),
      ).toBe("404");
    expect(errors).toEqual([]);
  });

  it("[V2-822] is not for those with another team's key, or with none", async () => {
    const { port, key } = await serve();
    const wrong = { ...newSiteKey(), id: key.id };
    const get = `GET /site/v1/files/${md5} HTTP/1.1`;
    expect(await raw(port, wrong, get)).toBe("");
    expect(await raw(port, newSiteKey(), get)).toBe("");
    const plain = connect(port, "127.0.0.1");
    plain.on("error", () => undefined);
    plain.write(`${get}\r\nHost: x\r\n\r\n`);
    let read = "";
    plain.on("data", (chunk) => (read += String(chunk)));
    await once(plain, "close");
    expect(read).not.toContain("HTTP/1.1 200");
    expect(read).not.toContain(text);
  });

  it("[V2-822] is not given for a key that was replaced since the connection began", async () => {
    let isValid = true;
    const key = newSiteKey();
    const { port } = await serve({
      secretOf: (id) => (isValid && id === key.id ? key.secret : null),
    });
    const agent = presharedKeyAgent(key, {
      ...{ idleMs: 60_000, localAddress: undefined },
    });
    destroyAfterThisTest(agent);
    const status = async (): Promise<number> => {
      const { status: code, body } = await requestHttp(
        new URL(`https://127.0.0.1:${port}/site/v1/files/${md5}`),
        { agent, verifyTls: true, silenceMs: 60_000 },
      );
      body.resume();
      await once(body, "end");
      return code;
    };
    expect(await status()).toBe(200);
    isValid = false;
    expect(await status()).toBe(403);
  });

  it("[V2-822] is not given to a recording of an earlier request", async () => {
    const { port, key } = await serve();
    const recorded: Buffer[] = [];
    const sockets: Socket[] = [];
    const recorder = createServer((near) => {
      const far = connect(port, "127.0.0.1");
      near.on("data", (chunk: Buffer) => recorded.push(chunk));
      near.pipe(far).pipe(near);
      for (const socket of [near, far]) {
        socket.on("error", () => undefined);
        sockets.push(socket);
      }
    });
    await new Promise<void>((resolve) =>
      recorder.listen(0, "127.0.0.1", resolve),
    );
    afterThisTest(() => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => recorder.close(resolve));
    });
    const { port: between } = recorder.address() as { port: number };
    const get = `GET /site/v1/files/${md5} HTTP/1.1`;
    expect(await raw(between, key, get)).toContain(text);
    const replay = connect(port, "127.0.0.1");
    replay.on("error", () => undefined);
    let bytes = 0;
    replay.on("data", (chunk: Buffer) => (bytes += chunk.length));
    for (const chunk of recorded) replay.write(chunk);
    await once(replay, "close");
    // Its hello is answered, as anyone's is; the file is longer than an alert.
    expect(bytes).toBeLessThan(400);
    expect(recorded.length).toBeGreaterThan(1);
  });

  it("[V2-822] is asked for in a small, valid body", async () => {
    const { port, key, errors } = await serve();
    const question = { player: "1".repeat(16), port: 1, files: [md5] };
    const post = async (body: string): Promise<string> =>
      raw(
        ...([port, key] as const),
        `POST /site/v1/files HTTP/1.1\r\nContent-Length: ${Buffer.byteLength(body)}`,
        body,
      );
    expect(await post(JSON.stringify(question))).toContain('"here"');
    const bad = [
      ...["", "null", "[]", "{", '{"files":["../x"]}'],
      JSON.stringify({ ...question, port: 0 }),
      JSON.stringify({ ...question, files: Array(201).fill(md5) }),
      JSON.stringify({ ...question, more: "x".repeat(70_000) }),
    ];
    for (const body of bad)
      expect([body.slice(0, 20), statusOf(await post(body))]).toEqual([
        body.slice(0, 20),
        "400",
      ]);
    expect(errors).toEqual([]);
  });

  it("[V2-827] is limited for a client that floods it, and is there for others again", async () => {
    const { port, key, errors } = await serve();
    const sockets: Socket[] = [];
    for (let n = 0; n < 3 * siteServerLimits.connectionsOfOne; n += 1) {
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => undefined);
      sockets.push(socket);
    }
    for (const socket of sockets) destroyAfterThisTest(socket);
    await vi.waitFor(() =>
      expect(
        sockets.filter(({ destroyed }) => destroyed).length,
      ).toBeGreaterThanOrEqual(2 * siteServerLimits.connectionsOfOne),
    );
    for (const socket of sockets) socket.destroy();
    await vi.waitFor(async () => {
      expect(
        await raw(port, key, `GET /site/v1/files/${md5} HTTP/1.1`),
      ).toContain(text);
    });
    expect(errors).toEqual([]);
  });

  it("[V2-821] is not for addresses outside the local network", async () => {
    const { port, key } = await serve({ isNear: () => false });
    expect(await raw(port, key, `GET /site/v1/files/${md5} HTTP/1.1`)).toBe("");
  });
});
