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
    const { present, presentPiece } = addresses;
    response.write = rewriting(response, response.write as Write, (text) =>
      presentPiece(text, base, team),
    ) as Response["write"];
    response.end = rewriting(response, response.end as Write, (text) =>
      present(text, base, team),
    ) as Response["end"];
    next();
  };
}

type Write = (chunk?: unknown, ...others: unknown[]) => unknown;

function rewriting(
  response: Response,
  send: Write,
  rewrite: (text: string) => string,
): Write {
  return (chunk, ...others) =>
    send.call(
      response,
      typeof chunk === "string" ? rewrite(chunk) : chunk,
      ...others,
    );
}
