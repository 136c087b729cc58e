// Middleware chain: runs handlers in sequence as an Express router does, without matching a path before each.

import type { RequestHandler } from "express";

/** What a handler throws or rejects with is passed to the error handler. */
export function inRow(...handlers: readonly RequestHandler[]): RequestHandler {
  return (request, response, next) => {
    let at = 0;
    const goOn = (failure?: unknown): void => {
      const handler = failure === undefined ? handlers[at++] : undefined;
      if (!handler) {
        next(failure);
        return;
      }
      try {
        const done: unknown = handler(request, response, goOn);
        if (done instanceof Promise) done.catch(next);
      } catch (error) {
        next(error);
      }
    };
    goOn();
  };
}
