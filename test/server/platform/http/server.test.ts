// HTTP server: malformed requests get an error, and slow clients are disconnected.

import type { RequestListener } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  connectionLimit,
  startHttpServer,
  type HttpServer,
  type HttpServerOptions,
} from "../../../../server/platform/http/server.ts";
import { createRequestScheduler } from "../../../../server/platform/request-scheduler.ts";
import { testCertificate, testKey } from "../../../support/http/certificate.ts";
import {
  openConnection,
  readToEnd,
} from "../../../support/http/raw-request.ts";

/** A minute, longer than any busy machine takes: no client is cut for being slow. */
const longTimeouts = {
  headersMs: 60_000,
  stillMs: 60_000,
  checkIntervalMs: 20,
};
/** Where a real client has ten seconds. */
const forHeaders = { ...longTimeouts, headersMs: 50 };
/** Where it has half a minute: long enough that no request is cut while it arrives. */
const forMoving = { ...longTimeouts, stillMs: 1500 };

async function listening(
  listener: RequestListener,
  timeouts = longTimeouts,
  descriptors?: HttpServerOptions["descriptors"],
  tls?: HttpServerOptions["tls"],
): Promise<HttpServer & { readonly address: string }> {
  const server = await startHttpServer(listener, {
    host: "127.0.0.1",
    port: 0,
    refusal: (detail) => ({ detail }),
    requestScheduler: createRequestScheduler(() => performance.now()),
    ...{ timeouts, descriptors, tls },
  });
  onTestFinished(() => server.stop(0));
  return { ...server, address: `http://127.0.0.1:${server.port}` };
}

const echo: RequestListener = (request, response) => {
  request.resume().on("end", () => response.end("done"));
};

function jsonOf(answer: string): unknown {
  return JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4));
}

