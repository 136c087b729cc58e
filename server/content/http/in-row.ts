// Handlers one after the other, as a router of Express takes them, without its search for a path before each.

import type { RequestHandler } from "express";

/** What one throws, or its promise, goes on to whoever answers failures. */
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
