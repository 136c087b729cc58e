// Source servers of assets: files by path, each answered as the test specifies, with all requests recorded.

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
  /** Requests to this path, in order. */
  requests(path: string): readonly IncomingMessage[];
}

export type Source = Buffer | string | number | RequestListener;

/** A string is a page, a number a status; an unknown path is 404. Closed with the test. */
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

/** Sends half of it and breaks off; sends the rest when it is requested with the same entity tag. */
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

/** As in HTTP/1.0: only the end of the connection marks the end of the body. */
export function untoldEnd(bytes: Buffer): RequestListener {
  return ({ socket }) => {
    socket.write("HTTP/1.0 200 OK\r\nContent-Type: image/png\r\n\r\n");
    socket.end(bytes);
  };
}

/** Nobody requested it. */
export function anotherProtocol({ socket }: IncomingMessage): void {
  socket.write(
    "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n",
  );
}
