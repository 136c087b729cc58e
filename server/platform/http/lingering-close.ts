// Closing a connection whose request is answered before all of it is here, in a way that the client can still read the answer.

import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";

export interface LingerLimits {
  /** How long the rest of a request is read past, all in all. */
  readonly lingerMs: number;
  /** How long nothing may arrive meanwhile. */
  readonly silenceMs: number;
  /** How much is read past. */
  readonly maxBytes: number;
}

/**
 * A connection closed with unread bytes is reset by the system, and a reset wipes out an answer that the client has not
 * read yet. So our side is ended behind the answer, and what still arrives is read past, within limits. Call the
 * result to end all of them.
 */
export function lingerBeforeClose(
  server: Server,
  limits: LingerLimits,
): () => void {
  const lingering = new Set<Socket>();
  /** The last one of each connection. */
  const requests = new WeakMap<Socket, IncomingMessage>();
  server.on("request", (request: IncomingMessage) => {
    const { socket } = request;
    if (!requests.has(socket)) {
      const closeAtOnce = socket.destroySoon.bind(socket);
      // What Node calls behind the last answer of a connection.
      socket.destroySoon = () => {
        const last = requests.get(socket);
        if (!last || last.complete || socket.destroyed) closeAtOnce();
        else if (!lingering.has(socket)) linger(last, closeAtOnce);
      };
    }
    requests.set(socket, request);
  });

  function linger(request: IncomingMessage, closeAtOnce: () => void): void {
    const { socket } = request;
    lingering.add(socket);
    const from = socket.bytesRead;
    let lastRead = from;
    let silentSince = performance.now();
    const until = silentSince + limits.lingerMs;
    // Bytes are counted at the socket: its parser takes them without an event for each.
    const watching = setInterval(
      () => {
        const moment = performance.now();
        if (socket.bytesRead !== lastRead) silentSince = moment;
        lastRead = socket.bytesRead;
        if (
          moment > until ||
          moment - silentSince > limits.silenceMs ||
          lastRead - from > limits.maxBytes
        )
          socket.destroy();
      },
      Math.min(250, limits.silenceMs),
    );
    watching.unref();
    socket.once("close", () => {
      clearInterval(watching);
      lingering.delete(socket);
    });
    socket.end();
    request.once("end", closeAtOnce).once("error", closeAtOnce).resume();
  }

  return () => {
    for (const socket of lingering) socket.destroy();
  };
}
