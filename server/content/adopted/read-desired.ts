// Reads the playlists of an adopted player's labels, and their assets as an Anthias player takes them (V3-114).

import { defaultDurationSeconds } from "../../core/asset-limits.ts";
import type { Kysely } from "kysely";
import type { Playlist, PlaylistItem } from "../../core/playlist.ts";
import { cutText } from "../../core/text-limit.ts";
import type { LinkScreen } from "../../contract/link/link.ts";
import { playerReasonText } from "../../contract/v3/player-reasons.ts";
import type { ContentTables } from "../tables.ts";
import { receivedItem, receivedPlaylist } from "../store/received-content.ts";
import { desiredOf, type Desired, type Offer } from "./slots.ts";

/** Bounds of what is read for one screen. */
const maxPlaylists = 500;
const maxItems = 5_000;
/** A SQLite statement takes at most 32,766 values. */
const assetsAtOnce = 500;
const maxName = 200;

/** As Anthias' own default. */
const streamSeconds = 300;

export async function readDesired(
  kysely: Kysely<ContentTables>,
  screen: LinkScreen,
  moment: number,
): Promise<Desired> {
  const playlists = await playlistsOf(kysely, screen);
  const ids = playlists.flatMap(({ items }) =>
    items.map(({ assetId }) => assetId),
  );
  return desiredOf({
    ...{ playlists, moment, offers: await offersOf(kysely, [...new Set(ids)]) },
    ...{ zone: screen.timezone, isEnabled: screen.is_enabled },
  });
}

async function playlistsOf(
  kysely: Kysely<ContentTables>,
  { labels }: LinkScreen,
): Promise<readonly Playlist[]> {
  if (labels.length === 0) return [];
  const rows = await kysely
    .selectFrom("playlists")
    .selectAll()
    .where("is_enabled", "=", true)
    .where("id", "in", (eb) =>
      eb
        .selectFrom("label_playlist")
        .select("playlist_id")
        .where(
          "label_id",
          "in",
          labels.map(({ id }) => id),
        ),
    )
    .orderBy("id")
    .limit(maxPlaylists)
    .execute();
  if (rows.length === 0) return [];
  const items = await kysely
    .selectFrom("playlist_items")
    .select(["id", "playlist_id", "asset_id", "duration"])
    .where(
      "playlist_id",
      "in",
      rows.map(({ id }) => id),
    )
    .orderBy("playlist_id")
    .orderBy("position")
    .orderBy("id")
    .limit(maxItems)
    .execute();
  return rows.map((row) => {
    const own = items.filter(({ playlist_id }) => playlist_id === row.id);
    return receivedPlaylist(row, [], own.map(receivedItem).map(inWholeSeconds));
  });
}

/** As Anthias takes it. */
function inWholeSeconds(item: PlaylistItem): PlaylistItem {
  const { durationSeconds: seconds } = item;
  return {
    ...item,
    durationSeconds: seconds === null ? null : wholeSeconds(seconds),
  };
}

function wholeSeconds(seconds: number): number {
  return Math.max(1, Math.round(seconds));
}

async function offersOf(
  kysely: Kysely<ContentTables>,
  ids: readonly string[],
): Promise<readonly Offer[]> {
  const offers: Offer[] = [];
  for (let from = 0; from < ids.length; from += assetsAtOnce) {
    const rows = await kysely
      .selectFrom("assets")
      .leftJoin("asset_intakes", "asset_intakes.asset_id", "assets.id")
      .select(["assets.id as id", "type", "title", "duration", "asset_url"])
      .select(["source_url", "status", "mimetype", "file_hash"])
      .select(["disable_verification", "processing_error"])
      .where("assets.id", "in", ids.slice(from, from + assetsAtOnce))
      .execute();
    offers.push(
      ...rows.map((row) => ({
        assetId: row.id,
        name: cutText(row.title || row.source_url || row.id, maxName),
        content: contentOf(row),
        durationSeconds: secondsOf(row),
        skipsCheck: row.file_hash !== null || Boolean(row.disable_verification),
      })),
    );
  }
  return offers;
}

interface AssetRow {
  readonly type: string | null;
  readonly status: string;
  readonly mimetype: string | null;
  readonly file_hash: string | null;
  readonly asset_url: string;
  readonly source_url: string | null;
  readonly duration: number | null;
  readonly processing_error: string;
}

/** Anthias decides by the ending alone whether it takes a file. */
const extensions: Readonly<Record<string, string>> = {
  ...{ "image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif" },
  ...{ "image/webp": ".webp", "image/svg+xml": ".svg", "image/bmp": ".bmp" },
  ...{ "image/avif": ".avif", "image/tiff": ".tiff", "video/mp4": ".mp4" },
  ...{ "video/webm": ".webm", "video/quicktime": ".mov", "video/ogg": ".ogv" },
  ...{ "video/x-matroska": ".mkv", "video/x-msvideo": ".avi" },
  ...{ "video/matroska": ".mkv", "video/mpeg": ".mpeg" },
};

function contentOf(row: AssetRow): Offer["content"] {
  if (row.status === "error")
    return {
      problem: row.processing_error
        ? playerReasonText(
            "processing-error",
            cutText(row.processing_error, 150),
          )
        : playerReasonText("processing-failed"),
    };
  if (row.status !== "finished") return { problem: null };
  const family = /^(image|video)\//.exec(row.mimetype ?? "")?.[1];
  const kind = row.type ?? family ?? "";
  if (kind === "image" || kind === "video") {
    const extension = extensions[row.mimetype ?? ""];
    if (row.file_hash === null || extension === undefined)
      return {
        problem: playerReasonText(
          "file-type",
          JSON.stringify(cutText(row.mimetype ?? "", 100)),
        ),
      };
    const hash = row.file_hash;
    return { kind, hash, source: hash, extension };
  }
  const address = row.asset_url || row.source_url || "";
  if (kind === "web" && /^https?:\/\//i.test(address))
    return { kind: "webpage", hash: null, source: address, extension: "" };
  if (kind === "streaming" && /^(https?|rtsp):\/\//i.test(address))
    return { kind: "streaming", hash: null, source: address, extension: "" };
  return {
    problem: playerReasonText("asset-type", JSON.stringify(cutText(kind, 40))),
  };
}

function secondsOf({ type, duration }: AssetRow): number {
  const own = Number(duration ?? 0);
  if (own > 0) return wholeSeconds(own);
  return type === "streaming" ? streamSeconds : defaultDurationSeconds;
}
