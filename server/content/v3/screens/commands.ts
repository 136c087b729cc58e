// Commands for one screen or many, with their results (V3-46, V3-82, V3-83, V3-122).

import type { Request, Response } from "express";
import * as z from "zod";
import { composeSentence } from "../../../contract/sentence-templates.ts";
import { serviceSentences } from "../../../contract/sentences/service-sentences.ts";
import {
  commandArguments,
  type CommandState,
} from "../../../contract/link/link.ts";
import {
  screenCommandsQueryV3,
  screenCommandsV3,
  screenCommandV3,
  type ScreenCommandStateV3,
  type ScreenCommandTotalsV3,
  type ScreenCommandV3,
} from "../../../contract/v3/v3-screens.ts";
import { fieldFailure } from "../../../core/failure.ts";
import type { Row } from "../../../platform/database/database.ts";
import type { Note } from "../../activity/activity.ts";
import { changesBetween } from "../../activity/changes.ts";
import { actorOf, teamOf } from "../../access/access.ts";
import { judged } from "../../http/json-body.ts";
import { sendJson, type Handler, type Methods } from "../../http/routes.ts";
import {
  orderCommands,
  resultsKeptMs,
  shownCommandState,
} from "../../link/screen-commands.ts";
import { joined, named, sql, statementOf, type Sql } from "../../sql.ts";
import { refuseScreensOutside } from "../../v4/write/label-limits.ts";
import { fieldsOf } from "../operation/fields.ts";
import {
  existingIds,
  groupLabels,
  refuseUnknown,
} from "../operation/references.ts";
import { limitsOf } from "../operation/limits.ts";
import { nameOfScreen } from "../operation/noted-bodies.ts";
import { notFound } from "../operation/responses.ts";
import { note, writing, type RunQuery, type V3 } from "../operation/v3.ts";

export interface ScreenCommandRoutes {
  readonly ofOne: Methods;
  readonly ofMany: Methods;
  readonly totals: Methods;
}

const maxListed = 500;

function noteOf(
  command: string,
  given: object,
  screenIds: readonly string[],
): Note {
  const [id = null] = screenIds.length === 1 ? screenIds : [];
  const changes = changesBetween(null, { command, ...given });
  return {
    ...{ kind: "screen", what: "commanded", id, name: nameOfScreen(id) },
    ...{ changes, count: screenIds.length },
  };
}

export function createScreenCommandRoutes(v3: V3): ScreenCommandRoutes {
  const { database, dialect, link } = v3;

  /** The screens are found in the transaction that inserts the commands. */
  async function order(
    response: Response,
    body: ScreenCommandV3,
    findScreens: (runQuery: RunQuery) => Promise<readonly string[]>,
  ): Promise<{
    readonly id: string;
    readonly commands: readonly ScreenCommandStateV3[];
  }> {
    const team = teamOf(response);
    const issuedBy = actorOf(response)?.name ?? "";
    const ordered = await writing(v3, async (runQuery) => {
      const screenIds = await findScreens(runQuery);
      const limits = limitsOf(v3, runQuery, response);
      await refuseScreensOutside(limits, screenIds);
      const createdAt = v3.now();
      const given = argumentsOf(body, createdAt);
      await refuseUnknownAsset(v3, runQuery, team, given);
      const id = v3.makeId();
      await orderCommands(runQuery, v3.makeId, {
        ...{ id, teamId: team, screenIds, kind: body.kind, issuedBy },
        ...{ arguments: given, createdAt },
        expiresAt: createdAt + body.expires_in * 1000,
      });
      if (screenIds.length > 0)
        await note(v3, runQuery, team, noteOf(body.kind, given, screenIds));
      const rows = await runQuery(
        sql`${commandRows(createdAt)} WHERE team_id = ${team} AND action_id = ${id} ORDER BY screen_id`,
      );
      return { id, commands: rows.map(commandFrom) };
    });
    link.changes.announceSoon();
    return ordered;
  }

  const orderForOne: Handler = async (request, response) => {
    const id = request.params["id"] ?? "";
    const team = teamOf(response);
    const isThere = async (runQuery: RunQuery): Promise<readonly string[]> => {
      const found = await existingIds(v3, runQuery, "screens", team, [id]);
      if (!found.has(id)) throw notFound();
      return [id];
    };
    // A missing screen is 404, whatever the body is.
    await isThere((of) => database.read(statementOf(of, dialect.kind)));
    const body = judged(screenCommandV3, fieldsOf(request));
    const { commands } = await order(response, body, isThere);
    sendJson(response, 201, commands[0]);
  };

  const orderForMany: Handler = async (request, response) => {
    const body = judged(screenCommandsV3, fieldsOf(request));
    const find = (runQuery: RunQuery) =>
      screensAmong(v3, runQuery, teamOf(response), body);
    sendJson(response, 201, await order(response, body, find));
  };

  /** What the query selects, of the last seven days. */
  function selected(request: Request, team: string, moment: number): Sql {
    const query = judged(screenCommandsQueryV3, { ...request.query });
    const columns = { action: "action_id", screen: "screen_id", id: "id" };
    const conditions = (["action", "screen", "id"] as const).map((name) => {
      const ids = query[name];
      return ids
        ? sql` AND ${dialect.keysOneOf(named(columns[name]), ids)}`
        : sql``;
    });
    const ofStates = query.state
      ? sql` AND ${dialect.keysOneOf(shownCommandState(moment), query.state)}`
      : sql``;
    return sql`WHERE team_id = ${team} AND created_at > ${moment - resultsKeptMs}${joined([...conditions, ofStates], "")}`;
  }

  const list: Handler = async (request, response) => {
    const moment = v3.now();
    const these = selected(request, teamOf(response), moment);
    const rows = await database.read(
      statementOf(
        sql`${commandRows(moment)} ${these} ORDER BY created_at DESC, id DESC LIMIT ${maxListed}`,
        dialect.kind,
      ),
    );
    sendJson(response, 200, rows.map(commandFrom));
  };

  const count: Handler = async (request, response) => {
    const moment = v3.now();
    const these = selected(request, teamOf(response), moment);
    const rows = await database.read(
      statementOf(
        sql`SELECT shown_state, count(*) AS commands FROM (${commandRows(moment)} ${these}) AS chosen GROUP BY shown_state`,
        dialect.kind,
      ),
    );
    const counts = new Map(
      rows.map((row) => [String(row["shown_state"]), Number(row["commands"])]),
    );
    const totals: ScreenCommandTotalsV3 = {
      waiting: counts.get("waiting") ?? 0,
      received: counts.get("received") ?? 0,
      done: counts.get("done") ?? 0,
      failed: counts.get("failed") ?? 0,
      expired: counts.get("expired") ?? 0,
    };
    sendJson(response, 200, totals);
  };

  return {
    ofOne: { POST: orderForOne },
    ofMany: { GET: list, POST: orderForMany },
    totals: { GET: count },
  };
}

