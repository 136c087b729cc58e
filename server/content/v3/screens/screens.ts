// Screens of version 3: list, claim by pin, change, delete (V3-40 to V3-45), and replace its
// player (V3-121).

import { hash } from "node:crypto";
import type { Request, Response } from "express";
import { serviceSentences } from "../../../contract/sentences/service-sentences.ts";
import {
  screenCreateV3,
  screenUpdateV3,
  type ScreenUpdateV3,
} from "../../../contract/v3/v3.ts";
import { screenReplaceV3 } from "../../../contract/v3/v3-screens.ts";
import { Failure, fieldFailure } from "../../../core/failure.ts";
import { actorOf, teamOf } from "../../access/access.ts";
import { judged } from "../../http/json-body.ts";
import type { Handler, Methods } from "../../http/routes.ts";
import { dialectFlag } from "../operation/stored-values.ts";
import {
  refuseOtherLabels,
  refuseScreensOutside,
} from "../../v4/write/label-limits.ts";
import { lockRows } from "../../v4/write/locks.ts";
import { joined, named, sql, trusted, type Sql } from "../../sql.ts";
import { meetCondition, sendTagged } from "../operation/conditional.ts";
import {
  notFound,
  sendFound,
  sendList,
  sendText,
} from "../operation/responses.ts";
import { changedFieldsOf, fieldsOf } from "../operation/fields.ts";
import { limitsOf } from "../operation/limits.ts";
import { noteOfRemoved, notesOfChange } from "../operation/noted-bodies.ts";
import { groupLabels, refuseUnknown } from "../operation/references.ts";
import {
  bodyIn,
  lockOf,
  note,
  reading,
  writing,
  type RunQuery,
  type V3,
} from "../operation/v3.ts";
import { screenRows } from "../operation/views.ts";
import { createPinGuesses } from "./pin-guesses.ts";

export interface Screens {
  readonly collection: Methods;
  readonly item: Methods;
  readonly replacement: Methods;
}

const detailed = { isDetailed: true };

