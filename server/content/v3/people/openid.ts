// Signing in with an OpenID Connect provider: sends the browser there, and signs in the person who comes back (V3-207 to V3-209).

import type { Request, Response } from "express";
import type { OpenidAddressV3 } from "../../../contract/v3/v3-people.ts";
import {
  requireManagerHeader,
  sessionCookie,
  sessionSecretOf,
} from "../../access/session-cookie.ts";
import { sendJson, type Handler, type Methods } from "../../http/routes.ts";
import { Refusal } from "../../http/v4-errors.ts";
import { checksOf } from "../../people/openid/openid-checks.ts";
import type { Openid } from "../../people/openid/openid.ts";
import {
  OpenidError,
  type ProvedIdentity,
} from "../../people/openid/provider.ts";
import { flowMs } from "../../people/sign-in-flows.ts";
import type { PersonRow } from "../../people/tables.ts";
import { notFound } from "../operation/responses.ts";
import type { V3 } from "../operation/v3.ts";

export interface OpenidRoutes {
  /** Null: there is no provider. */
  readonly label: string | null;
  readonly begin: Methods;
  readonly callback: Methods;
}

/** Why nobody is signed in, for the sign-in page. */
type Reason =
  | OpenidError["reason"]
  | "expired"
  | "unverified"
  | "unknown"
  | "other-account";

export function createOpenidRoutes(
  v3: V3,
  baseOf: (request: Request) => string | null,
  /** Begins a session, and returns its cookie. */
  beginSession: (request: Request, person: PersonRow) => Promise<string>,
): OpenidRoutes {
  const { openid, signInFlows, sessions, log } = v3;

  /** The start of the service assures that it knows its address. */
  function configured(request: Request): {
    readonly openid: Openid;
    readonly base: string;
    readonly redirectUri: string;
  } {
    const base = baseOf(request);
    if (!openid || base === null) throw notFound();
    const redirectUri = `${base}/api/v3/sign-in/openid/callback`;
    return { openid, base, redirectUri };
  }

  const begin: Handler = async (request, response) => {
    requireManagerHeader(request);
    const { openid: there, redirectUri } = configured(request);
    const secret = await signInFlows.begin(request.ip ?? "");
    const shown: OpenidAddressV3 = {
      address: await there.provider
        .addressFor(checksOf(secret), redirectUri)
        .catch((error: unknown) => {
          throw error instanceof OpenidError ? unreachable(error) : error;
        }),
    };
    response.setHeader(
      "Set-Cookie",
      sessionCookie(request, secret, flowMs, "openid"),
    );
    sendJson(response, 200, shown);
  };

  function unreachable(error: OpenidError): Refusal {
    log.warn("access.provider-unreachable", { reason: error.message });
    return new Refusal(
      ...([502, "08006"] as const),
      `The sign-in provider ${openid?.label ?? ""} cannot be reached, or its response cannot be used. Try again later, or sign in with a password.`,
    );
  }

  /** What the provider proves; otherwise the reason for which it proves nothing. */
  async function provedBy(
    request: Request,
    { openid: there, redirectUri }: ReturnType<typeof configured>,
  ): Promise<ProvedIdentity | Reason> {
    const secret = sessionSecretOf(request, "openid");
    if (secret === null || !(await signInFlows.end(secret))) return "expired";
    const query = new URL(request.originalUrl, redirectUri).search;
    try {
      return await there.provider.identityOf(
        ...([query, checksOf(secret), redirectUri] as const),
      );
    } catch (error) {
      if (!(error instanceof OpenidError)) throw error;
      log.warn("access.provider-sign-in-failed", { reason: error.message });
      return error.reason;
    }
  }

  /** The person who is signed in, or why nobody is. */
  async function personOf(
    request: Request,
    there: ReturnType<typeof configured>,
  ): Promise<PersonRow | Reason> {
    const proved = await provedBy(request, there);
    if (typeof proved === "string") return proved;
    const { email } = proved;
    if (email === null) return "unverified";
    const result = await there.openid.people.signIn(
      { ...proved, email },
      there.openid.roleOf(proved),
    );
    if (result.kind === "in") return result.person;
    if (result.kind !== "disabled") return result.kind;
    await sessions.noteFailure(result.person, request.ip ?? "");
    // As one whom nobody has invited.
    return "unknown";
  }

  const callback: Handler = async (request, response: Response) => {
    const there = configured(request);
    const person = await personOf(request, there);
    const ended = sessionCookie(request, "", 0, "openid");
    // Never to an address that the request states.
    if (typeof person === "string") {
      log.warn("access.sign-in-failed", {
        ...{ address: request.ip ?? "", provider: person },
      });
      response
        .setHeader("Set-Cookie", ended)
        .redirect(303, `${there.base}/#sign-in-failed=${person}`);
      return;
    }
    const cookie = await beginSession(request, person);
    response
      .setHeader("Set-Cookie", [ended, cookie])
      .redirect(303, `${there.base}/`);
  };

  return {
    label: openid?.label ?? null,
    begin: { POST: begin },
    callback: { GET: callback },
  };
}
