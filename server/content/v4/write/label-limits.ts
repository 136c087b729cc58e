// Refuses writes of a key or a person that is limited to labels, where they could affect a screen without one of these labels
// (V4-362 to V4-366). Each check runs in the transaction of the write, before it.

import { composeSentence } from "../../../contract/sentence-templates.ts";
import { serviceSentences } from "../../../contract/sentences/service-sentences.ts";
import { Failure } from "../../../core/failure.ts";
import type { Row } from "../../../platform/database/database.ts";
import type { Table } from "../../catalogue.ts";
import { named, sql, type Sql } from "../../sql.ts";
import type { NewRow } from "../plan/plan-write.ts";
import type { Dialect } from "../sql/dialect.ts";

export interface LabelLimits {
  readonly dialect: Dialect;
  readonly team: string;
  readonly runQuery: (of: Sql) => Promise<readonly Row[]>;
  readonly labelIds: readonly string[];
}

/** All checks pass without limits. Ids that do not exist pass, too: they are refused elsewhere. */
type Limits = LabelLimits | null;

function outsideLimits(what: string): Failure {
  return new Failure(
    "forbidden",
    composeSentence(serviceSentences["screens-outside"], { what }),
  );
}

/** Ids of the screens that have one of the labels. */
function screensInside({ dialect, team, labelIds }: LabelLimits): Sql {
  return sql`SELECT inside.screen_id FROM label_screen inside WHERE inside.team_id = ${team}
    AND ${dialect.keysOneOf(sql`inside.label_id`, labelIds)}`;
}

/** One of the labels, or the label of a single screen that has one of them; its id is that of the screen. */
function isLabelInside(limits: LabelLimits, labelId: Sql): Sql {
  return sql`(${limits.dialect.keysOneOf(labelId, limits.labelIds)} OR ${labelId} IN (${screensInside(limits)}))`;
}

function isPlaylistOutside(limits: LabelLimits, playlistId: Sql): Sql {
  const { team } = limits;
  return sql`(EXISTS (SELECT 1 FROM label_playlist link WHERE link.team_id = ${team}
      AND link.playlist_id = ${playlistId} AND NOT ${isLabelInside(limits, sql`link.label_id`)})
    OR EXISTS (SELECT 1 FROM shared_playlists share WHERE share.owner_team_id = ${team}
      AND share.playlist_id = ${playlistId}))`;
}

async function refuseFound(
  { runQuery }: LabelLimits,
  query: Sql,
  what: string,
): Promise<void> {
  const [found] = await runQuery(sql`${query} LIMIT 1`);
  if (found) throw outsideLimits(what);
}

export async function refuseScreensOutside(
  limits: Limits,
  ids: readonly string[],
): Promise<void> {
  if (limits === null || ids.length === 0) return;
  const { dialect, team } = limits;
  await refuseFound(
    limits,
    sql`SELECT id FROM screens WHERE team_id = ${team} AND ${dialect.keysOneOf(named("id"), ids)}
      AND id NOT IN (${screensInside(limits)})`,
    serviceSentences["outside-screen"],
  );
}

/** For what plays on the screens of these labels. */
async function refuseLabelsOutside(
  limits: Limits,
  ids: readonly string[],
): Promise<void> {
  if (limits === null || ids.length === 0) return;
  const { dialect, team } = limits;
  await refuseFound(
    limits,
    sql`SELECT id FROM labels WHERE team_id = ${team} AND ${dialect.keysOneOf(named("id"), ids)}
      AND NOT ${isLabelInside(limits, named("id"))}`,
    serviceSentences["outside-label"],
  );
}

/** For which screens have these labels. */
export function refuseOtherLabels(
  limits: Limits,
  ids: readonly string[],
): void {
  if (limits === null || ids.every((id) => limits.labelIds.includes(id)))
    return;
  throw outsideLimits(serviceSentences["outside-other-label"]);
}

export async function refusePlaylistsOutside(
  limits: Limits,
  ids: readonly string[],
): Promise<void> {
  if (limits === null || ids.length === 0) return;
  const { dialect, team } = limits;
  await refuseFound(
    limits,
    sql`SELECT id FROM playlists WHERE team_id = ${team} AND ${dialect.keysOneOf(named("id"), ids)}
      AND ${isPlaylistOutside(limits, sql`playlists.id`)}`,
    serviceSentences["outside-playlist"],
  );
}

