// Authenticates requests: an API key determines team and role before anything else in the request is read (V4-204, V4-205,
// V4-360).

import type { Request, RequestHandler, Response } from "express";
import { composeSentence } from "../../contract/sentence-templates.ts";
import { serviceSentences } from "../../contract/sentences/service-sentences.ts";
import { Failure } from "../../core/failure.ts";
import type { Role } from "../../core/role.ts";
import { createAttempts } from "../../platform/failed-sign-ins.ts";
import type { Log } from "../../platform/log.ts";
import type { Actor, Admission, PlayersScreen } from "./admission.ts";
import type { Keys } from "./keys.ts";
import { requireManagerHeader, sessionSecretOf } from "./session-cookie.ts";
import { isCredential } from "../../contract/link/link.ts";

export interface RequireKeyOptions {
  readonly keys: Pick<Keys, "admissionOf">;
  /** The screen of a claimed player, by the player's credential (L-15). */
  readonly screenOfPlayer: (
    credential: string,
  ) => Promise<PlayersScreen | null>;
  /** What a session in a browser admits to (V4-371). */
  readonly sessions: {
    admissionOf(secret: string): Admission | null | Promise<Admission | null>;
  };
  readonly monotonic: () => number;
  readonly log: Log;
}

/** Enough for typing mistakes and for a script under development. */
const maxWrong = 50;

export function requireKey(options: RequireKeyOptions): RequestHandler {
  const { keys, sessions, monotonic, log } = options;
  const attempts = createAttempts(monotonic);

  function refuse(address: string, response: Response): Failure {
    const { count, secondsLeft } = attempts.note(address);
    // A brute-force attack writes two log lines, not one per attempt.
    if (count === 1 || count === maxWrong + 1)
      log.warn("access.denied", { address, count });
    if (count <= maxWrong)
      return new Failure("unauthorized", serviceSentences["key-invalid"]);
    response.removeHeader("WWW-Authenticate");
    response.setHeader("Retry-After", secondsLeft);
    return new Failure(
      "too-many",
      composeSentence(serviceSentences["keys-limit-wrong"], {
        limit: maxWrong,
        seconds: secondsLeft,
      }),
    );
  }

  function letIn(
    admission: Admission | null,
    secret: string | null,
    request: Request,
    response: Response,
  ): void {
    if (admission !== null) {
      const isRead = request.method === "GET" || request.method === "HEAD";
      if (!isRead && admission.actor?.kind === "player")
        throw new Failure("forbidden", serviceSentences["read-only"]);
      if (admission.sessionId !== undefined) requireManagerHeader(request);
      admit(response, admission);
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

  async function admissionOfPlayer(secret: string): Promise<Admission | null> {
    const screen = await options.screenOfPlayer(secret);
    if (!screen) return null;
    const { id, name, teamId } = screen;
    const actor = { kind: "player", id, name } as const;
    return { team: teamId, role: "viewer", labelIds: null, actor };
  }

  const admissionBehind = (secret: string) =>
    isCredential(secret) ? admissionOfPlayer(secret) : keys.admissionOf(secret);

  function admissionOfSession(request: Request) {
    const secret = sessionSecretOf(request);
    return secret === null ? null : sessions.admissionOf(secret);
  }

  return (request, response, next) => {
    const secret = secretFrom(request.headers.authorization);
    const admission =
      secret === null ? admissionOfSession(request) : admissionBehind(secret);
    // A key seen a moment ago is in memory and needs no promise.
    if (!(admission instanceof Promise)) {
      letIn(admission, secret, request, response);
      next();
      return;
    }
    return admission.then((found) => {
      letIn(found, secret, request, response);
      next();
    });
  };
}

interface Locals {
  /** Also set where an interface is served alone, as in tests. */
  team?: string;
  admission?: Admission;
}

/** From now on the request is one of this team, in this role. */
export function admit(response: Response, admission: Admission): void {
  const locals = response.locals as Locals;
  locals.team = admission.team;
  locals.admission = admission;
}

/** The team whose key was presented; only behind `requireKey`. */
export function teamOf(response: Response): string {
  const { team } = response.locals as Locals;
  if (team === undefined) throw new Error("nobody was let in");
  return team;
}

/** Only behind `requireKey`. */
export function roleOf(response: Response): Role {
  const { admission } = response.locals as Locals;
  if (admission === undefined) throw new Error("nobody was let in");
  return admission.role;
}

/** Who sent the request; null before that is known, and for a request that nobody can be named for. */
export function actorOf(response: Response): Actor | null {
  return (response.locals as Locals).admission?.actor ?? null;
}

/** The session of a person who signed in; null for everyone else. */
export function sessionIdOf(response: Response): string | null {
  return (response.locals as Locals).admission?.sessionId ?? null;
}

/** The labels that writes of this request are limited to; null: no limit (V4-362). */
export function limitedTo(response: Response): readonly string[] | null {
  return (response.locals as Locals).admission?.labelIds ?? null;
}

/** The key after `Token` or `Bearer`, in any case, or on its own; null when there is none. */
export function secretFrom(authorization: string | undefined): string | null {
  const words = (authorization ?? "").trim().split(/ +/);
  if (words.length === 2 && /^(token|bearer)$/i.test(words[0] ?? ""))
    return words[1] ?? null;
  return words.length === 1 && words[0] ? words[0] : null;
}
