// Groups of screens: the labels that users create, and the built-in one of all screens (V3-20 to V3-24).

import type { Request, Response } from "express";
import { composeSentence } from "../../../contract/sentence-templates.ts";
import { serviceSentences } from "../../../contract/sentences/service-sentences.ts";
import {
  groupCreateV3,
  groupUpdateV3,
  type GroupUpdateV3,
} from "../../../contract/v3/v3.ts";
import { Failure } from "../../../core/failure.ts";
import type { Row } from "../../../platform/database/database.ts";
import { teamOf } from "../../access/access.ts";
import { judged } from "../../http/json-body.ts";
import type { Handler, Methods } from "../../http/routes.ts";
import { lockRows, lockScreenChanges } from "../../v4/write/locks.ts";
import { named, sql, trusted, type Sql } from "../../sql.ts";
import { meetCondition, sendTagged } from "../operation/conditional.ts";
import {
  noteOfAdded,
  noteOfRemoved,
  notesOfChange,
} from "../operation/noted-bodies.ts";
import { notFound, sendList, sendText } from "../operation/responses.ts";
import { changedFieldsOf, fieldsOf } from "../operation/fields.ts";
import {
  groupLabels,
  existingIds,
  refuseUnknown,
  type LabelRef,
} from "../operation/references.ts";
import {
  bodyIn,
  lockOf,
  note,
  reading,
  writing,
  type RunQuery,
  type V3,
} from "../operation/v3.ts";
import { groupRows } from "../operation/views.ts";

export interface Groups {
  readonly collection: Methods;
  readonly item: Methods;
}

export function createGroups(v3: V3): Groups {
  const { dialect } = v3;

  const bodyOf = async (runQuery: RunQuery, team: string, id: string) =>
    bodyIn(await runQuery(groupRows(dialect, team, sql`AND l.id = ${id}`)));

  const meet = (
    request: Request,
    runQuery: RunQuery,
    place: { readonly team: string; readonly id: string },
  ) =>
    meetCondition(
      ...([v3, runQuery, request, { ...place, table: "labels" }] as const),
      () => bodyOf(runQuery, place.team, place.id),
    );

  const list: Handler = (_request, response) =>
    sendList(
      v3,
      response,
      groupRows(
        dialect,
        teamOf(response),
        sql`AND l.type <> 'screen' ORDER BY l.type, l.id`,
      ),
      true,
    );

  const create: Handler = async (request, response) => {
    const team = teamOf(response);
    const { name, screens = [] } = judged(groupCreateV3, fieldsOf(request));
    const id = v3.makeId();
    const text = await writing(v3, async (runQuery) => {
      await runQuery(
        sql`INSERT INTO labels (id, team_id, type, name, human_name, created_at)
          VALUES (${id}, ${team}, 'manual', ${name}, ${name}, ${v3.now()})`,
      );
      await replaceScreens(v3, runQuery, { team, id }, screens);
      await note(v3, runQuery, team, noteOfAdded("group", id, name));
      return bodyOf(runQuery, team, id);
    });
    sendText(response, 201, text ?? "null");
  };

  const read: Handler = async (request, response) => {
    const { id } = await labelAt(request, response);
    const text = await bodyOf(reading(v3), teamOf(response), id);
    sendTagged(response, "labels", text);
  };

  /** The label for the id in the path; 404 when there is none. */
  async function labelAt(
    request: { readonly params: Readonly<Record<string, string>> },
    response: Response,
  ): Promise<LabelRef> {
    const id = request.params["id"] ?? "";
    const existing = await groupLabels(v3, reading(v3), teamOf(response), [id]);
    const label = existing.get(id);
    if (!label) throw notFound();
    return label;
  }

  const change: Handler = async (request, response) => {
    const label = await labelAt(request, response);
    const team = teamOf(response);
    const shown = await bodyOf(reading(v3), team, label.id);
    if (shown === null) throw notFound();
    const body = judged(groupUpdateV3, changedFieldsOf(request, shown));
    const text = await writing(v3, async (runQuery) => {
      const place = { team, id: label.id };
      const isManual = label.type === "manual";
      // Its screens are locked before itself (V4-273), which comparing it does as well.
      if (isManual) await lockGroup(v3, runQuery, place, body);
      await meet(request, runQuery, place);
      const was = await bodyOf(runQuery, team, label.id);
      if (isManual) await writeGroup(v3, runQuery, place, body);
      else await refuseBuiltIn(runQuery, team, label, body);
      const is = await bodyOf(runQuery, team, label.id);
      const notes = notesOfChange("group", label.id, was, is, body);
      await note(v3, runQuery, team, ...notes);
      return is;
    });
    sendTagged(response, "labels", text);
  };

  /** A built-in group may be sent back unchanged, and nothing else (V3-22). */
  async function refuseBuiltIn(
    runQuery: RunQuery,
    team: string,
    { id }: LabelRef,
    { name, screens }: GroupUpdateV3,
  ): Promise<void> {
    const text = await bodyOf(runQuery, team, id);
    const group = JSON.parse(text ?? "{}") as {
      readonly name: string;
      readonly screens: readonly { readonly id: string }[];
    };
    const ids = new Set(group.screens.map((screen) => screen.id));
    const isSame =
      (name ?? group.name) === group.name &&
      (screens === undefined ||
        (new Set(screens).size === ids.size &&
          screens.every((screen) => ids.has(screen))));
    if (!isSame) throw builtIn("changed");
  }

  const remove: Handler = async (request, response) => {
    const { id, type } = await labelAt(request, response);
    if (type !== "manual") throw builtIn("deleted");
    const place = { team: teamOf(response), id };
    await writing(v3, async (runQuery) => {
      await meet(request, runQuery, place);
      for (const { name } of await removeGroup(runQuery, place)) {
        const removed = noteOfRemoved("group", id, name);
        await note(v3, runQuery, place.team, removed);
      }
    });
    response.status(200).end();
  };

  return {
    collection: { GET: list, POST: create },
    item: { GET: read, PUT: change, PATCH: change, DELETE: remove },
  };
}

