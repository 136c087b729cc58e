// The interface's own description: as OpenAPI for programs, and as a page for people that needs nothing from elsewhere.

import type { RequestHandler } from "express";
import { createHash } from "node:crypto";
import { openApiV2 } from "../../contract/v2-openapi.ts";
import { documentationPage } from "./docs-page.ts";
import { copyScript, pageStyle } from "./docs-style.ts";

export function sendDescription(): RequestHandler {
  let text: string | undefined;
  return (_request, response) => {
    text ??= JSON.stringify(openApiV2());
    response.type("json").send(text);
  };
}

/** Nothing runs and nothing is loaded but what stands in the page itself (V2-92). */
const policy = [
  "default-src 'none'",
  `style-src ${hashed(pageStyle)}`,
  `script-src ${hashed(copyScript)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

export function sendDocumentation(): RequestHandler {
  return (request, response) => {
    // Checked before: it is a name of this player.
    const address = `http://${request.headers.host}`;
    response
      .setHeader("Content-Security-Policy", policy)
      .setHeader("X-Content-Type-Options", "nosniff")
      .setHeader("Referrer-Policy", "no-referrer")
      .type("html")
      .send(documentationPage(openApiV2(), address));
  };
}

function hashed(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
