// On the way out: every address of a file in an answer is made out for who asked, whatever interface wrote it (V4-230).

import type { RequestHandler, Response } from "express";
import { teamOf } from "./access.ts";
import type { Addresses } from "./addresses.ts";

/** Interfaces write whole rows at a time, so that no address is ever cut in two. */
export function presentAddresses(
  addresses: Addresses,
  publicUrl: string | undefined,
): RequestHandler {
  return (request, response, next) => {
    const base = (): string =>
      publicUrl ?? `${request.protocol}://${request.host}`;
    const team = teamOf(response);
    rewriteTexts(response, (text) => addresses.present(text, base, team));
    next();
  };
}

type Write = (chunk?: unknown, ...others: unknown[]) => unknown;

function rewriteTexts(
  response: Response,
  rewrite: (text: string) => string,
): void {
  const write = response.write.bind(response) as Write;
  const end = response.end.bind(response) as Write;
  const rewritten =
    (send: Write): Write =>
    (chunk, ...others) =>
      send(typeof chunk === "string" ? rewrite(chunk) : chunk, ...others);
  response.write = rewritten(write) as Response["write"];
  response.end = rewritten(end) as Response["end"];
}
