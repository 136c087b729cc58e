// Paths with their methods: HEAD goes where GET goes, OPTIONS tells the methods, any other one is refused.

import type { Request, Response, Router } from "express";
import { Refusal } from "./v4/refusal.ts";

export type Handler = (
  request: Request<Record<string, string>>,
  response: Response,
) => unknown;

export type Methods = Partial<
  Readonly<Record<"GET" | "POST" | "PUT" | "PATCH" | "DELETE", Handler>>
>;

export function addRoute(router: Router, path: string, methods: Methods): void {
  const names = Object.keys(methods);
  const allow = [
    ...(methods.GET ? ["HEAD"] : []),
    ...["OPTIONS", ...names],
  ].join(", ");
  router.all(path, async (request, response) => {
    if (request.method === "OPTIONS") {
      response.status(200).setHeader("Allow", allow).end();
      return;
    }
    const name = request.method === "HEAD" ? "GET" : request.method;
    const handler = Object.hasOwn(methods, name)
      ? methods[name as keyof Methods]
      : undefined;
    if (!handler)
      throw new Refusal(405, "PGRST117", "This method is not possible here.", {
        headers: { Allow: allow },
      });
    await handler(request as Request<Record<string, string>>, response);
  });
}

/** Written as text, so that addresses of files in it are made out for who asked. */
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
