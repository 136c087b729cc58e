// Credentials at the threshold: a key decides the team before anything else is looked at (V4-204, V4-205).

import type { RequestHandler, Response } from "express";
import { Failure } from "../core/failure.ts";
import { createAttempts } from "../platform/attempts.ts";
import type { Log } from "../platform/log.ts";
import type { Keys } from "./keys.ts";
import { isCredential } from "./link/pins.ts";

export interface RequireKeyOptions {
  readonly keys: Keys;
  /** The team of a claimed player, by its credential (L-15). */
  readonly teamOfPlayer: (credential: string) => Promise<string | null>;
  readonly monotonic: () => number;
  readonly log: Log;
}

/** Enough for a hand that mistypes and a script that is being written. */
const mostWrong = 50;

export function requireKey(options: RequireKeyOptions): RequestHandler {
  const { keys, monotonic, log } = options;
  const attempts = createAttempts(monotonic);

  function refuse(address: string, response: Response): Failure {
    const { count, secondsLeft } = attempts.note(address);
    // Two lines for a siege, not one for each arrow.
    if (count === 1 || count === mostWrong + 1)
      log.warn("access.refused", { address, count });
    if (count <= mostWrong)
      return new Failure("unauthorized", "This API key is not valid.");
    response.removeHeader("WWW-Authenticate");
    response.setHeader("Retry-After", secondsLeft);
    return new Failure(
      "too-many",
      `More than ${mostWrong} wrong keys came from this address; it is heard again in ${secondsLeft} seconds.`,
    );
  }

  return async (request, response, next) => {
    const secret = secretFrom(request.headers.authorization);
    const isPlayer = secret !== null && isCredential(secret);
    const team =
      secret === null
        ? null
        : await (isPlayer ? options.teamOfPlayer(secret) : keys.teamOf(secret));
    if (team !== null) {
      if (isPlayer && request.method !== "GET" && request.method !== "HEAD")
        throw new Failure("forbidden", "A screen reads; it changes nothing.");
      setTeam(response, team);
      next();
      return;
    }
    response.setHeader("WWW-Authenticate", 'Token realm="Vitrine"');
    throw secret === null
      ? new Failure(
          "unauthorized",
          "This needs an API key: Authorization: Token KEY.",
        )
      : refuse(request.ip ?? "", response);
  };
}

export function setTeam(response: Response, team: string): void {
  (response.locals as { team?: string }).team = team;
}

/** The team whose key was shown; only behind `requireKey`. */
export function teamOf(response: Response): string {
  const { team } = response.locals as { team?: string };
  if (team === undefined) throw new Error("nobody was let in");
  return team;
}

/** The key behind `Token` or `Bearer`, in any case, or alone; null when there is none. */
export function secretFrom(authorization: string | undefined): string | null {
  const words = (authorization ?? "").trim().split(/ +/);
  if (words.length === 2 && /^(token|bearer)$/i.test(words[0] ?? ""))
    return words[1] ?? null;
  return words.length === 1 && words[0] ? words[0] : null;
}