export function createScreens(v3: V3): Screens {
  const { dialect, link } = v3;
  const guesses = createPinGuesses(v3);

  const list: Handler = (_request, response) =>
    sendList(
      v3,
      response,
      screenRows(dialect, teamOf(response), sql`ORDER BY s.id`, {
        isDetailed: false,
      }),
    );

  async function bodyOf(
    runQuery: RunQuery,
    team: string,
    id: string,
  ): Promise<string | null> {
    const one = sql`AND s.id = ${id}`;
    return bodyIn(await runQuery(screenRows(dialect, team, one, detailed)));
  }

  const claim: Handler = async (request, response) => {
    const team = teamOf(response);
    const { pin, name } = judged(screenCreateV3, fieldsOf(request));
    const guesser = guesserOf(response);
    await guesses.count(guesser);
    const requestedName = name?.trim() ? name : null;
    const claimed = await link.players.claim(pin, team, requestedName);
    if (claimed === null) throw wrongPin();
    await guesses.takeBack(guesser);
    const body = await bodyOf(reading(v3), team, claimed.screenId);
    sendText(response, 201, body ?? "null");
  };

  const replace: Handler = async (request, response) => {
    const id = request.params["id"] ?? "";
    const team = teamOf(response);
    // A missing screen is 404, whatever the body is.
    if ((await bodyOf(reading(v3), team, id)) === null) throw notFound();
    await refuseScreensOutside(limitsOf(v3, reading(v3), response), [id]);
    const { pin, replace_online } = judged(screenReplaceV3, fieldsOf(request));
    const guesser = guesserOf(response);
    await guesses.count(guesser);
    const screen = { id, team };
    const outcome = await link.players.replace(pin, screen, replace_online);
    if (outcome === "no-player") throw wrongPin();
    await guesses.takeBack(guesser);
    if (outcome === "no-screen") throw notFound();
    if (outcome === "online")
      throw new Failure("conflict", serviceSentences["screen-online"]);
    link.changes.announceSoon();
    sendFound(response, await bodyOf(reading(v3), team, id));
  };

  const meet = (
    request: Request,
    runQuery: RunQuery,
    place: { readonly team: string; readonly id: string },
  ) =>
    meetCondition(
      ...([v3, runQuery, request, { ...place, table: "screens" }] as const),
      () => bodyOf(runQuery, place.team, place.id),
    );

  const read: Handler = async (request, response) => {
    const id = request.params["id"] ?? "";
    const body = await bodyOf(reading(v3), teamOf(response), id);
    sendTagged(response, "screens", body);
  };

  const change: Handler = async (request, response) => {
    const id = request.params["id"] ?? "";
    const team = teamOf(response);
    const shown = await bodyOf(reading(v3), team, id);
    if (shown === null) throw notFound();
    const body = judged(screenUpdateV3, changedFieldsOf(request, shown));
    const text = await writing(v3, async (runQuery) => {
      await meet(request, runQuery, { team, id });
      const limits = limitsOf(v3, runQuery, response);
      await refuseScreensOutside(limits, [id]);
      const before = limits && (await groupsOf(runQuery, { team, id }));
      await lockScreen(v3, runQuery, { team, id });
      const was = await bodyOf(runQuery, team, id);
      await writeScreen(v3, runQuery, { team, id }, body);
      if (before) {
        const after = await groupsOf(runQuery, { team, id });
        refuseOtherLabels(limits, differing(before, after));
        await refuseScreensOutside(limits, [id]);
      }
      const is = await bodyOf(runQuery, team, id);
      const notes = notesOfChange("screen", id, was, is, body);
      await note(v3, runQuery, team, ...notes);
      return is;
    });
    sendTagged(response, "screens", text);
  };

  const remove: Handler = async (request, response) => {
    const id = request.params["id"] ?? "";
    const place = { team: teamOf(response), id };
    await writing(v3, async (runQuery) => {
      await meet(request, runQuery, place);
      await refuseScreensOutside(limitsOf(v3, runQuery, response), [id]);
      const name = await removeScreen(runQuery, place);
      const removed = noteOfRemoved("screen", id, name);
      await note(v3, runQuery, place.team, removed);
    });
    response.status(200).end();
  };

  return {
    collection: { GET: list, POST: claim },
    item: { GET: read, PUT: change, PATCH: change, DELETE: remove },
    replacement: { POST: replace },
  };
}

/** With its own label; returns its name. Throws 404 for a screen that the team doesn't have. */
export async function removeScreen(
  runQuery: RunQuery,
  { team, id }: { readonly team: string; readonly id: string },
): Promise<unknown> {
  const [gone] = await runQuery(
    sql`DELETE FROM screens WHERE team_id = ${team} AND id = ${id} RETURNING name`,
  );
  if (!gone) throw notFound();
  await runQuery(
    sql`DELETE FROM labels WHERE team_id = ${team} AND id = ${id} AND type = 'screen'`,
  );
  return gone["name"];
}

/** Throws 404 for a screen that the team doesn't have. */
export async function lockScreen(
  v3: V3,
  runQuery: RunQuery,
  { team, id }: { readonly team: string; readonly id: string },
): Promise<void> {
  const locked = await runQuery(
    sql`SELECT id FROM screens WHERE team_id = ${team} AND id = ${id}${trusted(lockOf(v3))}`,
  );
  if (locked.length === 0) throw notFound();
}

