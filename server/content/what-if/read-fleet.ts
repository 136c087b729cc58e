// Reads what the screens of a team show from the database, as their players would receive it (V3-101).

import { composeSentence } from "../../contract/sentence-templates.ts";
import { serviceSentences } from "../../contract/sentences/service-sentences.ts";
import { defaultDurationSeconds } from "../../core/asset-limits.ts";
import { setImmediate as otherWork } from "node:timers/promises";
import { Failure } from "../../core/failure.ts";
import type { Playlist, PlaylistItem } from "../../core/playlist.ts";
import type {
  FleetAsset,
  FleetContent,
  ScreenTraits,
} from "../../core/what-if/fleet.ts";
import type {
  DatabaseKind,
  Row,
  Run,
} from "../../platform/database/database.ts";
import { sql, statementOf, type Sql } from "../sql.ts";
import {
  hiddenPdfs,
  isPlayable,
  isTrue,
  receivedItem,
  receivedPlaylist,
} from "../store/received-content.ts";

export interface FleetScreen extends ScreenTraits {
  readonly id: string;
  readonly name: string;
}

export interface Fleet {
  readonly content: FleetContent;
  /** By id. */
  readonly screens: ReadonlyMap<string, FleetScreen>;
}

/** In a transaction on SQLite, rows are read on this thread: a batch must not delay other requests noticeably. */
const rowsAtOnce = 2000;
/** More than these are not simulated (V3-103). */
const maxRows = {
  screens: 100_000,
  label_screen: 1_000_000,
  playlists: 10_000,
  label_playlist: 200_000,
  playlist_items: 200_000,
} as const;

export async function readFleet(
  run: Run,
  kind: DatabaseKind,
  team: string,
): Promise<Fleet> {
  const query = (of: Sql): Promise<readonly Row[]> =>
    run(statementOf(of, kind));

  /** All rows in the order of two keys. */
  async function allOf(
    table: keyof typeof maxRows,
    keys: readonly [string, string],
    page: (last: readonly [string, string]) => Sql,
    act: (row: Row) => void,
  ): Promise<void> {
    let last: readonly [string, string] = ["", ""];
    for (let count = 0; ;) {
      const rows = await query(page(last));
      for (const row of rows) act(row);
      count += rows.length;
      if (count > maxRows[table])
        throw new Failure(
          "too-large",
          composeSentence(serviceSentences["simulation-rows"], {
            limit: maxRows[table],
            table,
          }),
        );
      const final = rows.at(-1);
      if (!final || rows.length < rowsAtOnce) return;
      last = [String(final[keys[0]]), String(final[keys[1]])];
      await otherWork();
    }
  }

  const [all] = await query(
    sql`SELECT id FROM labels WHERE team_id = ${team} AND type = 'all-screens'`,
  );
  const everyScreen = all ? [String(all["id"])] : [];
  const screens = new Map<
    string,
    FleetScreen & { readonly labels: string[] }
  >();
  await allOf(
    "screens",
    ["id", "id"],
    ([id]) =>
      sql`SELECT id, name, timezone, is_enabled FROM screens
        WHERE team_id = ${team} AND id > ${id} ORDER BY id LIMIT ${rowsAtOnce}`,
    (row) => {
      if (!isTrue(row["is_enabled"])) return;
      const id = String(row["id"]);
      screens.set(id, {
        ...{ id, name: String(row["name"]) },
        zone: String(row["timezone"]) || "UTC",
        // Its own label has its identifier.
        labels: [...everyScreen, id],
      });
    },
  );
  await allOf(
    "label_screen",
    ["screen_id", "label_id"],
    ([screen, label]) =>
      sql`SELECT screen_id, label_id FROM label_screen
        WHERE team_id = ${team} AND (screen_id, label_id) > (${screen}, ${label})
        ORDER BY screen_id, label_id LIMIT ${rowsAtOnce}`,
    (row) => {
      const label = String(row["label_id"]);
      const labels = screens.get(String(row["screen_id"]))?.labels;
      if (labels && !labels.includes(label)) labels.push(label);
    },
  );
  return { screens, content: await readContent() };

  async function readContent(): Promise<FleetContent> {
    const groups = new Map<string, string[]>();
    await allOf(
      "label_playlist",
      ["playlist_id", "label_id"],
      ([playlist, label]) =>
        sql`SELECT playlist_id, label_id FROM label_playlist
          WHERE team_id = ${team} AND (playlist_id, label_id) > (${playlist}, ${label})
          ORDER BY playlist_id, label_id LIMIT ${rowsAtOnce}`,
      (row) => add(groups, String(row["playlist_id"]), String(row["label_id"])),
    );
    const items = new Map<string, StoredItem[]>();
    await allOf(
      "playlist_items",
      ["playlist_id", "id"],
      ([playlist, id]) =>
        sql`SELECT playlist_id, id, asset_id, duration, position FROM playlist_items
          WHERE team_id = ${team} AND (playlist_id, id) > (${playlist}, ${id})
          ORDER BY playlist_id, id LIMIT ${rowsAtOnce}`,
      (row) => add(items, String(row["playlist_id"]), itemOf(row)),
    );
    const playlists: Playlist[] = [];
    await allOf(
      "playlists",
      ["id", "id"],
      ([id]) =>
        sql`SELECT id, title, predicate, is_enabled, priority, transitions, created_at FROM playlists
          WHERE team_id = ${team} AND id > ${id} ORDER BY id LIMIT ${rowsAtOnce}`,
      (row) => {
        const id = String(row["id"]);
        playlists.push(
          receivedPlaylist(
            row,
            groups.get(id) ?? [],
            inOrder(items.get(id) ?? []),
          ),
        );
      },
    );
    return { playlists, assets: await readAssets() };
  }

  /** Those in playlists. */
  async function readAssets(): Promise<readonly FleetAsset[]> {
    const hidden = await query(hiddenPdfs(team));
    const isHidden = new Set(hidden.map(({ id }) => String(id)));
    const rows = await query(
      sql`SELECT a.id, a.type, a.status, a.duration, a.pdf_page_enabled, g.title AS folder
        FROM assets a LEFT JOIN asset_groups g ON g.team_id = a.team_id AND g.id = a.asset_group_id
        WHERE a.team_id = ${team} AND a.id IN (SELECT asset_id FROM playlist_items WHERE team_id = ${team})`,
    );
    return rows.map((row) => {
      const id = String(row["id"]);
      return {
        id,
        isPlayable: isPlayable(row) && !isHidden.has(id),
        folder: (row["folder"] as string | null) ?? "",
        durationSeconds: Number(row["duration"] ?? 0) || defaultDurationSeconds,
      };
    });
  }
}

interface StoredItem extends PlaylistItem {
  readonly position: number;
}

function itemOf(row: Row): StoredItem {
  return { ...receivedItem(row), position: Number(row["position"]) };
}

function inOrder(items: readonly StoredItem[]): readonly PlaylistItem[] {
  return [...items]
    .sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1))
    .map(({ id, assetId, durationSeconds }) => ({
      ...{ id, assetId, durationSeconds },
    }));
}

function add<T>(lists: Map<string, T[]>, key: string, one: T): void {
  const known = lists.get(key);
  if (known) known.push(one);
  else lists.set(key, [one]);
}
