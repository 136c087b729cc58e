// The account of the person who is signed in: name, password, second factor and sessions (V3-164 to V3-166).

import { fieldSentences } from "../../../contract/sentences/field-sentences.ts";
import { sentenceFor } from "../../../contract/field-error.ts";
import {
  accountUpdateV3,
  codeV3,
  passwordConfirmedV3,
  type RecoveryCodesV3,
  type SecondFactorV3,
  type SessionV3,
} from "../../../contract/v3/v3-people.ts";
import { fieldFailure } from "../../../core/failure.ts";
import { sessionIdOf } from "../../access/access.ts";
import { sessionCookie } from "../../access/session-cookie.ts";
import { judged } from "../../http/json-body.ts";
import { sendJson, type Handler, type Methods } from "../../http/routes.ts";
import { fieldsOf } from "../operation/fields.ts";
import { notFound } from "../operation/responses.ts";
import type { V3 } from "../operation/v3.ts";
import { confirmPassword, ownPerson } from "./own-person.ts";
import { shownPerson, textOfMoment } from "./shown-person.ts";

export interface AccountRoutes {
  readonly account: Methods;
  readonly secondFactor: Methods;
  readonly sessions: Methods;
  readonly session: Methods;
}

export function createAccountRoutes(v3: V3): AccountRoutes {
  const { people, sessions, signInLimit, log } = v3;

  const read: Handler = async (_request, response) =>
    sendJson(
      response,
      200,
      await shownPerson(v3, await ownPerson(v3, response)),
    );

  const change: Handler = async (request, response) => {
    const person = await ownPerson(v3, response);
    const body = judged(accountUpdateV3, fieldsOf(request));
    const { name, password, current_password: current = "" } = body;
    if (password !== undefined) {
      await confirmPassword(v3, request, person, "current_password", current);
      const session = sessionIdOf(response) ?? "";
      await people.setPassword(person.id, password, session);
      sessions.forget();
      log.info("access.password-changed", { person: person.id });
    }
    if (name !== undefined)
      await people.change(person.team_id, person.id, { name });
    await read(request, response);
  };

  const beginFactor: Handler = async (request, response) => {
    const person = await ownPerson(v3, response);
    const { password } = judged(passwordConfirmedV3, fieldsOf(request));
    await confirmPassword(v3, request, person, "password", password);
    const begun: SecondFactorV3 = await people.beginSecondFactor(person);
    response.setHeader("Cache-Control", "no-store");
    sendJson(response, 201, begun);
  };

  const confirmFactor: Handler = async (request, response) => {
    const person = await ownPerson(v3, response);
    const { code } = judged(codeV3, fieldsOf(request));
    const codes = await signInLimit.run(request.ip ?? "", person.email, () =>
      people.confirmSecondFactor(person, code),
    );
    if (codes === null)
      throw fieldFailure("code", sentenceFor("code", fieldSentences.wrong));
    log.info("access.second-factor-set", { person: person.id });
    const shown: RecoveryCodesV3 = { recovery_codes: [...codes] };
    response.setHeader("Cache-Control", "no-store");
    sendJson(response, 200, shown);
  };

  const removeFactor: Handler = async (request, response) => {
    const person = await ownPerson(v3, response);
    const { password } = judged(passwordConfirmedV3, fieldsOf(request));
    await confirmPassword(v3, request, person, "password", password);
    await people.removeSecondFactor(person.id);
    log.info("access.second-factor-removed", { person: person.id });
    response.status(200).end();
  };

  const listSessions: Handler = async (_request, response) => {
    const { id } = await ownPerson(v3, response);
    const all = await sessions.list(id);
    const shown = all.map((session): SessionV3 => ({
      ...{ id: session.id, agent: session.agent },
      is_current: session.id === sessionIdOf(response),
      created_at: textOfMoment(session.createdAt),
      used_at: textOfMoment(session.usedAt),
    }));
    sendJson(response, 200, shown);
  };

  const endAll: Handler = async (request, response) => {
    const { id } = await ownPerson(v3, response);
    await sessions.endAll(id);
    log.info("access.signed-out-everywhere", { person: id });
    response
      .status(200)
      .setHeader("Set-Cookie", sessionCookie(request, "", 0))
      .end();
  };

  const endOne: Handler = async (request, response) => {
    const { id } = await ownPerson(v3, response);
    if (!(await sessions.end(id, request.params["id"] ?? ""))) throw notFound();
    response.status(200).end();
  };

  return {
    account: { GET: read, PATCH: change },
    secondFactor: {
      POST: beginFactor,
      PUT: confirmFactor,
      DELETE: removeFactor,
    },
    sessions: { GET: listSessions, DELETE: endAll },
    session: { DELETE: endOne },
  };
}