/** Those in a playlist that plays elsewhere, by themselves or as pages of a PDF, and everything of edge apps. */
export async function refuseAssetsOutside(
  limits: Limits,
  ids: readonly string[],
): Promise<void> {
  if (limits === null || ids.length === 0) return;
  const { dialect, team } = limits;
  await refuseFound(
    limits,
    sql`SELECT a.id FROM assets a WHERE a.team_id = ${team} AND ${dialect.keysOneOf(sql`a.id`, ids)}
      AND (a.app_id IS NOT NULL OR a.app_installation_id IS NOT NULL
        OR EXISTS (SELECT 1 FROM playlist_items item WHERE item.team_id = ${team}
          AND (item.asset_id = a.id OR item.asset_id = a.pdf_asset_id OR item.asset_id IN (
            SELECT page.id FROM assets page WHERE page.team_id = ${team} AND page.pdf_asset_id = a.id))
          AND ${isPlaylistOutside(limits, sql`item.playlist_id`)}))`,
    serviceSentences["outside-asset"],
  );
}

/** A screen must have one of the labels also without these links, so that nobody gives a screen away, or takes one. */
async function refuseScreensOutsideWithout(
  limits: LabelLimits,
  screenIds: readonly string[],
  linkIds: readonly string[],
): Promise<void> {
  const { dialect, team } = limits;
  await refuseFound(
    limits,
    sql`SELECT id FROM screens WHERE team_id = ${team} AND ${dialect.keysOneOf(named("id"), screenIds)}
      AND id NOT IN (${screensInside(limits)} AND NOT ${dialect.keysOneOf(sql`inside.row_id`, linkIds)})`,
    serviceSentences["outside-last"],
  );
}

/** Before rows of a table of version 4 are inserted. */
export async function refuseNewRowsOutside(
  limits: Limits,
  { name }: Table,
  rows: readonly NewRow[],
): Promise<void> {
  if (limits === null) return;
  const idsIn = (column: string): readonly string[] => [
    ...new Set(
      rows.flatMap((row) => {
        const value = row.get(column);
        return value?.type === "text" ? [value.value] : [];
      }),
    ),
  ];
  if (name === "assets") {
    if (idsIn("app_id").length > 0)
      throw outsideLimits(serviceSentences["outside-apps"]);
  } else if (name === "playlist_items")
    await refusePlaylistsOutside(limits, idsIn("playlist_id"));
  else if (name === "label_playlist") {
    await refuseLabelsOutside(limits, idsIn("label_id"));
    await refusePlaylistsOutside(limits, idsIn("playlist_id"));
  } else if (name === "label_screen") {
    refuseOtherLabels(limits, idsIn("label_id"));
    await refuseScreensOutside(limits, idsIn("screen_id"));
  } else if (name !== "playlists" && name !== "asset_groups")
    throw outsideLimits(
      composeSentence(serviceSentences["outside-all"], { name }),
    );
}

/** Before rows of a table of version 4 are changed or deleted, by their keys. */
export async function refuseRowsOutside(
  limits: Limits,
  { name, key }: Table,
  keys: readonly string[],
): Promise<void> {
  if (limits === null || keys.length === 0) return;
  const idsIn = async (column: string): Promise<readonly string[]> => {
    const rows = await limits.runQuery(
      sql`SELECT DISTINCT ${named(column)} AS id FROM ${named(name)}
        WHERE team_id = ${limits.team} AND ${limits.dialect.keysOneOf(named(key), keys)}`,
    );
    return rows.map(({ id }) => String(id));
  };
  if (name === "assets") await refuseAssetsOutside(limits, keys);
  else if (name === "playlists") await refusePlaylistsOutside(limits, keys);
  else if (name === "screens") await refuseScreensOutside(limits, keys);
  else if (name === "playlist_items")
    await refusePlaylistsOutside(limits, await idsIn("playlist_id"));
  else if (name === "label_playlist") {
    await refuseLabelsOutside(limits, await idsIn("label_id"));
    await refusePlaylistsOutside(limits, await idsIn("playlist_id"));
  } else if (name === "label_screen") {
    refuseOtherLabels(limits, await idsIn("label_id"));
    await refuseScreensOutsideWithout(limits, await idsIn("screen_id"), keys);
  } else
    throw outsideLimits(
      composeSentence(serviceSentences["outside-all"], { name }),
    );
}
