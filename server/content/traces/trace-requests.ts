// Spans of HTTP requests: by method and route template; never the path, the query or a header of the client.

import type { Request, RequestHandler, Response } from "express";
import { isWebSocketRequest } from "../../platform/http/upgrade.ts";
import type { Traces } from "./traces.ts";

const knownMethods = new Set([
  ...["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
]);
/** Asked every few seconds by load balancers and Prometheus. */
const untraced = /^\/(?:health(?:\/live)?|metrics)\/?$/;

const fileRoute = /^\/files\/[^/?]+(\/thumbnail)?\/?(?:\?|$)/;

/** Behind the middleware that gives each request its id. */
export function traceRequests(traces: Traces): RequestHandler {
  return (request, response, next) => {
    // A WebSocket lasts for days; what arrives over it is no request.
    if (untraced.test(request.path) || isWebSocketRequest(request)) {
      next();
      return;
    }
    const method = knownMethods.has(request.method) ? request.method : "_OTHER";
    const name = method === "_OTHER" ? "HTTP" : method;
    const span = traces.begin(
      {
        ...{ name, kind: "server" },
        attributes: {
          "http.request.method": method,
          "url.scheme": request.secure ? "https" : "http",
          "network.protocol.version": request.httpVersion,
          "http.response.header.x-request-id": [
            String(response.getHeader("X-Request-Id")),
          ],
        },
      },
      request.headers,
    );
    setTraceId(response, span.traceId);
    response.once("close", () => {
      const route = routeOf(request, response);
      if (route !== null) {
        span.rename(`${name} ${route}`);
        span.set({ "http.route": route });
      }
      const { statusCode, headersSent } = response;
      if (headersSent) span.set({ "http.response.status_code": statusCode });
      if (!headersSent || statusCode >= 500)
        span.fail(headersSent ? String(statusCode) : "client_disconnected");
      span.end();
    });
    traces.runIn(span, next);
  };
}

/** For the line of the log about this request. */
export function traceFieldOf(response: Response): { readonly trace?: string } {
  const { traceId } = response.locals as { readonly traceId?: string };
  return traceId === undefined ? {} : { trace: traceId };
}

function setTraceId(response: Response, traceId: string): void {
  response.locals["traceId"] = traceId;
}

/** Set by the router that handles the request; files have a router of Express. */
function routeOf(request: Request, response: Response): string | null {
  const { route } = response.locals as { readonly route?: string };
  if (route !== undefined) return route;
  const match = fileRoute.exec(request.originalUrl);
  return match && `/files/{id}${match[1] ?? ""}`;
}
