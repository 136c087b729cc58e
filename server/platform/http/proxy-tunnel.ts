// A way through a proxy to a server that speaks TLS: the proxy passes bytes on and reads none of them.

import http from "node:http";
import https from "node:https";
import type { Duplex } from "node:stream";
import tls from "node:tls";

/** The proxy is away, or does not let us through. */
export class ProxyError extends Error {
  constructor(reason: string) {
    super(`the proxy does not let it through: ${reason}`);
    this.name = "ProxyError";
  }
}

/** Each connection is a tunnel of its own, and ends with its answer. */
export function tunnelThrough(proxy: string, silenceMs: number): https.Agent {
  const agent = new https.Agent({ keepAlive: false });
  agent.createConnection = (options, done) => {
    const { host, port, ...others } = options;
    const name = String(host);
    const asking = http.request(new URL(proxy), {
      method: "CONNECT",
      path: `${name.includes(":") ? `[${name}]` : name}:${port ?? 443}`,
      timeout: silenceMs,
      agent: false,
    });
    const fail = (error: Error): void => {
      done?.(error, null as unknown as Duplex);
    };
    asking.on("timeout", () => asking.destroy(new Error("silent")));
    asking.once("connect", ({ statusCode }, socket) => {
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
    asking.once("response", (response) => {
      response.destroy();
      fail(new ProxyError(`it answers ${response.statusCode}`));
    });
    asking.on("error", (error: NodeJS.ErrnoException) =>
      fail(new ProxyError(error.code ?? error.message)),
    );
    asking.end();
    return undefined;
  };
  return agent;
}
