// Closes connections of slow clients, which owe something and do not move, so that they hold no memory and no slot.

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Server as TlsServer } from "node:tls";
import { everyAbout } from "../shared-timer.ts";
import { onUpgradeAccepted } from "./upgrade.ts";

export interface SlowClientLimits {
  /** How long a client may be idle while it owes a body or does not read its response. */
  readonly stillMs: number;
  /** Checking a thousand connections costs less than a millisecond. */
  readonly checkIntervalMs: number;
  /** Minimum of body bytes within that time, and of response bytes that are read; less counts as a trickle. */
  readonly minBodyBytes: number;
  /** All unread responses together; beyond this the slowest readers are disconnected. */
  readonly maxBacklogBytes: number;
}

export const slowClientLimits: SlowClientLimits = {
  // Half a minute covers a network that stalls.
  stillMs: 30_000,
  checkIntervalMs: 2_000,
  // 500 bytes a second: slower than any modem that still carries a browser.
  minBodyBytes: 16 * 1024,
  maxBacklogBytes: 256 * 1024 * 1024,
};

interface Connection {
  request: IncomingMessage | null;
  /** Since when the current body is measured, and from which byte. */
  bodySince: number;
  bodyFrom: number;
  backlogSince: number | null;
  /** Since when the reading of responses is measured, and from which byte. */
  takenSince: number;
  takenFrom: number;
}

/** Rejects a body that trickles with `cut`; a client that does not read its response is only disconnected. */
export function watchSlowClients(
  server: Server,
  limits: SlowClientLimits,
  cut: (socket: Socket) => void,
): () => void {
  const connections = new Map<Socket, Connection>();
  /** Only while there are connections. */
  let stopChecking: (() => void) | undefined;

  function stop(): void {
    stopChecking?.();
    stopChecking = undefined;
  }

  function forget(socket: Socket): void {
    connections.delete(socket);
    if (connections.size === 0) stop();
  }

  function forgetThis(this: Socket): void {
    forget(this);
  }

  // With TLS, requests arrive on the inner socket, which exists after the handshake.
  const connected =
    server instanceof TlsServer ? "secureConnection" : "connection";
  server.on(connected, (socket: Socket) => {
    stopChecking ??= everyAbout(limits.checkIntervalMs, check);
    connections.set(socket, {
      request: null,
      bodySince: 0,
      bodyFrom: 0,
      backlogSince: null,
      ...{ takenSince: 0, takenFrom: 0 },
    });
    socket.on("close", forgetThis);
  });
  onUpgradeAccepted(server, (socket) => {
    socket.off("close", forgetThis);
    forget(socket);
  });
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket);
    if (!connection) return;
    connection.request = request;
    connection.bodySince = performance.now();
    connection.bodyFrom = request.socket.bytesRead;
    response.once("close", () => {
      if (connection.request === request) connection.request = null;
    });
  });
  // Node reports a connection on which nothing moved at all, including bytes in the system's buffers.
  server.setTimeout(limits.stillMs, (socket) => {
    const request = connections.get(socket)?.request;
    // The server is at work: the response takes its time, and the client owes nothing.
    const isWorking = request?.complete === true && socket.writableLength === 0;
    if (isWorking) socket.setTimeout(limits.stillMs);
    else if (request?.complete === false) cut(socket);
    else socket.destroy();
  });

  function check(): void {
    const moment = performance.now();
    let backlogBytes = 0;
    const takers: [socket: Socket, since: number][] = [];
    for (const [socket, connection] of connections) {
      if (isTrickling(socket, connection, moment)) cut(socket);
      if (isSippingAt(socket, connection, moment)) socket.destroy();
      else if (socket.writableLength === 0) connection.backlogSince = null;
      else {
        connection.backlogSince ??= moment;
        backlogBytes += socket.writableLength;
        takers.push([socket, connection.backlogSince]);
      }
    }
    takers.sort(([, a], [, b]) => a - b);
    for (const [socket] of takers) {
      if (backlogBytes <= limits.maxBacklogBytes) break;
      backlogBytes -= socket.writableLength;
      socket.destroy();
    }
  }

  function isTrickling(
    socket: Socket,
    connection: Connection,
    moment: number,
  ): boolean {
    const { request } = connection;
    // A paused socket waits for this process and its disk.
    if (!request || request.complete || socket.isPaused()) {
      connection.bodySince = moment;
      connection.bodyFrom = socket.bytesRead;
      return false;
    }
    if (moment - connection.bodySince < limits.stillMs) return false;
    const isMoving =
      socket.bytesRead - connection.bodyFrom >= limits.minBodyBytes;
    connection.bodySince = moment;
    connection.bodyFrom = socket.bytesRead;
    return !isMoving;
  }

  function isSippingAt(
    socket: Socket,
    connection: Connection,
    moment: number,
  ): boolean {
    const taken = socket.bytesWritten - socket.writableLength;
    const isNew = socket.writableLength === 0 || connection.takenSince === 0;
    if (!isNew && moment - connection.takenSince < limits.stillMs) return false;
    const isMoving = taken - connection.takenFrom >= limits.minBodyBytes;
    connection.takenSince = moment;
    connection.takenFrom = taken;
    return !isNew && !isMoving;
  }

  return stop;
}
