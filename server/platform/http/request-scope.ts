// A value that follows the calls of a request until its response is produced, such as who makes a change.

import { AsyncLocalStorage } from "node:async_hooks";
import type { NextFunction, Response } from "express";

export interface RequestScope<T> {
  /** For what `next` does, until the response is produced: what a program does afterwards because of a request is its own work. */
  during(value: T, response: Response, next: NextFunction): void;
  /** For this work, until it is done. */
  run<R>(value: T, work: () => Promise<R>): Promise<R>;
  /** For this work alone, and nothing that it begins. */
  runNow<R>(value: T, work: () => R): R;
  /** Null outside. */
  current(): T | null;
}

interface Held<T> {
  readonly value: T;
  isOver: boolean;
}

export function createRequestScope<T>(): RequestScope<T> {
  const storage = new AsyncLocalStorage<Held<T>>();
  return {
    during: (value, response, next) => {
      const held: Held<T> = { value, isOver: false };
      // A client that disconnects ends nothing: what it asked for is still carried out.
      const end = response.end as (...all: unknown[]) => Response;
      response.end = ((...all: unknown[]) => {
        held.isOver = true;
        return end.apply(response, all);
      }) as Response["end"];
      storage.run(held, next);
    },
    run: async (value, work) => {
      const held: Held<T> = { value, isOver: false };
      try {
        return await storage.run(held, work);
      } finally {
        held.isOver = true;
      }
    },
    runNow: (value, work) => {
      const held: Held<T> = { value, isOver: false };
      try {
        return storage.run(held, work);
      } finally {
        held.isOver = true;
      }
    },
    current: () => {
      const held = storage.getStore();
      return held && !held.isOver ? held.value : null;
    },
  };
}
