// Upgrade requests (WebSocket): answered by the same middleware as every other request, until one of them is accepted.

import {
  ServerResponse,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** The connection of a request whose upgrade was accepted; from now on it belongs to the caller. */
export interface Upgraded {
  readonly socket: Duplex;
  /** The first bytes after the request. */
  readonly head: Buffer;
}

const waiting = new WeakMap<IncomingMessage, Upgraded>();

/** Whether it asks for a WebSocket; any other upgrade is ignored, as HTTP allows, and answered as a plain request. */
export function isWebSocketRequest({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === "websocket";
}

/** Passes upgrade requests on to the listener, with a response like any other; the connection ends with that response. */
export function answerUpgrades(
  server: Server,
  listener: RequestListener,
): void {
  server.on(
    "upgrade",
    (request: IncomingMessage, socket: Socket, head: Buffer) => {
      socket.on("error", () => socket.destroy());
      const response = new ServerResponse(request);
      response.shouldKeepAlive = false;
      response.assignSocket(socket);
      response.once("finish", () => socket.destroySoon());
      waiting.set(request, { socket, head });
      listener(request, response);
    },
  );
}

/** Ends the response and returns its connection; null if the request asks for no WebSocket. */
export function takeUpgrade(
  request: IncomingMessage,
  response: ServerResponse,
): Upgraded | null {
  const upgraded = waiting.get(request);
  if (!upgraded || upgraded.socket.destroyed) return null;
  waiting.delete(request);
  response.statusCode = 101;
  response.detachSocket(upgraded.socket as Socket);
  // The log, the metrics and the limits of requests wait for this.
  response.emit("close");
  return upgraded;
}
