// Requests take turns, so that no timer of this process waits for more than a few milliseconds of them.

import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * Whatever came in while the loop was busy is otherwise worked off at one go: two hundred answers
 * together would hold up everything else for as long as all of them take.
 */
export interface RequestScheduler {
  /** Goes on at once or when it is this connection's turn; false when too many of its own wait already. */
  take(response: ServerResponse, goOn: () => void): boolean;
}

/** A small part of a frame: what else happens between two looks at the timers fits into the rest. */
const maxMsInARow = 2;
/** Of one connection; only who sends on and on without waiting for answers gets there. */
const maxWaiting = 50;

type Waiting = readonly [response: ServerResponse, goOn: () => void];

/** `now` is steady milliseconds. */
export function createRequestScheduler(now: () => number): RequestScheduler {
  // One request of each connection, then the next of each: nobody waits behind another's heap.
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

  /** Timers that are due run before the next turn. */
  function planNextRound(): void {
    if (isPlanned) return;
    isPlanned = true;
    setImmediate(() => {
      isPlanned = false;
      spentMs = 0;
      while (waiting > 0 && spentMs < maxMsInARow) {
        const [response, goOn] = takeNext() ?? [];
        // Who has left meanwhile needs no answer.
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
