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

interface Waiting extends Upgraded {
  readonly server: Server;
}

const waiting = new WeakMap<IncomingMessage, Waiting>();

/** Emitted by the server with the connection: it is no longer one of HTTP. */
const acceptedEvent = "upgradeAccepted";

/** Calls back for each connection whose upgrade is accepted, so that what was kept of it as an HTTP connection is dropped. */
export function onUpgradeAccepted(
  server: Server,
  callback: (socket: Socket) => void,
): void {
  server.on(acceptedEvent, callback);
}

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
      socket.on("error", destroyThis);
      const response = new ServerResponse(request);
      response.shouldKeepAlive = false;
      response.assignSocket(socket);
      response.once("finish", () => socket.destroySoon());
      waiting.set(request, { socket, head, server });
      listener(request, response);
    },
  );
}

/** One function for all connections: those of WebSockets last, and there are many. */
function destroyThis(this: Socket): void {
  this.destroy();
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
  const { socket, head, server } = upgraded;
  response.detachSocket(socket as Socket);
  // From now on, the caller watches for errors.
  socket.off("error", destroyThis);
  server.emit(acceptedEvent, socket);
  // The log, the metrics and the limits of requests wait for this.
  response.emit("close");
  return { socket, head };
}
