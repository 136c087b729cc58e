// The root of a prefix: the interface's own description, for programs and for people.

import type { Request, Response } from "express";
import { createHash } from "node:crypto";
import type { Catalogue } from "../catalogue.ts";
import { docsPage, docsStyle } from "./docs-page.ts";
import { openApiV4 } from "./openapi.ts";
import { Refusal } from "./refusal.ts";

/** Nothing runs and nothing is loaded but the style that stands in the page itself (V4-45). */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(docsStyle).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

export function sendDescription(
  request: Request,
  response: Response,
  catalogue: Catalogue,
  prefix: string,
): void {
  if (request.method !== "GET" && request.method !== "HEAD")
    throw new Refusal(
      405,
      "PGRST117",
      `Unsupported HTTP method: ${request.method}`,
      { headers: { Allow: "GET, HEAD" } },
    );
  const api = openApiV4(catalogue, prefix);
  response.setHeader("Vary", "Accept");
  if (request.accepts("json", "html") !== "html") {
    response
      .type("application/openapi+json; charset=utf-8")
      .send(JSON.stringify(api));
    return;
  }
  const address = `${request.protocol}://${request.host}${prefix}`;
  response
    .setHeader("Content-Security-Policy", policy)
    .setHeader("X-Content-Type-Options", "nosniff")
    .setHeader("Referrer-Policy", "no-referrer")
    .type("html")
    .send(docsPage(api, address));
}
