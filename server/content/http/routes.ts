// Routes paths and methods: HEAD follows GET, OPTIONS lists the methods, any other method is rejected.

import type { Request, RequestHandler, Response } from "express";
import { refuseUnclassified } from "../access/operation-roles.ts";
import { Refusal } from "./v4-errors.ts";

export type Handler = (
  request: Request<Record<string, string>>,
  response: Response,
) => unknown;

export type MethodName = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export type Methods = Partial<Readonly<Record<MethodName, Handler>>>;

interface Route {
  /** A part that begins with a colon is a parameter. */
  readonly parts: readonly string[];
  readonly methods: Methods;
  readonly allow: string;
  /** `/v3/screens/{id}`, for traces. */
  readonly template: string;
}

/**
 * Handles the paths of these routes below `/prefix` and `/api/prefix`, with and without a trailing slash; the first
 * match wins, and a path without a match is passed on.
 */
export function handleRoutes(
  prefix: string,
  routes: Readonly<Record<string, Methods>>,
): RequestHandler {
  const all = Object.entries(routes).map(([path, methods]) =>
    routeOf(prefix, path, methods),
  );
  return (request, response, next) => {
    const parts = partsBelow(prefix, request.path);
    const route = parts && all.find((each) => fits(each, parts));
    if (!route) {
      next();
      return;
    }
    setRoute(response, route.template);
    request.params = paramsOf(route, parts);
    return answer(route, request as Request<Record<string, string>>, response);
  };
}

/** The template of its address, where traces look for it. */
export function setRoute({ locals }: Response, template: string): void {
  locals["route"] = template;
}

/** Which of these paths a request is for, as `handleRoutes` decides it; null: none. */
export function createPathMatcher(
  prefix: string,
  paths: readonly string[],
): (path: string) => string | null {
  const all = paths.map((path) => ({ path, parts: partsOfRoute(path) }));
  return (path) => {
    const parts = partsBelow(prefix, path);
    return (parts && all.find((each) => fits(each, parts))?.path) ?? null;
  };
}

function routeOf(prefix: string, path: string, methods: Methods): Route {
  const allow = [
    ...(methods.GET ? ["HEAD"] : []),
    ...["OPTIONS", ...Object.keys(methods)],
  ].join(", ");
  const template = `${prefix}${path}`.replaceAll(/:(\w+)/g, "{$1}");
  return { parts: partsOfRoute(path), methods, allow, template };
}

/** The prefix itself is "/". */
function partsOfRoute(path: string): readonly string[] {
  return partsOf(path === "/" ? "" : path);
}

/** Of `/assets/1`; the prefix itself, which is empty here, has none. */
function partsOf(path: string): readonly string[] {
  return path.split("/").slice(1);
}

/** Null: not below the prefix. */
function partsBelow(prefix: string, path: string): readonly string[] | null {
  const start = path.startsWith("/api/") ? "/api".length : 0;
  const whole = path.endsWith("/") ? path : `${path}/`;
  if (!whole.startsWith(`${prefix}/`, start)) return null;
  return partsOf(whole.slice(start + prefix.length, -1));
}

function fits(
  { parts }: Pick<Route, "parts">,
  segments: readonly string[],
): boolean {
  return (
    parts.length === segments.length &&
    parts.every((part, at) =>
      part.startsWith(":") ? segments[at] !== "" : segments[at] === part,
    )
  );
}

/** Throws a URIError for an invalid encoding. */
function paramsOf(
  { parts }: Route,
  segments: readonly string[],
): Record<string, string> {
  const params: Record<string, string> = {};
  parts.forEach((part, at) => {
    if (part.startsWith(":"))
      params[part.slice(1)] = decodeURIComponent(segments[at] ?? "");
  });
  return params;
}

/** Returns the handler's promise, so that the caller can await it. */
function answer(
  { methods, allow }: Route,
  request: Request<Record<string, string>>,
  response: Response,
): unknown {
  if (request.method === "OPTIONS") {
    response.status(200).setHeader("Allow", allow).end();
    return undefined;
  }
  const name = request.method === "HEAD" ? "GET" : request.method;
  const handler = Object.hasOwn(methods, name)
    ? methods[name as keyof Methods]
    : undefined;
  if (!handler)
    throw new Refusal(405, "PGRST117", "This method is not supported here.", {
      headers: { Allow: allow },
    });
  refuseUnclassified(response);
  return handler(request, response);
}

/** Sent as text, so that file addresses in it are resolved for the client. */
export function sendJson(
  response: Response,
  status: number,
  body: unknown,
): void {
  response
    .status(status)
    .setHeader("Content-Type", "application/json; charset=utf-8")
    .end(JSON.stringify(body));
}
