// WebSocket client: text messages of one server, and the end of a connection on which nothing arrives any more.

import { WebSocket } from "ws";
import { tunnelThrough } from "./proxy-tunnel.ts";

export interface WebSocketOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** False accepts any certificate. */
  readonly verifyTls: boolean;
  /** Address of an HTTP proxy; null connects directly. Proxies only forward what is encrypted. */
  readonly proxy: string | null;
  /** How long connecting may take, and then the first message: something between the two may forward none. */
  readonly openMs: number;
  /** A connection on which neither a message nor a ping arrives for this long is closed. */
  readonly silenceMs: number;
  readonly maxMessageBytes: number;
  readonly signal: AbortSignal;
  readonly onMessage: (text: string) => void;
  readonly onPing: () => void;
  readonly onClose: (code: number) => void;
}

export interface OpenWebSocket {
  close(): void;
}

/** A response of the server instead of a socket. */
export class NotUpgraded extends Error {
  readonly status: number;
  readonly retryAfter: string | undefined;

  constructor(status: number, retryAfter: string | undefined) {
    super(`the server answers ${status} instead of opening a WebSocket`);
    this.name = "NotUpgraded";
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** Resolves once it is open; throws the connection's error, or NotUpgraded. Redirects are not followed. */
export function openWebSocket(
  address: URL,
  options: WebSocketOptions,
): Promise<OpenWebSocket> {
  const { headers, verifyTls, proxy, openMs, silenceMs, signal } = options;
  const isSecure = address.protocol === "https:";
  if (proxy !== null && !isSecure)
    return Promise.reject(new Error("a proxy does not forward WebSockets"));
  const url = new URL(address);
  url.protocol = isSecure ? "wss:" : "ws:";
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const socket = new WebSocket(url, {
      headers: { "User-Agent": "Vitrine", ...headers },
      ...(proxy !== null && { agent: tunnelThrough(proxy, openMs) }),
      ...{ rejectUnauthorized: verifyTls, handshakeTimeout: openMs },
      ...{ perMessageDeflate: false, followRedirects: false },
      maxPayload: options.maxMessageBytes,
    });
    const end = (): void => socket.terminate();
    let silent = setTimeout(end, 2 * openMs);
    const restartDeadline = (ms: number): void => {
      clearTimeout(silent);
      silent = setTimeout(end, ms);
    };
    let isOpen = false;
    signal.addEventListener("abort", end);
    socket.on("unexpected-response", (request, response) => {
      const { statusCode = 0, headers: received } = response;
      reject(new NotUpgraded(statusCode, received["retry-after"]));
      request.destroy();
      end();
    });
    socket.on("open", () => {
      isOpen = true;
      restartDeadline(openMs);
      resolve({ close: end });
    });
    socket.on("message", (data: Buffer, isBinary: boolean) => {
      restartDeadline(silenceMs);
      // A Buffer, as `binaryType` is the default.
      if (!isBinary) options.onMessage(data.toString("utf8"));
    });
    socket.on("ping", () => {
      restartDeadline(silenceMs);
      options.onPing();
    });
    socket.on("error", reject);
    socket.on("close", (code) => {
      clearTimeout(silent);
      signal.removeEventListener("abort", end);
      reject(new Error("the connection was closed"));
      if (isOpen) options.onClose(code);
    });
  });
}