function builtIn(what: string): Failure {
  return new Failure(
    "invalid",
    composeSentence(serviceSentences["built-in-group"], { what }),
  );
}

/** Only for a label of type manual. Returns its name, if there was one. */
export function removeGroup(
  runQuery: RunQuery,
  { team, id }: { readonly team: string; readonly id: string },
): Promise<readonly Row[]> {
  return runQuery(
    sql`DELETE FROM labels WHERE team_id = ${team} AND id = ${id} RETURNING name`,
  );
}

/** With the screens that it has and those that it gets, which are locked before labels (V4-273). Throws 404 if it is gone. */
export async function lockGroup(
  v3: V3,
  runQuery: RunQuery,
  { team, id }: { readonly team: string; readonly id: string },
  { screens }: GroupUpdateV3,
): Promise<void> {
  const locking = { dialect: v3.dialect, team, runQuery };
  const areIts = (column: string): Sql =>
    sql`(${named(column)} IN (SELECT screen_id FROM label_screen WHERE team_id = ${team} AND label_id = ${id})
      OR ${v3.dialect.keysOneOf(named(column), screens ?? [])})`;
  if (screens !== undefined)
    await lockRows(locking, "screens", "keep", areIts("id"));
  const locked = await runQuery(
    sql`SELECT id FROM labels WHERE team_id = ${team} AND id = ${id}${trusted(lockOf(v3))}`,
  );
  if (locked.length === 0) throw notFound();
  // Nobody else changes its links by now.
  if (screens !== undefined)
    await lockScreenChanges(locking, areIts("screen_id"));
}

/** One that is locked, of type manual. */
export async function writeGroup(
  v3: V3,
  runQuery: RunQuery,
  place: { readonly team: string; readonly id: string },
  { name, screens }: GroupUpdateV3,
): Promise<void> {
  const { team, id } = place;
  if (name !== undefined)
    await runQuery(
      sql`UPDATE labels SET name = ${name}, human_name = ${name} WHERE team_id = ${team} AND id = ${id}`,
    );
  if (screens !== undefined) await replaceScreens(v3, runQuery, place, screens);
}

async function replaceScreens(
  v3: V3,
  runQuery: RunQuery,
  { team, id }: { readonly team: string; readonly id: string },
  screens: readonly string[],
): Promise<void> {
  const screenIds = [...new Set(screens)].sort();
  refuseUnknown(
    "screens",
    screenIds,
    await existingIds(v3, runQuery, "screens", team, screenIds),
  );
  await runQuery(
    sql`DELETE FROM label_screen WHERE team_id = ${team} AND label_id = ${id}
      AND NOT ${v3.dialect.keysOneOf(named("screen_id"), screenIds)}`,
  );
  for (const screen of screenIds)
    await runQuery(
      sql`INSERT INTO label_screen (row_id, team_id, label_id, screen_id, created_at)
        VALUES (${v3.makeId()}, ${team}, ${id}, ${screen}, ${v3.now()}) ON CONFLICT DO NOTHING`,
    );
}
