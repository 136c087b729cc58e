// Sends an HTML page that loads nothing: its content security policy allows only its own inline style and script.

import type { Response } from "express";
import { createHash } from "node:crypto";

/** The page contains `style` and `script` unchanged. */
export function sendPage(
  response: Response,
  page: string,
  { style, script }: { readonly style: string; readonly script: string },
): void {
  const policy = [
    "default-src 'none'",
    `style-src ${hashed(style)}`,
    `script-src ${hashed(script)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  response
    .setHeader("Content-Security-Policy", policy)
    .setHeader("X-Content-Type-Options", "nosniff")
    .setHeader("Referrer-Policy", "no-referrer")
    .type("html")
    .send(page);
}

function hashed(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
