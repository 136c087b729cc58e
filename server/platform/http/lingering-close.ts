// Lingering close: closes a connection whose request was answered before all of it arrived, so that the client can still read the
// response.

import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";

export interface LingerLimits {
  /** How long the rest of a request is read and discarded, in total. */
  readonly lingerMs: number;
  /** How long nothing may arrive meanwhile. */
  readonly silenceMs: number;
  /** How much is read and discarded. */
  readonly maxBytes: number;
}

/**
 * The system resets a connection that is closed with unread bytes, and a reset discards a response that the client has not read
 * yet. So this side is closed after the response, and what still arrives is read and discarded, within limits. Call the returned
 * function to end all lingering connections.
 */
export function lingerBeforeClose(
  server: Server,
  limits: LingerLimits,
): () => void {
  const lingering = new Set<Socket>();
  /** The latest request of each connection. */
  const requests = new WeakMap<Socket, IncomingMessage>();
  server.on("request", (request: IncomingMessage) => {
    const { socket } = request;
    if (!requests.has(socket)) {
      const closeAtOnce = socket.destroySoon.bind(socket);
      // Node calls this after the last response of a connection.
      socket.destroySoon = () => {
        const last = requests.get(socket);
        if (!last || last.complete || socket.destroyed) closeAtOnce();
        else if (!lingering.has(socket)) linger(socket, last, closeAtOnce);
      };
    }
    requests.set(socket, request);
  });

  /** A handler that leaves a `for await` over its request early has taken the socket from it. */
  function linger(
    socket: Socket,
    request: IncomingMessage,
    closeAtOnce: () => void,
  ): void {
    lingering.add(socket);
    const from = socket.bytesRead;
    let lastRead = from;
    let silentSince = performance.now();
    const until = silentSince + limits.lingerMs;
    // Bytes are counted at the socket: its parser consumes them without an event for each.
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
