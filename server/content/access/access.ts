// Authenticates requests: an API key determines the team before anything else in the request is read (V4-204, V4-205).

import type { Request, RequestHandler, Response } from "express";
import { Failure } from "../../core/failure.ts";
import { createAttempts } from "../../platform/failed-sign-ins.ts";
import type { Log } from "../../platform/log.ts";
import type { Keys } from "./keys.ts";
import { isCredential } from "../../contract/link/link.ts";

export interface RequireKeyOptions {
  readonly keys: Keys;
  /** The team of a claimed player, by the player's credential (L-15). */
  readonly teamOfPlayer: (credential: string) => Promise<string | null>;
  readonly monotonic: () => number;
  readonly log: Log;
}

/** Enough for typing mistakes and for a script under development. */
const maxWrong = 50;

export function requireKey(options: RequireKeyOptions): RequestHandler {
  const { keys, monotonic, log } = options;
  const attempts = createAttempts(monotonic);

  function refuse(address: string, response: Response): Failure {
    const { count, secondsLeft } = attempts.note(address);
    // A brute-force attack writes two log lines, not one per attempt.
    if (count === 1 || count === maxWrong + 1)
      log.warn("access.denied", { address, count });
    if (count <= maxWrong)
      return new Failure("unauthorized", "This API key is not valid.");
    response.removeHeader("WWW-Authenticate");
    response.setHeader("Retry-After", secondsLeft);
    return new Failure(
      "too-many",
      `This address sent more than ${maxWrong} invalid API keys. Try again in ${secondsLeft} seconds.`,
    );
  }

  function letIn(
    team: string | null,
    secret: string | null,
    request: Request,
    response: Response,
  ): void {
    if (team !== null) {
      const isRead = request.method === "GET" || request.method === "HEAD";
      if (!isRead && secret !== null && isCredential(secret))
        throw new Failure("forbidden", "A screen has read access only.");
      setTeam(response, team);
      return;
    }
    response.setHeader("WWW-Authenticate", 'Token realm="Vitrine"');
    throw secret === null
      ? new Failure(
          "unauthorized",
          "An API key is required: Authorization: Token KEY.",
        )
      : refuse(request.ip ?? "", response);
  }

  const teamBehind = (secret: string) =>
    isCredential(secret) ? options.teamOfPlayer(secret) : keys.teamOf(secret);

  return (request, response, next) => {
    const secret = secretFrom(request.headers.authorization);
    const team = secret === null ? null : teamBehind(secret);
    // A key seen a moment ago is in memory and needs no promise.
    if (team === null || typeof team === "string") {
      letIn(team, secret, request, response);
      next();
      return;
    }
    return team.then((found) => {
      letIn(found, secret, request, response);
      next();
    });
  };
}

export function setTeam(response: Response, team: string): void {
  (response.locals as { team?: string }).team = team;
}

/** The team whose key was presented; only behind `requireKey`. */
export function teamOf(response: Response): string {
  const { team } = response.locals as { team?: string };
  if (team === undefined) throw new Error("nobody was let in");
  return team;
}

/** The key after `Token` or `Bearer`, in any case, or on its own; null when there is none. */
export function secretFrom(authorization: string | undefined): string | null {
  const words = (authorization ?? "").trim().split(/ +/);
  if (words.length === 2 && /^(token|bearer)$/i.test(words[0] ?? ""))
    return words[1] ?? null;
  return words.length === 1 && words[0] ? words[0] : null;
}
