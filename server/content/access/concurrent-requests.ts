// Limits concurrent requests: further ones queue briefly and are then rejected as too many (V4-207).

import type { RequestHandler } from "express";
import { Failure } from "../../core/failure.ts";

export interface Gate {
  readonly admit: RequestHandler;
  underWay(): number;
}

export interface GateOptions {
  /** Requests handled concurrently. */
  readonly atOnce: number;
  /** Requests that may queue beyond that. */
  readonly waiting: number;
  readonly what: string;
}

const againAfterSeconds = 2;

/** A slot is released when the response is finished or its client has disconnected. */
export function createGate({ atOnce, waiting, what }: GateOptions): Gate {
  const line: (() => void)[] = [];
  let inside = 0;

  const leave = (): void => {
    inside -= 1;
    line.shift()?.();
  };

  return {
    underWay: () => inside,
    admit: (_request, response, next) => {
      const enter = (): void => {
        // A client that disconnected meanwhile needs no slot; the next in the queue takes it.
        if (response.destroyed) {
          line.shift()?.();
          return;
        }
        inside += 1;
        response.once("close", leave);
        next();
      };
      if (inside < atOnce) enter();
      else if (line.length < waiting) line.push(enter);
      else {
        response.setHeader("Retry-After", againAfterSeconds);
        throw new Failure(
          "unavailable",
          `${atOnce} ${what} are under way already; try again in ${againAfterSeconds} seconds.`,
        );
      }
    },
  };
}
