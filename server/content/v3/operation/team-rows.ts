// What the operations on a small table of a team have in common: list, read and delete its rows, and limit their number.

import type { Kysely } from "kysely";
import { composeSentence } from "../../../contract/sentence-templates.ts";
import { serviceSentences } from "../../../contract/sentences/service-sentences.ts";
import type { ActivityKindV3 } from "../../../contract/v3/v3-activity.ts";
import { Failure } from "../../../core/failure.ts";
import { teamOf } from "../../access/access.ts";
import { sendJson, type Handler } from "../../http/routes.ts";
import type { ContentTables } from "../../tables.ts";
import { noteOfRemoved } from "./noted-bodies.ts";
import { notFound } from "./responses.ts";
import { noteIn, type V3 } from "./v3.ts";

/** `shown` returns all rows of the team, or the one with this id, as version 3 shows them. */
export function rowReaders<Row>(
  shown: (team: string, id?: string) => Promise<readonly Row[]>,
) {
  const shownOne = async (team: string, id: string): Promise<Row> => {
    const [row] = await shown(team, id);
    if (row === undefined) throw notFound();
    return row;
  };
  const list: Handler = async (_request, response) =>
    sendJson(response, 200, await shown(teamOf(response)));
  const read: Handler = async (request, response) => {
    const id = request.params["id"] ?? "";
    sendJson(response, 200, await shownOne(teamOf(response), id));
  };
  return { shownOne, list, read };
}

export function rowRemover(
  v3: V3,
  table: "alert_rules" | "assertions",
  kind: ActivityKindV3,
): Handler {
  return async (request, response) => {
    const team = teamOf(response);
    const id = request.params["id"] ?? "";
    await v3.database.transaction(async (transaction) => {
      const gone = await transaction
        .deleteFrom(table)
        .where("team_id", "=", team)
        .where("id", "=", id)
        .returning("name")
        .executeTakeFirst();
      if (!gone) throw notFound();
      const removed = noteOfRemoved(kind, id, gone.name);
      await noteIn(v3, transaction, team, removed);
    });
    response.status(200).end();
  };
}

/** `name` is that of the rows, in the plural. */
export async function refuseMoreRows(
  transaction: Kysely<ContentTables>,
  table: "alert_rules" | "assertions",
  team: string,
  most: number,
  name: string,
): Promise<void> {
  const { count } = await transaction
    .selectFrom(table)
    .select((eb) => eb.fn.countAll().as("count"))
    .where("team_id", "=", team)
    .executeTakeFirstOrThrow();
  if (Number(count) >= most)
    throw new Failure(
      "conflict",
      composeSentence(serviceSentences["team-limit"], {
        limit: most,
        kind: name,
      }),
    );
}
