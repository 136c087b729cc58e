// Limits concurrent requests: further ones queue briefly and are then rejected as too many (V4-207).

import type { Request, RequestHandler } from "express";
import { composeSentence } from "../../contract/sentence-templates.ts";
import { serviceSentences } from "../../contract/sentences/service-sentences.ts";
import { Failure } from "../../core/failure.ts";

export interface RequestLimit {
  readonly admit: RequestHandler;
  underWay(): number;
}

export interface RequestLimitOptions {
  /** Requests handled concurrently. */
  readonly maxConcurrent: number;
  /** Requests that may queue beyond that. */
  readonly maxQueued: number;
  readonly what: string;
  /** When one that is rejected may come back; by default in two seconds. */
  readonly retryAfterSeconds?: (request: Request) => number;
  /** Whether it is to come back rather than queue behind requests that wait for long. */
  readonly canWait?: (request: Request) => boolean;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

const againAfterSeconds = 2;
/**
 * Players give up after ten seconds and more: a longer queue of them would be one of requests that nobody waits for any longer, while
 * each is sent again (L-48).
 */
const longQueueMs = 2000;

/** More than the connections of any database; the rest queue there. */
export const allRequests: RequestLimitOptions = {
  ...{ maxConcurrent: 64, maxQueued: 1_000, what: "requests" },
};
/** This many concurrent uploads saturate a disk; as many again can queue unnoticed. */
export const uploadRequests: RequestLimitOptions = {
  ...{ maxConcurrent: 16, maxQueued: 0, what: "uploads" },
};

/** A slot is released when the response is finished or its client has disconnected. */
export function createRequestLimit({
  maxConcurrent,
  maxQueued,
  what,
  retryAfterSeconds = () => againAfterSeconds,
  canWait = () => false,
  now = () => performance.now(),
}: RequestLimitOptions): RequestLimit {
  const line: { readonly enter: () => void; readonly since: number }[] = [];
  let inside = 0;

  const leave = (): void => {
    inside -= 1;
    line.shift()?.enter();
  };

  const isFull = (request: Request): boolean => {
    const [next] = line;
    if (!next) return maxQueued === 0;
    return (
      line.length >= maxQueued ||
      (now() - next.since > longQueueMs && canWait(request))
    );
  };

  return {
    underWay: () => inside,
    admit: (request, response, next) => {
      const enter = (): void => {
        // A client that disconnected meanwhile needs no slot; the next in the queue takes it.
        if (response.destroyed) {
          line.shift()?.enter();
          return;
        }
        inside += 1;
        response.once("close", leave);
        next();
      };
      if (inside < maxConcurrent) enter();
      else if (!isFull(request)) line.push({ enter, since: now() });
      else {
        const seconds = retryAfterSeconds(request);
        response.setHeader("Retry-After", seconds);
        throw new Failure(
          "unavailable",
          composeSentence(serviceSentences["requests-at-once"], {
            limit: maxConcurrent,
            what,
            seconds,
          }),
        );
      }
    },
  };
}
