// Servers that sources lie on: files by path, each answered as the test says, and every request noted.

import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { afterThisTest } from "../after-this-test.ts";

export interface SourceServer {
  readonly address: string;
  /** What was asked of this path, in order. */
  requests(path: string): readonly IncomingMessage[];
}

export type Source = Buffer | string | number | RequestListener;

/** A text is a page, a number a status; what is not there is 404. Gone with the test. */
export async function serveSources(
  sources: Readonly<Record<string, Source>>,
): Promise<SourceServer> {
  const requests = new Map<string, IncomingMessage[]>();
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    requests.set(path, [...(requests.get(path) ?? []), request]);
    answer(sources[path] ?? 404, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterThisTest(async () => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    requests: (path) => requests.get(path) ?? [],
  };
}

function answer(
  source: Source,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (typeof source === "function") source(request, response);
  else if (typeof source === "number") response.writeHead(source).end();
  else if (typeof source === "string")
    response.setHeader("Content-Type", "text/html").end(source);
  else response.end(source);
}

/** Sends half of it and breaks off; asked for the rest under the same tag, sends that. */
export function breakingOff(bytes: Buffer, tag: () => string): RequestListener {
  const half = Math.floor(bytes.length / 2);
  return (request, response) => {
    const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1]);
    response.setHeader("ETag", tag());
    if (request.headers["if-range"] === tag() && Number.isInteger(from)) {
      response.writeHead(206, {
        "Content-Length": bytes.length - from,
        "Content-Range": `bytes ${from}-${bytes.length - 1}/${bytes.length}`,
      });
      response.end(bytes.subarray(from));
      return;
    }
    response.writeHead(200, { "Content-Length": bytes.length });
    response.write(bytes.subarray(0, half), () => response.destroy());
  };
}

/** As of HTTP/1.0: nothing but the end of the connection tells that these were all. */
export function untoldEnd(bytes: Buffer): RequestListener {
  return ({ socket }) => {
    socket.write("HTTP/1.0 200 OK\r\nContent-Type: image/png\r\n\r\n");
    socket.end(bytes);
  };
}

/** Nobody asked for it. */
export function anotherProtocol({ socket }: IncomingMessage): void {
  socket.write(
    "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n",
  );
}
