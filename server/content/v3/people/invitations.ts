// Invitations of people, for administrators: list, create, withdraw (V3-168).

import { composeSentence } from "../../../contract/sentence-templates.ts";
import { serviceSentences } from "../../../contract/sentences/service-sentences.ts";
import {
  invitationCreateV3,
  type InvitationV3,
  type InvitedV3,
} from "../../../contract/v3/v3-people.ts";
import { Failure } from "../../../core/failure.ts";
import { teamOf } from "../../access/access.ts";
import { labelIdsFrom } from "../../access/limit-labels.ts";
import { judged } from "../../http/json-body.ts";
import { sendJson, type Handler, type Methods } from "../../http/routes.ts";
import { limitLabelsOf } from "../access/limit-labels.ts";
import { fieldsOf } from "../operation/fields.ts";
import { notFound } from "../operation/responses.ts";
import type { V3 } from "../operation/v3.ts";
import { assertCanSend, sendLink } from "./send-link.ts";
import { textOfMoment } from "./shown-person.ts";

export interface InvitationRoutes {
  readonly collection: Methods;
  readonly item: Methods;
}

const maxInvitations = 100;
const maxPeople = 1000;

export function createInvitationRoutes(
  v3: V3,
  linkOf: (request: Parameters<Handler>[0], secret: string) => string,
): InvitationRoutes {
  const { people, log } = v3;

  const list: Handler = async (_request, response) => {
    const team = teamOf(response);
    const rows = (await people.invitations(team)).map((row) => ({
      ...row,
      labelIds: labelIdsFrom(row.label_ids),
    }));
    const labelsOf = await limitLabelsOf(v3, team, rows);
    const shown = rows.map((row): InvitationV3 => ({
      ...{ id: row.id, email: row.email, role: row.role },
      ...{ labels: labelsOf(row.labelIds), person_id: row.person_id },
      created_at: textOfMoment(row.created_at),
      expires_at: textOfMoment(row.expires_at),
    }));
    sendJson(response, 200, shown);
  };

  const create: Handler = async (request, response) => {
    const team = teamOf(response);
    const body = judged(invitationCreateV3, fieldsOf(request));
    if ((await people.invitations(team)).length >= maxInvitations)
      throw new Failure(
        "conflict",
        composeSentence(serviceSentences["team-limit"], {
          limit: maxInvitations,
          kind: "invitations",
        }),
      );
    if ((await people.list(team)).length >= maxPeople)
      throw new Failure(
        "conflict",
        composeSentence(serviceSentences["team-limit"], {
          limit: maxPeople,
          kind: "people",
        }),
      );
    const { email, role, labels = null, send_email: isSending } = body;
    assertCanSend(v3, isSending);
    const invited = await people.invite(team, { email, role, labels });
    log.info("access.person-invited", { invitation: invited.id, role });
    const link = linkOf(request, invited.secret);
    const shown: InvitedV3 = {
      ...{ id: invited.id, link },
      ...(await sendLink(v3, isSending, invited, link, {
        ...{ to: email, kind: "invitation" },
      })),
    };
    response.setHeader("Cache-Control", "no-store");
    sendJson(response, 201, shown);
  };

  const withdraw: Handler = async (request, response) => {
    const id = request.params["id"] ?? "";
    if (!(await people.withdraw(teamOf(response), id))) throw notFound();
    response.status(200).end();
  };

  return {
    collection: { GET: list, POST: create },
    item: { DELETE: withdraw },
  };
}
