// Passkeys of the person who is signed in, and signing in with one (V3-211 to V3-214).

import type { Request, Response } from "express";
import { fieldSentences } from "../../../contract/sentences/field-sentences.ts";
import { serviceSentences } from "../../../contract/sentences/service-sentences.ts";
import { sentenceFor } from "../../../contract/field-error.ts";
import {
  passkeyAdditionV3,
  passkeyAssertionV3,
  type PasskeyOptionsV3,
  type PasskeyV3,
} from "../../../contract/v3/v3-passkeys.ts";
import { passwordConfirmedV3 } from "../../../contract/v3/v3-people.ts";
import { Failure, fieldFailure } from "../../../core/failure.ts";
import {
  requireManagerHeader,
  sessionCookie,
  sessionSecretOf,
} from "../../access/session-cookie.ts";
import { judged } from "../../http/json-body.ts";
import { sendJson, type Handler, type Methods } from "../../http/routes.ts";
import {
  passkeySite,
  type PasskeySite,
} from "../../people/passkeys/passkey-site.ts";
import type { ShownPasskey } from "../../people/passkeys/passkeys.ts";
import { flowMs } from "../../people/sign-in-flows.ts";
import type { PersonRow } from "../../people/tables.ts";
import { fieldsOf } from "../operation/fields.ts";
import { notFound } from "../operation/responses.ts";
import type { V3 } from "../operation/v3.ts";
import { confirmPassword, ownPerson } from "./own-person.ts";
import { textOfMoment } from "./shown-person.ts";

/** The service's own address; null if it has none that can be trusted. */
type BaseOf = (request: Request) => string | null;

function siteOf(request: Request, baseOf: BaseOf): PasskeySite {
  const site = passkeySite(baseOf(request));
  if (!site)
    throw new Failure("conflict", serviceSentences["passkeys-address"]);
  return site;
}

/** What the browser has begun is over with this, whatever comes of it; null: nothing was begun. */
async function endFlow(
  { signInFlows }: V3,
  request: Request,
): Promise<string | null> {
  const secret = sessionSecretOf(request, "passkey");
  return secret !== null && (await signInFlows.end(secret)) ? secret : null;
}

export interface AccountPasskeyRoutes {
  readonly collection: Methods;
  readonly options: Methods;
  readonly item: Methods;
}

export function createAccountPasskeyRoutes(
  v3: V3,
  baseOf: BaseOf,
): AccountPasskeyRoutes {
  const { passkeys, signInFlows, log } = v3;

  const list: Handler = async (_request, response) => {
    const { id } = await ownPerson(v3, response);
    sendJson(response, 200, (await passkeys.list(id)).map(shownPasskey));
  };

  const options: Handler = async (request, response) => {
    const person = await ownPerson(v3, response);
    const { password } = judged(passwordConfirmedV3, fieldsOf(request));
    const site = siteOf(request, baseOf);
    await confirmPassword(v3, request, person, "password", password);
    const secret = await signInFlows.begin(null);
    const shown = {
      options: await passkeys.optionsToAdd(person, site, secret),
    } as PasskeyOptionsV3;
    response
      .setHeader("Cache-Control", "no-store")
      .setHeader(
        "Set-Cookie",
        sessionCookie(request, secret, flowMs, "passkey"),
      );
    sendJson(response, 201, shown);
  };

  const add: Handler = async (request, response) => {
    const person = await ownPerson(v3, response);
    const addition = judged(passkeyAdditionV3, fieldsOf(request));
    const site = siteOf(request, baseOf);
    const secret = await endFlow(v3, request);
    const added =
      secret === null
        ? null
        : await passkeys.add(person, site, secret, addition);
    if (!added)
      throw fieldFailure(
        "credential",
        sentenceFor("credential", fieldSentences["passkey-wrong"]),
      );
    log.info("access.passkey-added", { person: person.id });
    response.setHeader("Set-Cookie", sessionCookie(request, "", 0, "passkey"));
    sendJson(response, 201, shownPasskey(added));
  };

  const remove: Handler = async (request, response) => {
    const person = await ownPerson(v3, response);
    if (!(await passkeys.remove(person, request.params["id"] ?? "")))
      throw notFound();
    log.info("access.passkey-removed", { person: person.id });
    response.status(200).end();
  };

  return {
    collection: { GET: list, POST: add },
    options: { POST: options },
    item: { DELETE: remove },
  };
}

export interface PasskeySignInRoutes {
  /** Whether browsers can make and use passkeys for the address of this request. */
  readonly arePossible: (request: Request) => boolean;
  readonly options: Methods;
  readonly signIn: Methods;
}

export function createPasskeySignInRoutes(
  v3: V3,
  baseOf: BaseOf,
  /** Begins a session, and answers with the person. */
  begin: (
    request: Request,
    response: Response,
    person: PersonRow,
  ) => Promise<void>,
): PasskeySignInRoutes {
  const { passkeys, signInFlows, sessions, log } = v3;

  const options: Handler = async (request, response) => {
    requireManagerHeader(request);
    const site = siteOf(request, baseOf);
    const secret = await signInFlows.begin(request.ip ?? "");
    const shown = {
      options: await passkeys.optionsToSignIn(site, secret),
    } as PasskeyOptionsV3;
    response.setHeader(
      "Set-Cookie",
      sessionCookie(request, secret, flowMs, "passkey"),
    );
    sendJson(response, 200, shown);
  };

  const signIn: Handler = async (request, response) => {
    requireManagerHeader(request);
    const assertion = judged(passkeyAssertionV3, fieldsOf(request));
    const site = siteOf(request, baseOf);
    const address = request.ip ?? "";
    const secret = await endFlow(v3, request);
    const result =
      secret === null ? null : await passkeys.signIn(site, secret, assertion);
    if (result?.kind === "in") return begin(request, response, result.person);
    log.warn("access.sign-in-failed", { address, passkey: true });
    if (result?.kind === "refused")
      await sessions.noteFailure(result.person, address);
    // The same for an unknown passkey, a wrong one, one of a person who is disabled, and one that comes too late.
    throw new Failure("unauthorized", serviceSentences["passkey-refused"]);
  };

  return {
    arePossible: (request) => passkeySite(baseOf(request)) !== null,
    options: { POST: options },
    signIn: { POST: signIn },
  };
}

function shownPasskey({
  id,
  name,
  createdAt,
  usedAt,
}: ShownPasskey): PasskeyV3 {
  return {
    ...{ id, name, created_at: textOfMoment(createdAt) },
    used_at: usedAt === null ? null : textOfMoment(usedAt),
  };
}
