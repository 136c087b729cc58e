// A proxy to a service that loses what a test wants lost: the request before it arrives, or the response on its way back.

import { createServer, type IncomingMessage } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { afterThisTest } from "../after-this-test.ts";

/**
 * `lost`: never arrives. `held`: neither arrives nor is answered. `unheard`: is carried out, but its response is lost. Otherwise
 * a proxy on the way sends this response.
 */
export type Delivery = "arrives" | "lost" | "held" | "unheard" | Answered;

export interface Answered {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

export interface Passed {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly body: string;
}

export interface FaultyPath {
  /** e.g. `http://127.0.0.1:40123` */
  readonly address: string;
  /** The requests that arrived, in order. */
  readonly passed: readonly Passed[];
  /** Called for every request. */
  decide(delivery: (request: Passed) => Delivery): void;
  /** Breaks every WebSocket off. */
  cutSockets(): void;
  /** It ends with its test; one that is opened for a whole file is closed by this. */
  close(): Promise<void>;
}

export async function openFaultyPath(
  /** A function is called for each request, where the address is not known yet. */
  to: string | (() => string),
  options: {
    /** WebSockets are forwarded; without it they are not known here, and answered as by an old service. */
    readonly forwardsSockets?: boolean;
  } = {},
): Promise<FaultyPath> {
  const passed: Passed[] = [];
  const sockets = new Set<Socket>();
  const there = (): string => (typeof to === "string" ? to : to());
  let decide = (_request: Passed): Delivery => "arrives";
  const server = createServer((request, response) => {
    void (async () => {
      const bytes = await bytesOf(request);
      const { method = "GET", url = "/" } = request;
      const one = { method, url, body: bytes.toString("latin1") };
      const delivery = decide(one);
      if (delivery === "lost") {
        request.socket.destroy();
        return;
      }
      if (delivery === "held") return;
      if (typeof delivery === "object") {
        response.writeHead(delivery.status, { "Content-Type": delivery.type });
        response.end(delivery.body);
        return;
      }
      const { host: _, connection: __, ...headers } = request.headers;
      delete headers.upgrade;
      const answer = await fetch(there() + url, {
        ...{ method, redirect: "manual" },
        headers: new Headers(headers as Record<string, string>),
        ...(bytes.length > 0 && { body: new Uint8Array(bytes) }),
      });
      const body = Buffer.from(await answer.arrayBuffer());
      passed.push(one);
      if (delivery === "unheard") {
        request.socket.destroy();
        return;
      }
      const type = answer.headers.get("content-type");
      response.writeHead(answer.status, {
        ...(type !== null && { "Content-Type": type }),
      });
      response.end(body);
    })().catch(() => request.socket.destroy());
  });
  const forward = (request: IncomingMessage, from: Socket): void => {
    const { method = "GET", url = "/", rawHeaders } = request;
    const one = { method, url, body: "" };
    const delivery = decide(one);
    from.on("error", () => from.destroy());
    if (typeof delivery === "object")
      from.end(
        `HTTP/1.1 ${delivery.status} Answered\r\nContent-Type: ${delivery.type}\r\nConnection: close\r\n\r\n${delivery.body}`,
      );
    else if (delivery === "lost") from.destroy();
    if (delivery !== "arrives") return;
    passed.push(one);
    const { hostname, port } = new URL(there());
    const onward = connect(Number(port), hostname);
    const lines = rawHeaders.flatMap((name, at) =>
      at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : [],
    );
    onward.write(`GET ${url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
    sockets.add(onward);
    const end = (): void => {
      sockets.delete(onward);
      onward.destroy();
      from.destroy();
    };
    onward.on("error", end).on("close", end);
    from.on("close", end);
    from.pipe(onward).pipe(from);
  };
  if (options.forwardsSockets === true) server.on("upgrade", forward);
  const cutSockets = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const close = async (): Promise<void> => {
    cutSockets();
    server.closeAllConnections();
    server.close();
  };
  afterThisTest(close);
  const { port } = server.address() as AddressInfo;
  return {
    ...{ address: `http://127.0.0.1:${port}`, passed, close, cutSockets },
    decide: (delivery) => {
      decide = delivery;
    },
  };
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  return Buffer.concat((await request.toArray()) as readonly Buffer[]);
}
