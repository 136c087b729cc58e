// Lingering close: responses sent before the request has ended can be read by a client that is still sending, and reading on is
// bounded.

import { once } from "node:events";
import type { RequestListener } from "node:http";
import { connect, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  startHttpServer,
  type HttpServerOptions,
} from "../../../../server/platform/http/server.ts";
import { createRequestScheduler } from "../../../../server/platform/request-scheduler.ts";
import {
  openConnection,
  readToEnd,
} from "../../../support/http/raw-request.ts";

/** Longer than any busy machine takes. */
const patient = { lingerMs: 60_000, silenceMs: 60_000, maxBytes: 2 ** 30 };

/** Rejects every request at its headers, without reading on. */
const refuse: RequestListener = (_request, response) => {
  const headers = { Connection: "close", "Content-Length": 7 };
  response.writeHead(400, headers).end("refused");
};

async function listening(
  linger: HttpServerOptions["linger"] = patient,
  listener: RequestListener = refuse,
): Promise<string> {
  const server = await startHttpServer(listener, {
    ...{ host: "127.0.0.1", port: 0, linger },
    refusal: (detail) => ({ detail }),
    requestScheduler: createRequestScheduler(() => performance.now()),
  });
  onTestFinished(() => server.stop(0));
  return `http://127.0.0.1:${server.port}`;
}

const head = (bytes: number) =>
  `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${bytes}\r\n\r\n`;

/** Keeps sending after the other side has closed its own. */
async function sender(address: string, bytes: number): Promise<Socket> {
  const port = Number(new URL(address).port);
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  // Waiting tests are notified; once none waits, the other side may close as it likes.
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write(head(bytes));
  return socket;
}

/** Fails where the connection is reset. */
async function read(socket: Socket): Promise<string> {
  let answer = "";
  socket.setEncoding("utf8").on("data", (text: string) => (answer += text));
  socket.resume();
  await once(socket, "end");
  return answer;
}

describe("a response before the end of the request", () => {
  it("[V2-401] is read by a client that reads only when it has sent everything", async () => {
    const address = await listening();
    const chunk = Buffer.alloc(1024 * 1024);
    for (let round = 0; round < 10; round += 1) {
      const socket = await sender(address, 32 * chunk.length);
      socket.pause();
      for (let sent = 0; sent < 32; sent += 1)
        if (!socket.write(chunk)) await once(socket, "drain");
      expect(await read(socket)).toMatch(/^HTTP\/1.1 400 [^]*refused$/);
      socket.end();
    }
  });

  it("[V2-401] is read by a client that sends slowly", async () => {
    const socket = await sender(await listening(), 4);
    expect(await read(socket)).toMatch(/^HTTP\/1.1 400 [^]*refused$/);
    const closed = once(socket, "close");
    for (const byte of "slow") {
      await new Promise((resolve) => socket.write(byte, resolve));
      await new Promise(setImmediate);
    }
    socket.end();
    const [isBroken] = (await closed) as [boolean];
    expect(isBroken).toBe(false);
  });

  it("[V2-401] lets a client with keep-alive send another request", async () => {
    const address = await listening();
    const body = new Uint8Array(4 * 1024 * 1024);
    for (let round = 0; round < 20; round += 1) {
      const answer = await fetch(address, { method: "POST", body });
      expect([answer.status, await answer.text()]).toEqual([400, "refused"]);
    }
  });

  it("[V2-401] is read, too, after a handler left its request in the middle, which takes the socket from the request", async () => {
    const address = await listening(patient, (request, response) => {
      const answer = async (): Promise<void> => {
        const chunks = request[Symbol.asyncIterator]();
        await chunks.next();
        await chunks.return?.();
        refuse(request, response);
      };
      answer().catch(() => undefined);
    });
    const socket = await sender(address, 2 ** 20);
    socket.write(Buffer.alloc(1024));
    expect(await read(socket)).toMatch(/^HTTP\/1.1 400 [^]*refused$/);
    const next = await fetch(address);
    expect([next.status, await next.text()]).toEqual([400, "refused"]);
  });

  it("[V2-401] does not wait for a client that does not send the rest", async () => {
    const address = await listening({ ...patient, silenceMs: 50 });
    const socket = await openConnection(address, head(1000));
    expect(await readToEnd(socket)).toMatch(/^HTTP\/1.1 400 /);
  });

  it.each([
    ["longer than the time limit", { ...patient, lingerMs: 100 }],
    [
      "more than the byte limit",
      { ...patient, maxBytes: 100_000, silenceMs: 50 },
    ],
  ])(
    "[V2-401] does not make the server read on for %s",
    async (_what, limits) => {
      const socket = await sender(await listening(limits), 2 ** 40);
      socket.on("error", () => undefined).resume();
      const chunk = Buffer.alloc(16 * 1024);
      const sending = setInterval(() => socket.write(chunk), 1);
      onTestFinished(() => clearInterval(sending));
      await new Promise((resolve) => socket.once("close", resolve));
    },
  );
});
