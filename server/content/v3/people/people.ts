// People of the team, for administrators: change, disable, delete, a link for a new password (V3-163, V3-167).

import {
  personResetV3,
  personUpdateV3,
  type InvitedV3,
} from "../../../contract/v3/v3-people.ts";
import { teamOf } from "../../access/access.ts";
import { labelIdsFrom } from "../../access/limit-labels.ts";
import { judged } from "../../http/json-body.ts";
import { sendJson, type Handler, type Methods } from "../../http/routes.ts";
import type { Access } from "../../people/people.ts";
import type { PersonRow } from "../../people/tables.ts";
import { fieldsOf } from "../operation/fields.ts";
import { notFound } from "../operation/responses.ts";
import type { V3 } from "../operation/v3.ts";
import { assertCanSend, sendLink } from "./send-link.ts";
import { shownPeople, shownPerson } from "./shown-person.ts";

export interface PeopleRoutes {
  readonly collection: Methods;
  readonly item: Methods;
  readonly reset: Methods;
}

export function createPeopleRoutes(
  v3: V3,
  linkOf: (request: Parameters<Handler>[0], secret: string) => string,
): PeopleRoutes {
  const { people, sessions, log } = v3;

  async function personOf(team: string, id: string): Promise<PersonRow> {
    const person = await people.find(id);
    if (person?.team_id !== team) throw notFound();
    return person;
  }

  const list: Handler = async (_request, response) => {
    const team = teamOf(response);
    const shown = await shownPeople(v3, team, await people.list(team));
    sendJson(response, 200, shown);
  };

  const read: Handler = async (request, response) => {
    const id = request.params["id"] ?? "";
    const person = await personOf(teamOf(response), id);
    sendJson(response, 200, await shownPerson(v3, person));
  };

  const change: Handler = async (request, response) => {
    const id = request.params["id"] ?? "";
    const team = teamOf(response);
    const before = await personOf(team, id);
    const body = judged(personUpdateV3, fieldsOf(request));
    const { name, role, labels, is_disabled: isDisabled } = body;
    const access: Access = {
      role: role ?? before.role,
      labels: labels === undefined ? labelIdsFrom(before.label_ids) : labels,
    };
    const isOfAccess = role !== undefined || labels !== undefined;
    await people.change(team, id, {
      ...{ name, isDisabled, access: isOfAccess ? access : undefined },
    });
    sessions.forget();
    log.info("access.person-changed", { person: id });
    await read(request, response);
  };

  const remove: Handler = async (request, response) => {
    const id = request.params["id"] ?? "";
    await people.remove(teamOf(response), id);
    sessions.forget();
    log.info("access.person-removed", { person: id });
    response.status(200).end();
  };

  const reset: Handler = async (request, response) => {
    const id = request.params["id"] ?? "";
    const person = await personOf(teamOf(response), id);
    const body = judged(personResetV3, fieldsOf(request));
    const { send_email: isSending } = body;
    assertCanSend(v3, isSending);
    const invited = await people.reset(person);
    sessions.forget();
    log.info("access.person-reset", { person: id });
    const link = linkOf(request, invited.secret);
    const shown: InvitedV3 = {
      ...{ id: invited.id, link },
      ...(await sendLink(v3, isSending, invited, link, {
        ...{ to: person.email, kind: "reset" },
      })),
    };
    response.setHeader("Cache-Control", "no-store");
    sendJson(response, 201, shown);
  };

  return {
    collection: { GET: list },
    item: { GET: read, PATCH: change, DELETE: remove },
    reset: { POST: reset },
  };
}
