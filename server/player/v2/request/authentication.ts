// Authentication of requests: an access token as Bearer, or as the password of Basic (V2-60 to V2-63), or the session of a browser
// (V2-773).

import type { Request, RequestHandler, Response } from "express";
import { playerSentences } from "../../../contract/sentences/player-sentences.ts";
import { composeSentence } from "../../../contract/sentence-templates.ts";
import type { ActivityActor } from "../../../contract/v2/v2-logs.ts";
import { Failure } from "../../../core/failure.ts";
import type { Access } from "../../access-tokens.ts";
import type { Password } from "../../access/password.ts";
import type { PhoneCodes } from "../../access/phone-codes.ts";
import { isOfExtension } from "./cors.ts";
import { isLoopback } from "../../../platform/http/machine-addresses.ts";
import { isRead } from "../../../platform/http/request-log.ts";
import type { SettingsStore } from "../../settings.ts";
import type { Sessions } from "../../sign-in-sessions.ts";
import {
  maxInvalidTokens,
  type InvalidTokenLimit,
} from "./invalid-token-limit.ts";
import {
  isOfBrowserManager,
  isOfManager,
  sessionSecretOf,
} from "./session-cookie.ts";

export interface RequireAccessOptions {
  readonly access: Access;
  readonly password: Password;
  readonly phoneCodes: PhoneCodes;
  readonly settings: SettingsStore;
  /** Where the interface listens. */
  readonly apiHost: string;
  readonly sessions: Sessions;
  readonly invalidTokens: InvalidTokenLimit;
}

/** Whether requests need a token now (V2-60). */
export function isTokenDemanded({
  access,
  password,
  settings,
  apiHost,
}: Pick<
  RequireAccessOptions,
  "access" | "password" | "settings" | "apiHost"
>): boolean {
  return (
    !isLoopback(apiHost) ||
    (settings.all().apiTokenRequired &&
      (access.hasTokens() || password.id() !== null))
  );
}

export function requireAccess(options: RequireAccessOptions): RequestHandler {
  const { access, sessions, invalidTokens } = options;

  function tokenActor(id: string): Actor {
    return access.isOwn(id)
      ? { kind: "manager", name: "" }
      : { kind: "token", name: access.nameOf(id) };
  }

  /** Without a demand for a token, one that is sent says who it is all the same. */
  function freeActor(secret: string | null): Actor {
    const id = secret === null ? null : access.idFor(secret);
    return id === null ? { kind: "local", name: "" } : tokenActor(id);
  }

  return (request, response, next) => {
    if (isSignIn(request)) {
      next();
      return;
    }
    const isDemanded = (): boolean =>
      isTokenDemanded(options) || isOfExtension(request);
    const secret = secretFrom(request.headers.authorization);
    if (!isDemanded()) {
      letIn(response, () => !isDemanded(), {
        actor: () => freeActor(secret),
      });
      next();
      return;
    }
    const id = secret === null ? null : access.idFor(secret);
    if (id !== null) {
      letIn(response, () => access.has(id), {
        actor: () => tokenActor(id),
      });
      next();
      return;
    }
    const session = secret === null ? sessionOf(request, sessions) : null;
    if (session) {
      if (!isRead(request) && !isOfManager(request.headers))
        throw new Failure(
          "forbidden",
          "A request that changes something needs the header X-Vitrine-Manager beside the session cookie.",
        );
      access.noteUse(session.credentialId);
      const { isPhone, credentialId } = session;
      letIn(response, () => sessions.isOpen(session), {
        isPhone,
        actor: () => ({
          kind: isPhone ? "phone" : "browser",
          name: access.nameOf(credentialId),
        }),
      });
      next();
      return;
    }
    challenge(request, response);
    if (secret === null)
      throw new Failure("unauthorized", playerSentences["token-required"]);
    throw invalidToken(request, response, invalidTokens);
  };
}

/** Neither needs credentials: whether they are required, and giving them (V2-772). */
function isSignIn(request: Request): boolean {
  const { path, method } = request;
  return path === "/api/v2/session" && (isRead(request) || method === "POST");
}

function sessionOf(request: Request, sessions: Sessions) {
  const secret = sessionSecretOf(request);
  return secret === null ? null : sessions.find(secret);
}

function challenge(request: Request, response: Response): void {
  response.setHeader(
    "WWW-Authenticate",
    isOfBrowserManager(request) ? "Bearer" : 'Bearer, Basic realm="Vitrine"',
  );
}

/** Counts a wrong token or password of this address; returns the error, which beyond the limit says how long to wait (V2-62). */
export function invalidToken(
  request: Request,
  response: Response,
  invalidTokens: InvalidTokenLimit,
  message: string = playerSentences["token-invalid"],
): Failure {
  const { isLockedOut, secondsLeft } = invalidTokens.note(addressOf(request));
  if (!isLockedOut) return new Failure("unauthorized", message);
  response.removeHeader("WWW-Authenticate");
  response.setHeader("Retry-After", secondsLeft);
  return new Failure(
    "too-many",
    composeSentence(playerSentences["secrets-limit"], {
      limit: maxInvalidTokens,
      seconds: secondsLeft,
    }),
  );
}

export function addressOf({ socket }: Request): string {
  return socket.remoteAddress ?? "";
}

type Actor = Omit<ActivityActor, "address">;

interface Admission {
  readonly mayStay: () => boolean;
  readonly isPhone: boolean;
  /** Looked up for changes only. */
  readonly actor: () => Actor;
}

function letIn(
  response: Response,
  mayStay: () => boolean,
  { isPhone = false, actor }: Partial<Admission> & Pick<Admission, "actor">,
): void {
  const admission: Admission = { mayStay, isPhone, actor };
  (response.locals as { admission?: Admission }).admission = admission;
}

function admissionOf(response: Response): Admission | undefined {
  return (response.locals as { admission?: Admission }).admission;
}

/** Who sends this request, for the activity log (V2-792); null for one that is only about to sign in. */
export function actorOf(
  request: Request,
  response: Response,
): ActivityActor | null {
  const actor = admissionOf(response)?.actor();
  if (!actor) return null;
  const isManager = actor.kind === "manager";
  return { ...actor, address: isManager ? null : addressOf(request) };
}

/** For responses that outlive their request, such as event streams: whether the client is still authorised. */
export function mayStay(response: Response): boolean {
  return admissionOf(response)?.mayStay() ?? false;
}

/** Throws `forbidden` for a phone that signed in by the code on the screen, which anyone nearby can scan (V2-786). */
export function assertMayChangeAccess(response: Response): void {
  if (admissionOf(response)?.isPhone === true)
    throw new Failure("forbidden", playerSentences["phone-forbidden"]);
}

/** The token of `Bearer`, or the password of `Basic`; null when neither is present. */
function secretFrom(authorization: string | undefined): string | null {
  const [, scheme, credentials] =
    /^(bearer|basic) +(\S+) *$/i.exec(authorization ?? "") ?? [];
  if (scheme === undefined || credentials === undefined) return null;
  if (scheme.toLowerCase() === "bearer") return credentials;
  const text = Buffer.from(credentials, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon < 0 ? null : text.slice(colon + 1);
}
