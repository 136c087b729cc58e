// Sends a value as JSON, with the same headers as Express.

import type { Response } from "express";

/** Express looks up and parses the media type of every response anew, and checks for an ETag that is switched off. */
export function sendJson(
  response: Response,
  status: number,
  value: unknown,
): void {
  const json = JSON.stringify(value);
  response.statusCode = status;
  response.setHeader("Content-Type", "application/json; charset=utf-8");
  response.setHeader("Content-Length", Buffer.byteLength(json));
  response.end(json);
}
