// What a screen shows at a moment and why, computed with its labels, its time zone and the team's content by the schedule's own
// code, as its player does (V3-123).

import { defaultDurationSeconds } from "../../../core/asset-limits.ts";
import type * as z from "zod";
import {
  screenScheduleQueryV3,
  type screenScheduleV3,
} from "../../../contract/v3/v3-screen-schedule.ts";
import type { Asset } from "../../../core/asset.ts";
import { playlistOnlyAsset } from "../../../core/schedule/playlist-only-asset.ts";
import {
  compileSchedule,
  type Candidate,
} from "../../../core/schedule/schedule.ts";
import type { Row } from "../../../platform/database/database.ts";
import { teamOf } from "../../access/access.ts";
import { judged } from "../../http/json-body.ts";
import { sendJson, type Methods } from "../../http/routes.ts";
import { sql, statementOf, type Sql } from "../../sql.ts";
import {
  hiddenPdfs,
  isPlayable,
  isTrue,
  receivedItem,
  receivedPlaylist,
  receivedPredicate,
} from "../../store/received-content.ts";
import { notFound } from "../operation/responses.ts";
import type { V3 } from "../operation/v3.ts";

type Answer = z.infer<typeof screenScheduleV3>;
type ReasonV3 = Answer["candidates"][number]["reason"];

/** Playlists for this screen come first; more than these have no candidate. */
const maxPlaylists = 1000;
const maxItems = 20_000;
const maxDue = 500;

export function createScreenSchedule({ database, dialect, now }: V3): Methods {
  return {
    GET: async (request, response) => {
      const id = request.params["id"] ?? "";
      const team = teamOf(response);
      const labels = sql`(SELECT label_id FROM label_screen WHERE team_id = ${team} AND screen_id = ${id}
        UNION SELECT id FROM labels WHERE team_id = ${team} AND (type = 'all-screens' OR id = ${id}))`;
      const isHere = sql`EXISTS (SELECT 1 FROM label_playlist k WHERE k.team_id = ${team} AND k.playlist_id = p.id
        AND k.label_id IN ${labels})`;
      const [
        screens = [],
        playlists = [],
        ofPlaylists = [],
        items = [],
        hidden = [],
      ] = await database.readTogether(
        [
          sql`SELECT is_enabled, timezone FROM screens WHERE team_id = ${team} AND id = ${id}`,
          sql`SELECT p.id, p.title, p.predicate, p.is_enabled, p.priority, p.transitions, p.created_at,
              CASE WHEN ${isHere} THEN 0 ELSE 1 END AS place
              FROM playlists p WHERE p.team_id = ${team} ORDER BY place, p.id LIMIT ${maxPlaylists}`,
          sql`SELECT k.playlist_id, l.id, l.human_name FROM label_playlist k JOIN labels l ON l.id = k.label_id
              WHERE k.team_id = ${team} ORDER BY k.playlist_id, l.id LIMIT ${maxItems}`,
          sql`SELECT i.id, i.playlist_id, i.asset_id, i.duration, a.title, a.type, a.status, a.duration AS own_duration,
              a.pdf_page_enabled FROM playlist_items i JOIN assets a ON a.id = i.asset_id
              JOIN playlists p ON p.id = i.playlist_id WHERE i.team_id = ${team} AND ${isHere}
              ORDER BY i.playlist_id, i.position, i.id LIMIT ${maxItems}`,
          hiddenPdfs(team),
        ].map((of: Sql) => statementOf(of, dialect.kind)),
      );
      const [screen] = screens;
      if (!screen) throw notFound();
      const { at = now() } = judged(screenScheduleQueryV3, {
        ...request.query,
      });
      const zone = String(screen["timezone"]) || "UTC";
      const content = { playlists, items, labels: ofPlaylists, hidden };
      sendJson(response, 200, {
        ...{ time: iso(at), timezone: zone },
        is_enabled: isTrue(screen["is_enabled"]),
        ...scheduleAt(at, zone, content),
      } satisfies Answer);
    },
  };
}

