// Signing in and out of version 3, and accepting an invitation: the operations that need no credentials (V3-143, V3-160 to V3-162,
// V3-203, V3-213).

import express, {
  type Request,
  type RequestHandler,
  type Response,
} from "express";
import { serviceSentences } from "../../../contract/sentences/service-sentences.ts";
import type { OpenRouteV3 } from "../../../contract/v3/operations/v3-operations.ts";
import {
  acceptInvitationV3,
  previewInvitationV3,
  signInV3,
  type InvitationPreviewV3,
  type SignedInV3,
  type SignInMethodsV3,
} from "../../../contract/v3/v3-people.ts";
import { Failure } from "../../../core/failure.ts";
import type { Admission } from "../../access/admission.ts";
import {
  requireManagerHeader,
  sessionCookie,
  sessionSecretOf,
} from "../../access/session-cookie.ts";
import { inRow } from "../../http/middleware-chain.ts";
import { judged } from "../../http/json-body.ts";
import {
  createPathMatcher,
  handleRoutes,
  sendJson,
  type Handler,
  type Methods,
} from "../../http/routes.ts";
import { emailFrom } from "../../people/people.ts";
import type { PersonRow } from "../../people/tables.ts";
import { maxSessionMs } from "../../people/sessions.ts";
import { fieldsOf } from "../operation/fields.ts";
import type { V3 } from "../operation/v3.ts";
import { createOpenidRoutes } from "./openid.ts";
import { createPasskeySignInRoutes } from "./passkeys.ts";
import { createPasswordLinkRoutes } from "./password-links.ts";
import { shownPerson } from "./shown-person.ts";

const maxBodyBytes = 16 * 1024;

/** `baseOf`: the address of the service for links that nobody who is signed in requests; null if it has none that can be trusted. */
export function createSignInRouter(
  v3: V3,
  baseOf: (request: Request) => string | null,
): RequestHandler {
  const { people, sessions, signInLimit, log } = v3;

  async function admissionOf(request: Request): Promise<Admission | null> {
    const secret = sessionSecretOf(request);
    return secret === null ? null : await sessions.admissionOf(secret);
  }

  async function endSessionOf(request: Request): Promise<void> {
    const admission = await admissionOf(request);
    if (admission?.actor)
      await sessions.end(admission.actor.id, admission.sessionId ?? "");
  }

  /** Returns the cookie. */
  async function beginSession(
    request: Request,
    person: PersonRow,
  ): Promise<string> {
    const agent = request.headers["user-agent"] ?? "";
    const secret = await sessions.begin(person.id, agent);
    // The browser replaces its cookie, so nobody could end it any more.
    await endSessionOf(request);
    log.info("access.signed-in", { person: person.id });
    return sessionCookie(request, secret, maxSessionMs);
  }

  async function begin(
    request: Request,
    response: Response,
    person: PersonRow,
  ): Promise<void> {
    response.setHeader("Set-Cookie", await beginSession(request, person));
    const shown: SignedInV3 = { person: await shownPerson(v3, person) };
    sendJson(response, 200, shown);
  }

  async function noteFailure(email: string, address: string): Promise<void> {
    const person = await people.findByEmail(email);
    if (person) await sessions.noteFailure(person, address);
  }

  const read: Handler = async (request, response) => {
    const admission = await admissionOf(request);
    const person = admission?.actor && (await people.find(admission.actor.id));
    const shown: SignedInV3 = {
      person: person ? await shownPerson(v3, person) : null,
    };
    sendJson(response, 200, shown);
  };

  const signIn: Handler = async (request, response) => {
    requireManagerHeader(request);
    const { email, password, code } = judged(signInV3, fieldsOf(request));
    const address = request.ip ?? "";
    const result = await signInLimit.run(address, emailFrom(email), () =>
      people.signIn(email, password, code.trim()),
    );
    if (result === null) {
      log.warn("access.sign-in-failed", { address });
      // Not awaited: how long it takes would say whether the account exists.
      void noteFailure(email, address).catch((error: unknown) =>
        log.warn("access.sign-in-not-noted", { error }),
      );
      // The same for an unknown account, a wrong password, a wrong code and a person who is disabled.
      throw new Failure("unauthorized", serviceSentences["sign-in-wrong"]);
    }
    if (result !== "code-required") return begin(request, response, result);
    sendJson(response, 401, {
      detail: serviceSentences["code-required"],
      code_required: true,
    });
  };

  const signOut: Handler = async (request, response) => {
    requireManagerHeader(request);
    await endSessionOf(request);
    response
      .status(200)
      .setHeader("Set-Cookie", sessionCookie(request, "", 0))
      .end();
  };

  const accept: Handler = async (request, response) => {
    requireManagerHeader(request);
    const body = judged(acceptInvitationV3, fieldsOf(request));
    const { secret, password, name, email } = body;
    const address = request.ip ?? "";
    const person = await signInLimit.run(address, "", () =>
      people.accept({ secret, password, name, email }),
    );
    if (person) await begin(request, response, person);
  };

  const preview: Handler = async (request, response) => {
    requireManagerHeader(request);
    const { secret } = judged(previewInvitationV3, fieldsOf(request));
    const shown: InvitationPreviewV3 = await people.preview(secret);
    sendJson(response, 200, shown);
  };

  const passwordLinks = createPasswordLinkRoutes(v3, baseOf);
  const passkeys = createPasskeySignInRoutes(v3, baseOf, begin);
  const openid = createOpenidRoutes(v3, baseOf, beginSession);
  const methods: Handler = (request, response) => {
    const shown: SignInMethodsV3 = {
      can_send_password_links: passwordLinks.canSend(request),
      passkeys: passkeys.arePossible(request),
      openid: openid.label === null ? null : { label: openid.label },
    };
    sendJson(response, 200, shown);
  };
  const routes: Readonly<Record<OpenRouteV3, Methods>> = {
    "/sign-in": { GET: read, POST: signIn, DELETE: signOut },
    "/sign-in/methods": { GET: methods },
    "/sign-in/openid": openid.begin,
    "/sign-in/openid/callback": openid.callback,
    "/sign-in/passkey": passkeys.signIn,
    "/sign-in/passkey/options": passkeys.options,
    "/password-links": passwordLinks.collection,
    "/password-links/preview": passwordLinks.preview,
    "/password-links/use": passwordLinks.use,
    "/invitations/preview": { POST: preview },
    "/invitations/accept": { POST: accept },
  };
  const answer = inRow(
    express.raw({ type: () => true, limit: maxBodyBytes }),
    (_request, response, next) => {
      response.setHeader("Cache-Control", "no-store");
      next();
    },
    handleRoutes("/v3", routes),
  );
  const pathOf = createPathMatcher("/v3", Object.keys(routes));
  return (request, response, next) => {
    if (pathOf(request.path) !== null) void answer(request, response, next);
    else next();
  };
}