describe("a malformed request", () => {
  it.each([
    [
      "headers beyond 16 KiB",
      `GET / HTTP/1.1\r\nA: ${"x".repeat(20_000)}`,
      431,
    ],
    ["not HTTP", "hello\r\n\r\n", 400],
    ["a header without a name", "GET / HTTP/1.1\r\n: x\r\n\r\n", 400],
    [
      "two Content-Length headers",
      "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
      400,
    ],
    [
      "Content-Length with chunked encoding",
      "POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400,
    ],
    ["a CONNECT request", "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n", 405],
    [
      "an unknown Expect header",
      "POST / HTTP/1.1\r\nHost: a\r\nExpect: x\r\nContent-Length: 1\r\n\r\nx",
      417,
    ],
  ])("[V2-70] gets a JSON error: %s", async (_what, text, status) => {
    const { address } = await listening(echo);
    const answer = await readToEnd(await openConnection(address, text));
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} [A-Z]`));
    expect(jsonOf(answer)).toHaveProperty("detail");
  });

  it("[V2-70] does not interrupt a response", async () => {
    const { address } = await listening((_request, response) => {
      response.write("half");
    });
    const socket = await openConnection(address, "GET / HTTP/1.1\r\n\r\n");
    await new Promise((resolve) => socket.once("readable", resolve));
    socket.write("hello\r\n\r\n");
    const answer = await readToEnd(socket);
    expect(answer).toContain("half");
    expect(answer).not.toContain("detail");
  });
});

describe("slow clients", () => {
  it.each([
    ["nothing", ""],
    ["half the headers", "GET / HTTP/1.1\r\nHost: a\r\nX"],
  ])(
    "[V2-71] get an error and are disconnected after %s",
    async (_what, text) => {
      const { address } = await listening(echo, forHeaders);
      const answer = await readToEnd(await openConnection(address, text));
      expect(answer).toMatch(/^HTTP\/1.1 408 /);
      expect(jsonOf(answer)).toHaveProperty("detail");
    },
  );

  it.each([
    ["nothing", ""],
    ["half a handshake", "\x16\x03\x01\x02\x00\x01"],
    ["a request without encryption", "GET / HTTP/1.1\r\nHost: a\r\n\r\n"],
  ])("[V4-344] are disconnected over TLS after %s", async (_what, bytes) => {
    const tls = { cert: testCertificate, key: testKey };
    const { address } = await listening(echo, forHeaders, undefined, tls);
    const socket = await openConnection(address, bytes);
    expect(await readToEnd(socket)).not.toContain("HTTP");
  });

  it("[V2-71] get an error and are disconnected in the middle of a body that stalls", async () => {
    const { address } = await listening(echo, forMoving);
    const socket = await openConnection(
      address,
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nhalf",
    );
    expect(await readToEnd(socket)).toMatch(/^HTTP\/1.1 408 /);
  });

  it("[V2-71] get an error and are disconnected in the middle of a body that trickles", async () => {
    const { address } = await listening(echo, forMoving);
    const socket = await openConnection(
      address,
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n",
    );
    const trickling = setInterval(() => socket.write("x"), 10);
    const answer = await readToEnd(socket);
    clearInterval(trickling);
    expect(answer).toMatch(/^HTTP\/1.1 408 /);
  });

  it("[V2-71] are disconnected when they do not read their response", async () => {
    let isCut = (): void => undefined;
    const cut = new Promise<void>((resolve) => (isCut = resolve));
    const { address } = await listening((_request, response) => {
      response.once("close", isCut);
      response.end(Buffer.alloc(64 * 1024 * 1024));
    }, forMoving);
    const socket = await openConnection(address, "GET / HTTP/1.1\r\n\r\n");
    socket.pause();
    await cut;
  });

  it("[V2-71] [V4-279] are disconnected when they read their response in a trickle", async () => {
    let isCut = (): void => undefined;
    const cut = new Promise<void>((resolve) => (isCut = resolve));
    const { address } = await listening((_request, response) => {
      response.once("close", isCut);
      response.end(Buffer.alloc(64 * 1024 * 1024));
    }, forMoving);
    const socket = await openConnection(address, "GET / HTTP/1.1\r\n\r\n");
    socket.pause();
    // A tenth of what has to be read in this time.
    const sipping = setInterval(() => socket.read(100), forMoving.stillMs / 16);
    await cut;
    clearInterval(sipping);
  });

  it("[V2-71] are not those that wait for the server", async () => {
    const { address } = await listening((_request, response) => {
      // It proves that nothing happens as long as neither side has to act: this takes longer than a client may stand still.
      setTimeout(() => response.end("after all"), 2 * forMoving.stillMs);
    }, forMoving);
    expect(await (await fetch(address)).text()).toBe("after all");
  });
});

describe("connections", () => {
  it("[V2-787] that never begin their handshake do not hold up the end of a server with TLS", async () => {
    const hour = 3_600_000;
    // Nothing but the end itself closes it before the test is given up.
    const timeouts = { ...longTimeouts, headersMs: hour, stillMs: hour };
    const tls = { cert: testCertificate, key: testKey };
    const server = await listening(echo, timeouts, undefined, tls);
    const closed = readToEnd(await openConnection(server.address, ""));
    await server.stop(0);
    expect(await closed).toBe("");
  });

  const request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

  it("[V2-71][V2-653] are limited by file descriptors, each with a file as well", () => {
    const limits = [64, 1024, 8192, null].map(connectionLimit);
    expect(limits).toEqual([16, 416, 1000, 1000]);
  });

  it("[V2-653] beyond the limit get an error and are closed; a new one is served once one has closed", async () => {
    const { address } = await listening(echo, longTimeouts, {
      ...{ limit: () => 64, free: () => 60 },
    });
    const open = await Promise.all(
      Array.from({ length: 16 }, () => openConnection(address, request)),
    );
    for (const socket of open)
      await new Promise((resolve) => socket.once("readable", resolve));
    const errorResponse = await readToEnd(
      await openConnection(address, request),
    );
    expect(errorResponse).toMatch(/^HTTP\/1.1 503 /);
    expect(errorResponse).toMatch(/^Retry-After: 1\r$/m);
    expect(errorResponse).toMatch(/^Connection: close\r$/m);
    expect(jsonOf(errorResponse)).toHaveProperty("detail");
    open[0]?.destroy();
    await expect
      .poll(async () => (await fetch(address)).status, { interval: 20 })
      .toBe(200);
  });

  it("[V2-653] are rejected with a retry time while hardly a descriptor is left, and not before", async () => {
    let free = 40;
    const { address } = await listening(echo, longTimeouts, {
      ...{ limit: () => 1024, free: () => free },
    });
    const status = async () => {
      const headers = { Connection: "close" };
      return (await fetch(address, { headers })).status;
    };
    expect(await status()).toBe(200);
    free = 31;
    await expect.poll(status, { interval: 20 }).toBe(503);
    free = 40;
    await expect.poll(status, { interval: 20 }).toBe(200);
  });
});
