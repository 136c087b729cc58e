// Playlists and assets of the database as players receive them: what-if, the schedule of a screen and adopted players compile their
// schedules from these (V3-101, V3-114, V3-123).

import type { Playlist, PlaylistItem } from "../../core/playlist.ts";
import type { Row } from "../../platform/database/database.ts";
import { sql, type Sql } from "../sql.ts";

/** From the columns id, title, predicate, is_enabled, priority, transitions and created_at. */
export function receivedPlaylist(
  row: Row,
  groups: readonly string[],
  items: readonly PlaylistItem[],
): Playlist {
  return {
    ...{ id: String(row["id"]), name: String(row["title"]) },
    predicate: receivedPredicate(row),
    // Players receive it from version 4, which has two levels (V3-36).
    priority: Number(row["priority"]) > 0 ? 1 : 0,
    ...{ isEnabled: isTrue(row["is_enabled"]), groups, isShuffled: null },
    transition: isTrue(row["transitions"]) ? "cross-fade" : "cut",
    createdAt: Number(row["created_at"]),
    items,
  };
}

export function receivedPredicate(row: Row): string {
  return String(row["predicate"]).trim() || "TRUE";
}

/** From the columns id, asset_id and duration. */
export function receivedItem(row: Row): PlaylistItem {
  const seconds = Number(row["duration"]);
  return {
    ...{ id: String(row["id"]), assetId: String(row["asset_id"]) },
    // 0 plays it to the end.
    durationSeconds: seconds > 0 ? seconds : null,
  };
}

/** Identifiers of PDFs all of whose pages are switched off. */
export function hiddenPdfs(team: string): Sql {
  return sql`SELECT pdf_asset_id AS id FROM assets WHERE team_id = ${team} AND pdf_asset_id IS NOT NULL
    GROUP BY pdf_asset_id HAVING sum(CASE WHEN pdf_page_enabled = FALSE THEN 0 ELSE 1 END) = 0`;
}

/** From the columns type, status and pdf_page_enabled. What is still being processed is expected to arrive. */
export function isPlayable(row: Row): boolean {
  const isHiddenPage =
    row["type"] === "pdf-page" &&
    row["pdf_page_enabled"] !== null &&
    !isTrue(row["pdf_page_enabled"]);
  return row["status"] !== "error" && !isHiddenPage;
}

/** SQLite returns 0 or 1. */
export function isTrue(value: unknown): boolean {
  return value === true || value === 1;
}
