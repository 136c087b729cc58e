// WebSocket client: what it makes of a server that answers, falls silent, or is not the one it should be.

import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { expect, it, vi } from "vitest";
import { WebSocketServer, type WebSocket } from "ws";
import {
  openWebSocket,
  NotUpgraded,
  type WebSocketOptions,
} from "../../../../server/platform/http/web-socket.ts";
import { afterThisTest } from "../../../support/after-this-test.ts";
import { testCertificate, testKey } from "../../../support/http/certificate.ts";

async function listening(
  onSocket: (socket: WebSocket) => void,
  { isSecure = false, status = 0 } = {},
): Promise<URL> {
  const server: Server = isSecure
    ? (createTlsServer({ cert: testCertificate, key: testKey }) as Server)
    : createServer();
  const sockets = new WebSocketServer({ noServer: true, autoPong: false });
  server.on("upgrade", (request, socket, head) => {
    if (status > 0)
      socket.end(`HTTP/1.1 ${status} No\r\nRetry-After: 9\r\n\r\n`);
    else sockets.handleUpgrade(request, socket, head, onSocket);
  });
  await new Promise<void>((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve()),
  );
  afterThisTest(async () => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return new URL(`${isSecure ? "https" : "http"}://127.0.0.1:${port}/socket`);
}

function connecting(address: URL, options: Partial<WebSocketOptions> = {}) {
  const messages: string[] = [];
  const codes: number[] = [];
  const stop = new AbortController();
  afterThisTest(async () => stop.abort());
  const opening = openWebSocket(address, {
    ...{ headers: {}, verifyTls: true, proxy: null },
    ...{ openMs: 30_000, silenceMs: 30_000, maxMessageBytes: 1000 },
    ...{ signal: stop.signal, onPing: () => undefined },
    onMessage: (text) => void messages.push(text),
    onClose: (code) => void codes.push(code),
    ...options,
  });
  return { opening, messages, codes, stop };
}

it("receives messages as text, and the code with which the server ends the connection", async () => {
  const address = await listening((socket) => {
    socket.send("ä");
    socket.send(Buffer.from([1]));
    socket.send("two");
    socket.close(4001);
  });
  const { opening, messages, codes } = connecting(address);
  await opening;
  await vi.waitUntil(() => codes.length > 0);
  expect(messages).toEqual(["ä", "two"]);
  expect(codes).toEqual([4001]);
});

it("closes a connection on which nothing arrived for too long, after the first message as well as before", async () => {
  const mute = connecting(await listening(() => undefined), { openMs: 500 });
  await mute.opening;
  await vi.waitUntil(() => mute.codes.length > 0);
  const silent = connecting(await listening((socket) => socket.send("one")), {
    silenceMs: 50,
  });
  await silent.opening;
  await vi.waitUntil(() => silent.codes.length > 0);
  expect([...mute.codes, ...silent.codes]).toEqual([1006, 1006]);
});

it("keeps a connection on which only pings arrive", async () => {
  let pings = 0;
  const address = await listening((socket) => {
    socket.send("one");
    const timer = setInterval(() => socket.ping(), 20);
    socket.on("close", () => clearInterval(timer));
  });
  const { opening, codes } = connecting(address, {
    silenceMs: 2000,
    onPing: () => (pings += 1),
  });
  await opening;
  await vi.waitUntil(() => pings > 150);
  expect(codes).toEqual([]);
});

it("reports the status and the wait of a server that opens no WebSocket, and refuses certificates of others", async () => {
  const busy = await listening(() => undefined, { status: 503 });
  await expect(connecting(busy).opening).rejects.toEqual(
    new NotUpgraded(503, "9"),
  );
  const address = await listening(() => undefined, { isSecure: true });
  await expect(connecting(address).opening).rejects.toMatchObject({
    code: "DEPTH_ZERO_SELF_SIGNED_CERT",
  });
  await connecting(address, { verifyTls: false }).opening;
});

it("ends a connection whose message is too large, and one that is no longer wanted", async () => {
  const large = connecting(
    await listening((socket) => socket.send("x".repeat(2000))),
  );
  await large.opening;
  await vi.waitUntil(() => large.codes.length > 0);
  expect(large.messages).toEqual([]);
  const ended = vi.fn();
  const unwanted = connecting(
    await listening((socket) => socket.on("close", ended)),
  );
  await unwanted.opening;
  unwanted.stop.abort();
  await vi.waitUntil(() => ended.mock.calls.length > 0);
});
