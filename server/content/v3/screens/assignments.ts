// Gives labels and playlists to many screens at once, or takes them away: completely or not at all (V3-124).

import { composeSentence } from "../../../contract/sentence-templates.ts";
import { serviceSentences } from "../../../contract/sentences/service-sentences.ts";
import {
  screenAssignmentsV3,
  type ScreenAssignmentsV3,
} from "../../../contract/v3/v3-screens.ts";
import { fieldFailure } from "../../../core/failure.ts";
import type { Note } from "../../activity/activity.ts";
import { shownField } from "../../activity/changes.ts";
import { teamOf } from "../../access/access.ts";
import { judged } from "../../http/json-body.ts";
import { sendJson, type Methods } from "../../http/routes.ts";
import { joined, named, sql, type Sql } from "../../sql.ts";
import {
  refuseOtherLabels,
  refusePlaylistsOutside,
  refuseScreensOutside,
} from "../../v4/write/label-limits.ts";
import { lockRows, lockScreenChanges } from "../../v4/write/locks.ts";
import { fieldsOf } from "../operation/fields.ts";
import { limitsOf } from "../operation/limits.ts";
import { nameOfScreen } from "../operation/noted-bodies.ts";
import { existingIds, refuseUnknown } from "../operation/references.ts";
import { note, writing, type RunQuery, type V3 } from "../operation/v3.ts";

/** Rows of one statement. */
const rowsAtOnce = 500;

export function createScreenAssignments(v3: V3): Methods {
  return {
    POST: async (request, response) => {
      const body = judged(screenAssignmentsV3, fieldsOf(request));
      const team = teamOf(response);
      await writing(v3, async (runQuery) => {
        const limits = limitsOf(v3, runQuery, response);
        const groups = [...body.add_groups, ...body.remove_groups];
        const playlists = [...body.add_playlists, ...body.remove_playlists];
        refuseOtherLabels(limits, groups);
        await refuseScreensOutside(limits, body.screens);
        await refusePlaylistsOutside(limits, playlists);
        await assignToScreens(v3, runQuery, team, body);
        // None of them may be given away.
        await refuseScreensOutside(limits, body.screens);
        await note(v3, runQuery, team, noteOf(body));
      });
      sendJson(response, 200, { screens: body.screens.length });
    },
  };
}

function noteOf({ screens, ...given }: ScreenAssignmentsV3): Note {
  const ids = [...new Set(screens)];
  const [id = null] = ids.length === 1 ? ids : [];
  const changes = Object.entries(given)
    .filter(([, list]) => list.length > 0)
    .map(([field, list]) => {
      const shown = shownField(field, list.join(", "));
      return field.startsWith("add")
        ? { field, before: null, after: shown }
        : { field, before: shown, after: null };
    });
  return {
    ...{ kind: "screen", what: "changed", id, count: ids.length },
    ...{ name: nameOfScreen(id), changes },
  };
}

export async function assignToScreens(
  v3: V3,
  runQuery: RunQuery,
  team: string,
  body: ScreenAssignmentsV3,
): Promise<void> {
  const { dialect } = v3;
  const screens = [...new Set(body.screens)].sort();
  const { add_groups: added, remove_groups: removed } = body;
  const playlists = [...body.add_playlists, ...body.remove_playlists];
  const oneOf = (column: string, ids: readonly string[]): Sql =>
    dialect.keysOneOf(named(column), ids);
  const locking = { dialect, team, runQuery };
  await lockRows(locking, "screens", "keep", oneOf("id", screens));
  await lockRows(locking, "playlists", "own", oneOf("id", playlists));
  const labels = [...added, ...removed];
  await lockRows(locking, "labels", "own", oneOf("id", labels));
  await lockScreenChanges(locking, oneOf("screen_id", screens));
  refuseUnknown(
    "screens",
    screens,
    await existingIds(v3, runQuery, "screens", team, screens),
  );
  const isManual = sql`type = 'manual' AND ${oneOf("id", labels)}`;
  const groups = await idsOf(runQuery, "labels", team, isManual);
  for (const field of ["add_groups", "remove_groups"] as const)
    refuseOthers(field, body[field], groups);
  const known = await idsOf(
    ...([runQuery, "playlists", team, oneOf("id", playlists)] as const),
  );
  for (const field of ["add_playlists", "remove_playlists"] as const)
    refuseOthers(field, body[field], known);

  await runQuery(
    sql`DELETE FROM label_screen WHERE team_id = ${team} AND ${oneOf("label_id", removed)} AND ${oneOf("screen_id", screens)}`,
  );
  // A playlist plays on single screens by their own labels (V3-24).
  await runQuery(
    sql`DELETE FROM label_playlist WHERE team_id = ${team} AND ${oneOf("playlist_id", body.remove_playlists)}
      AND ${oneOf("label_id", screens)}`,
  );
  const insert = async (
    table: "label_screen" | "label_playlist",
    column: "screen_id" | "playlist_id",
    links: readonly (readonly [label: string, other: string])[],
  ): Promise<void> => {
    for (let from = 0; from < links.length; from += rowsAtOnce) {
      const rows = links
        .slice(from, from + rowsAtOnce)
        .map(
          ([label, other]) =>
            sql`(${v3.makeId()}, ${team}, ${label}, ${other}, ${v3.now()})`,
        );
      await runQuery(
        sql`INSERT INTO ${named(table)} (row_id, team_id, label_id, ${named(column)}, created_at)
          VALUES ${joined(rows, ", ")} ON CONFLICT DO NOTHING`,
      );
    }
  };
  await insert("label_screen", "screen_id", pairs(added, screens));
  await insert(
    "label_playlist",
    "playlist_id",
    pairs(screens, body.add_playlists),
  );
}

async function idsOf(
  runQuery: RunQuery,
  table: "labels" | "playlists",
  team: string,
  areMeant: Sql,
): Promise<ReadonlySet<string>> {
  const rows = await runQuery(
    sql`SELECT id FROM ${named(table)} WHERE team_id = ${team} AND ${areMeant}`,
  );
  return new Set(rows.map((row) => String(row["id"])));
}

function refuseOthers(
  field: string,
  ids: readonly string[],
  existing: ReadonlySet<string>,
): void {
  const other = ids.find((id) => !existing.has(id));
  if (other === undefined) return;
  const id = JSON.stringify(other.slice(0, 100));
  throw fieldFailure(
    field,
    field.endsWith("groups")
      ? composeSentence(serviceSentences["group-unknown"], { id })
      : composeSentence(serviceSentences["id-unknown"], {
          kind: "playlist",
          id,
        }),
  );
}

function pairs<A, B>(
  ones: readonly A[],
  others: readonly B[],
): readonly (readonly [A, B])[] {
  return ones.flatMap((one) => others.map((other) => [one, other] as const));
}
