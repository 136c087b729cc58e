// Tunnel through an HTTP proxy to a TLS server: the proxy forwards bytes and cannot read them.

import http from "node:http";
import https from "node:https";
import type { Duplex } from "node:stream";
import tls from "node:tls";

/** The proxy is unreachable, or rejects the tunnel. */
export class ProxyError extends Error {
  constructor(reason: string) {
    super(`the proxy refused the connection: ${reason}`);
    this.name = "ProxyError";
  }
}

/** Each connection is a tunnel of its own, and ends with its response. */
export function tunnelThrough(proxy: string, silenceMs: number): https.Agent {
  const agent = new https.Agent({ keepAlive: false });
  agent.createConnection = (options, done) => {
    const { host, port, ...others } = options;
    const name = String(host);
    const connectRequest = http.request(new URL(proxy), {
      method: "CONNECT",
      path: `${name.includes(":") ? `[${name}]` : name}:${port ?? 443}`,
      timeout: silenceMs,
      agent: false,
    });
    const fail = (error: Error): void => {
      done?.(error, null as unknown as Duplex);
    };
    connectRequest.on("timeout", () =>
      connectRequest.destroy(new Error("silent")),
    );
    connectRequest.once("connect", ({ statusCode }, socket) => {
      if (statusCode === 200)
        done?.(
          null,
          tls.connect({ ...others, socket } as tls.ConnectionOptions),
        );
      else {
        socket.destroy();
        fail(new ProxyError(`it answers ${statusCode}`));
      }
    });
    connectRequest.once("response", (response) => {
      response.destroy();
      fail(new ProxyError(`it answers ${response.statusCode}`));
    });
    connectRequest.on("error", (error: NodeJS.ErrnoException) =>
      fail(new ProxyError(error.code ?? error.message)),
    );
    connectRequest.end();
    return undefined;
  };
  return agent;
}