/** One that is locked. */
export async function writeScreen(
  v3: V3,
  runQuery: RunQuery,
  { team, id }: { readonly team: string; readonly id: string },
  body: ScreenUpdateV3,
): Promise<void> {
  const { dialect } = v3;
  const sets: Sql[] = [];
  const set = (name: string, value: Sql): void => {
    sets.push(sql`${named(name)} = ${value}`);
  };
  for (const name of ["name", "location", "timezone"] as const)
    if (body[name] !== undefined) set(name, sql`${body[name]}`);
  for (const name of ["coords", "config"] as const)
    if (body[name] !== undefined) set(name, sql`${JSON.stringify(body[name])}`);
  if (body.is_enabled !== undefined)
    set("is_enabled", dialectFlag(dialect, body.is_enabled));
  if (sets.length > 0)
    await runQuery(
      sql`UPDATE screens SET ${joined(sets, ", ")} WHERE team_id = ${team} AND id = ${id}`,
    );
  // Its own label carries its name.
  if (body.name !== undefined)
    await runQuery(
      sql`UPDATE labels SET name = ${body.name}, human_name = ${body.name}
        WHERE team_id = ${team} AND id = ${id} AND type = 'screen'`,
    );
  if (body.groups !== undefined)
    await replaceGroups(v3, runQuery, { team, id }, body.groups);
}

/** All Screens and its own label always stay (V3-44). */
async function replaceGroups(
  v3: V3,
  runQuery: RunQuery,
  { team, id }: { readonly team: string; readonly id: string },
  groups: readonly string[],
): Promise<void> {
  const { dialect } = v3;
  const existing = await groupLabels(v3, runQuery, team, groups);
  refuseUnknown("groups", groups, existing);
  const others = [...existing.values()].filter(
    (label) => label.type === "screen" && label.id !== id,
  );
  if (others.length > 0)
    throw fieldFailure("groups", serviceSentences["other-label"]);
  const labelIds = [...existing.values()]
    .filter(({ type }) => type === "manual")
    .map((label) => label.id)
    .sort();
  const locked = await lockRows(
    { dialect, team, runQuery },
    "labels",
    "own",
    sql`type = 'manual' AND (id IN (SELECT label_id FROM label_screen WHERE team_id = ${team} AND screen_id = ${id})
      OR ${dialect.keysOneOf(named("id"), labelIds)})`,
  );
  // A label that somebody else has added meanwhile is not locked here, and stays as if it had been added afterwards (V4-273).
  const areOurs =
    locked === null
      ? sql`label_id IN (SELECT id FROM labels WHERE team_id = ${team} AND type = 'manual')`
      : dialect.keysOneOf(named("label_id"), locked);
  await runQuery(
    sql`DELETE FROM label_screen WHERE team_id = ${team} AND screen_id = ${id}
      AND NOT ${dialect.keysOneOf(named("label_id"), labelIds)} AND ${areOurs}`,
  );
  for (const label of labelIds)
    await runQuery(
      sql`INSERT INTO label_screen (row_id, team_id, label_id, screen_id, created_at)
        VALUES (${v3.makeId()}, ${team}, ${label}, ${id}, ${v3.now()}) ON CONFLICT DO NOTHING`,
    );
}

/** The labels that people gave this screen. */
async function groupsOf(
  runQuery: RunQuery,
  { team, id }: { readonly team: string; readonly id: string },
): Promise<readonly string[]> {
  const rows = await runQuery(
    sql`SELECT k.label_id FROM label_screen k JOIN labels l ON l.id = k.label_id
      WHERE k.team_id = ${team} AND k.screen_id = ${id} AND l.type = 'manual'`,
  );
  return rows.map((row) => String(row["label_id"]));
}

function differing(
  before: readonly string[],
  after: readonly string[],
): readonly string[] {
  return [
    ...before.filter((id) => !after.includes(id)),
    ...after.filter((id) => !before.includes(id)),
  ];
}

function wrongPin(): Failure {
  return fieldFailure("pin", serviceSentences["pin-unknown"]);
}

function guesserOf(response: Response): string {
  const { kind, id } = actorOf(response) ?? { kind: "", id: "" };
  return hash("sha256", `${kind} ${id}`, "hex");
}
