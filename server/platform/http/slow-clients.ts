// Connections that owe something and do not move: they are cut, so that they hold no memory and no place.

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Server as TlsServer } from "node:tls";
import { everyAbout } from "../shared-timer.ts";

export interface SlowClientLimits {
  /** How long a client may keep still while it owes us a body or we owe it an answer that it does not take. */
  readonly stillMs: number;
  /** A look at a thousand connections costs less than a millisecond. */
  readonly checkIntervalMs: number;
  /** A body brings at least so much in that time, and an answer is taken as quickly; less is a trickle. */
  readonly minBodyBytes: number;
  /** All answers not yet taken, together; beyond it the slowest takers go. */
  readonly maxBacklogBytes: number;
}

interface Connection {
  request: IncomingMessage | null;
  /** Since when the body under way is counted, and from which byte. */
  bodySince: number;
  bodyFrom: number;
  backlogSince: number | null;
  /** Since when what is taken of our answers is counted, and from which byte. */
  takenSince: number;
  takenFrom: number;
}

/** Refuses a body that trickles with `cut`; whoever does not take an answer is only disconnected. */
export function watchSlowClients(
  server: Server,
  limits: SlowClientLimits,
  cut: (socket: Socket) => void,
): () => void {
  const connections = new Map<Socket, Connection>();
  /** Only while there are some. */
  let stopChecking: (() => void) | undefined;

  function stop(): void {
    stopChecking?.();
    stopChecking = undefined;
  }

  // Under TLS requests come on the socket inside, which is there once hands are shaken.
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
    socket.once("close", () => {
      connections.delete(socket);
      if (connections.size === 0) stop();
    });
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
  // Node tells of a connection on which nothing moved at all, bytes on their way in the system included.
  server.setTimeout(limits.stillMs, (socket) => {
    const request = connections.get(socket)?.request;
    // We are the ones at work: the answer takes its time, and nobody owes us anything.
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
    // A paused socket waits for us and our disk.
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
