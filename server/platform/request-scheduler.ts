// Request scheduler: takes requests in turn, so that no timer of this process is delayed by them for more than a few milliseconds.

import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * Requests that arrive while the event loop is busy would otherwise be handled in one go: two hundred responses together would
 * block everything else for as long as all of them take.
 */
export interface RequestScheduler {
  /** Continues immediately or when it is this connection's turn; false when too many of its own requests are waiting already. */
  take(response: ServerResponse, goOn: () => void): boolean;
}

/** A small part of a frame: other work between two runs of the timers fits into the rest. */
const maxMsInARow = 2;
/** Per connection; only a client that keeps sending without waiting for responses reaches it. */
const maxWaiting = 50;

type Waiting = readonly [response: ServerResponse, goOn: () => void];

/** `now` returns monotonic milliseconds. */
export function createRequestScheduler(now: () => number): RequestScheduler {
  // One request of each connection, then the next of each: no client waits behind another's backlog.
  const queues = new Map<Socket | null, Waiting[]>();
  let waiting = 0;
  let spentMs = 0;
  let isActing = false;
  let isPlanned = false;

  function act(goOn: () => void): void {
    const startedAt = now();
    isActing = true;
    try {
      goOn();
    } finally {
      isActing = false;
      spentMs += now() - startedAt;
    }
  }

  function takeNext(): Waiting | undefined {
    for (const [socket, queue] of queues) {
      const next = queue.shift();
      queues.delete(socket);
      if (queue.length > 0) queues.set(socket, queue);
      waiting -= 1;
      return next;
    }
    return undefined;
  }

  /** Timers that are due run before the next request. */
  function planNextRound(): void {
    if (isPlanned) return;
    isPlanned = true;
    setImmediate(() => {
      isPlanned = false;
      spentMs = 0;
      while (waiting > 0 && spentMs < maxMsInARow) {
        const [response, goOn] = takeNext() ?? [];
        // A client that has disconnected needs no response.
        if (goOn && !response?.destroyed) act(goOn);
      }
      if (waiting > 0 || spentMs > 0) planNextRound();
    });
  }

  return {
    take: (response, goOn) => {
      if (isActing) {
        goOn();
        return true;
      }
      planNextRound();
      if (waiting === 0 && spentMs < maxMsInARow) {
        act(goOn);
        return true;
      }
      const queue = queues.get(response.socket) ?? [];
      if (queue.length >= maxWaiting) return false;
      queues.set(response.socket, queue);
      queue.push([response, goOn]);
      waiting += 1;
      return true;
    },
  };
}