interface StoredContent {
  readonly playlists: readonly Row[];
  /** Of the playlists for this screen. */
  readonly items: readonly Row[];
  readonly labels: readonly Row[];
  readonly hidden: readonly Row[];
}

/** The only group of this screen: the database has decided which playlists are for it. */
const here = "here";

function scheduleAt(
  at: number,
  timezone: string,
  { playlists, items, labels, hidden }: StoredContent,
): Pick<Answer, "due" | "until" | "candidates"> {
  const itemsOf = byPlaylist(items);
  const labelsOf = byPlaylist(labels);
  const assets = new Map<string, Asset>();
  const isHidden = new Set(hidden.map(({ id }) => String(id)));
  for (const row of items) {
    const id = String(row["asset_id"]);
    assets.set(id, assetOf(row, id, isHidden.has(id)));
  }
  const titles = new Map(
    playlists.map((row) => [String(row["id"]), String(row["title"])]),
  );
  const predicates = new Map(
    playlists.map((row) => [String(row["id"]), receivedPredicate(row)]),
  );
  const schedule = compileSchedule({
    assets: [...assets.values()],
    playlists: playlists.map((row) =>
      receivedPlaylist(
        row,
        [Number(row["place"]) === 0 ? here : "elsewhere"],
        (itemsOf.get(String(row["id"])) ?? []).map(receivedItem),
      ),
    ),
    ...{ zone: timezone, groups: [here] },
  });
  const { entries, changesAt } = schedule.lineupAt(at);
  const named = (playlistId: string | null) =>
    playlistId === null
      ? null
      : { id: playlistId, title: titles.get(playlistId) ?? "" };
  return {
    due: entries
      .slice(0, maxDue)
      .map(({ id, asset, playlistId, durationSeconds }) => ({
        ...{ item_id: id, asset_id: asset.id, name: asset.name },
        playlist: named(playlistId),
        duration: durationSeconds ?? asset.durationSeconds,
      })),
    until: changesAt === null ? null : iso(changesAt),
    candidates: schedule
      .candidatesAt(at)
      // A content service has no playlist of the player itself.
      .filter(({ playlistId }) => playlistId !== null)
      .map(({ kind, id, name, assetId, playlistId, reason }) => ({
        ...{ kind, id, name, asset_id: assetId, playlist: named(playlistId) },
        predicate: predicates.get(playlistId ?? "") ?? "",
        reason: reasonOf(
          reason,
          (labelsOf.get(playlistId ?? "") ?? []).map((row) =>
            String(row["human_name"]),
          ),
        ),
      })),
  };
}

function byPlaylist(rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> {
  const found = new Map<string, Row[]>();
  for (const row of rows) {
    const id = String(row["playlist_id"]);
    const others = found.get(id);
    if (others) others.push(row);
    else found.set(id, [row]);
  }
  return found;
}

function reasonOf(
  reason: Candidate["reason"],
  labels: readonly string[],
): ReasonV3 {
  switch (reason.code) {
    case "outranked":
      return {
        ...{ code: reason.code, name: reason.name },
        priority: reason.priority,
      };
    case "predicate-false":
      return { code: reason.code, part: reason.part };
    case "playlist-empty":
      return { code: reason.code, items: reason.items };
    case "other-groups":
      return { code: reason.code, labels: [...labels] };
    default:
      return { code: reason.code };
  }
}

function assetOf(row: Row, id: string, isHidden: boolean): Asset {
  return playlistOnlyAsset({
    ...{ id, name: String(row["title"]) },
    isEnabled: isPlayable(row) && !isHidden,
    isProcessing: false,
    durationSeconds: Number(row["own_duration"] ?? 0) || defaultDurationSeconds,
  });
}

function iso(moment: number): string {
  return new Date(moment).toISOString();
}
