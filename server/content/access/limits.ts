// So many requests at once and no more: those behind wait a little, and then hear that it is too much (V4-207).

import type { RequestHandler } from "express";
import { Failure } from "../../core/failure.ts";

export interface Gate {
  readonly admit: RequestHandler;
  underWay(): number;
}

export interface GateOptions {
  /** What is let in goes on at once. */
  readonly atOnce: number;
  /** So many more may stand in line. */
  readonly waiting: number;
  readonly what: string;
}

const againAfterSeconds = 2;

/** A place is given back when the answer is through or its client gone. */
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
        // Who has left meanwhile needs no place; the next one takes it.
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