/** Their arguments by kind; every other argument is rejected, so that none is lost by a typing mistake (L-41). */
function argumentsOf(
  { kind, arguments: given }: ScreenCommandV3,
  now: number,
): Readonly<Record<string, unknown>> {
  const schema: z.ZodObject | undefined = Object.hasOwn(commandArguments, kind)
    ? commandArguments[kind as keyof typeof commandArguments]
    : undefined;
  const known = Object.keys(schema?.shape ?? {});
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw fieldFailure(
      "arguments",
      known.length === 0
        ? `The command ${kind} has no arguments.`
        : `arguments must only have ${known.join(", ")}; got ${JSON.stringify(unknown.slice(0, 100))}`,
    );
  if (!schema) return {};
  const checked = judged(z.object({ arguments: schema }), { arguments: given });
  const { until } = checked.arguments as { readonly until?: string };
  if (until !== undefined && Date.parse(until) <= now)
    throw fieldFailure(
      "arguments.until",
      composeSentence(serviceSentences["command-until"], {
        value: JSON.stringify(until),
      }),
    );
  return checked.arguments;
}

async function refuseUnknownAsset(
  v3: V3,
  runQuery: RunQuery,
  team: string,
  given: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { asset_id: id } = given as { readonly asset_id?: string };
  if (id === undefined) return;
  const existing = await existingIds(v3, runQuery, "assets", team, [id]);
  if (!existing.has(id))
    throw fieldFailure(
      "arguments",
      composeSentence(serviceSentences["id-unknown"], {
        kind: "asset",
        id: JSON.stringify(id),
      }),
    );
}

/** Each screen once, in the order of their ids. */
async function screensAmong(
  v3: V3,
  runQuery: RunQuery,
  team: string,
  body: {
    readonly screens: readonly string[];
    readonly groups: readonly string[];
  },
): Promise<readonly string[]> {
  const { dialect } = v3;
  const { screens, groups } = body;
  refuseUnknown(
    "screens",
    screens,
    await existingIds(v3, runQuery, "screens", team, screens),
  );
  const labels = await groupLabels(v3, runQuery, team, groups);
  // A screen's own label is no group.
  const known = new Map(
    [...labels].filter(([, label]) => label.type !== "screen"),
  );
  refuseUnknown("groups", groups, known);
  const all = [...known.values()];
  const ofGroups = all.some(({ type }) => type === "all-screens")
    ? sql`TRUE`
    : sql`id IN (SELECT screen_id FROM label_screen WHERE team_id = ${team}
        AND ${dialect.keysOneOf(
          named("label_id"),
          all.map(({ id }) => id),
        )})`;
  const rows = await runQuery(
    sql`SELECT id FROM screens WHERE team_id = ${team}
      AND (${dialect.keysOneOf(named("id"), screens)} OR ${ofGroups}) ORDER BY id`,
  );
  if (rows.length === 0)
    throw fieldFailure("screens", serviceSentences["command-no-screen"]);
  return rows.map((row) => String(row["id"]));
}

function commandRows(moment: number): Sql {
  return sql`SELECT id, action_id, screen_id, kind, arguments, issued_by, created_at, expires_at,
    ${shownCommandState(moment)} AS shown_state, state_at, message FROM screen_commands`;
}

function commandFrom(row: Row): ScreenCommandStateV3 {
  const text = (name: string): string => String(row[name]);
  const moment = (name: string): string =>
    new Date(Number(row[name])).toISOString();
  const state = text("shown_state") as CommandState;
  return {
    ...{ id: text("id"), action_id: text("action_id") },
    ...{ screen_id: text("screen_id"), kind: text("kind") },
    arguments: JSON.parse(
      text("arguments"),
    ) as ScreenCommandStateV3["arguments"],
    issued_by: text("issued_by"),
    created_at: moment("created_at"),
    expires_at: moment("expires_at"),
    state,
    state_at: moment(state === "expired" ? "expires_at" : "state_at"),
    message: row["message"] === null ? null : text("message"),
  };
}
