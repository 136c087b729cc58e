// Listening, with limits, and a stop that waits for nobody for ever.

import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { OutsideError, systemCode } from "./outside-error.ts";

export interface HttpServer {
  readonly host: string;
  readonly port: number;
  /** Ends idle connections at once and the others after this long. */
  stop(graceMs: number): Promise<void>;
}

export interface HttpServerOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
}

/** Throws `address-in-use` when another program has the port; never takes a different one. */
export async function startHttpServer(
  listener: RequestListener,
  options: HttpServerOptions,
): Promise<HttpServer> {
  const server = createServer(
    {
      // A request line and headers of an honest client fit into 16 KiB and arrive within seconds.
      maxHeaderSize: 16 * 1024,
      headersTimeout: 10_000,
      // An upload of 1 GB over a slow link takes its time; a stalled one is ended by the socket's own limit.
      requestTimeout: 0,
      keepAliveTimeout: 5_000,
      connectionsCheckingInterval: 2_000,
    },
    listener,
  );
  server.setTimeout(60_000);
  await listen(server, options);
  const { port } = server.address() as AddressInfo;
  return {
    host: options.host,
    port,
    stop: (graceMs) => stop(server, graceMs),
  };
}

function listen(server: Server, options: HttpServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      const taken = systemCode(error) === "EADDRINUSE";
      reject(
        taken
          ? new OutsideError(
              "address-in-use",
              `Port ${options.port} of ${options.host} is used by another program.`,
              error,
            )
          : error,
      );
    });
    server.listen(options.port, options.host, resolve);
  });
}

function stop(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(late);
      resolve();
    });
    server.closeIdleConnections();
  });
}
