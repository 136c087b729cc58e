// Request log: an id for every request, and one log line once it is answered or its client has disconnected.

import { randomUUID } from "node:crypto";
import type { Request, RequestHandler, Response } from "express";
import type { Log } from "../log.ts";

export interface RequestLogOptions {
  readonly log: Log;
  readonly event: string;
  /** Null for a request that writes no line. */
  readonly levelOf: (request: Request) => "debug" | "info" | null;
  /** Further fields of the line. */
  readonly fieldsOf?: ((response: Response) => object) | undefined;
}

export function logRequests({
  log,
  event,
  levelOf,
  fieldsOf,
}: RequestLogOptions): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    const id = randomUUID();
    response.setHeader("X-Request-Id", id);
    const level = levelOf(request);
    if (level !== null)
      response.on("close", () => {
        log[level](event, {
          request: id,
          method: request.method,
          path: request.path,
          status: response.statusCode,
          ms: Math.round(performance.now() - startedAt),
          ...fieldsOf?.(response),
        });
      });
    next();
  };
}

export function isRead({ method }: Request): boolean {
  return method === "GET" || method === "HEAD";
}
