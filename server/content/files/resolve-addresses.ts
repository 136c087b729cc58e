// Resolves every file address in an answer for the requesting team, whatever interface wrote it (V4-230).

import type { Request, RequestHandler, Response } from "express";
import { teamOf } from "../access/access.ts";
import type { Addresses } from "./signed-addresses.ts";

/** Interfaces write whole rows at a time, so no address is ever split. */
export function presentAddresses(
  addresses: Addresses,
  publicUrl: string | undefined,
): RequestHandler {
  return (request, response, next) => {
    const base = (): string => baseOf(request, publicUrl);
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

/** The address of this service as the client reaches it. */
export function baseOf(
  { protocol, host }: Pick<Request, "protocol" | "host">,
  publicUrl: string | undefined,
): string {
  return publicUrl ?? `${protocol}://${host}`;
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
