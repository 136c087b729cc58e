// The player's library in the form that schedule and stage use, assembled from the manager's queries.

import { useMemo } from "react";
import {
  appType,
  kindOf,
  type Asset,
  type AssetFile,
  type AssetKind,
  type PlayHours,
} from "../../../server/core/asset.ts";
import type { Playlist } from "../../../server/core/playlist.ts";
import { everyScreen } from "../../../server/core/schedule/schedule-plan.ts";
import type { ScheduleInput } from "../../../server/core/schedule/schedule.ts";
import type { PresentationDefaults } from "../../../server/core/showing.ts";
import type { FieldsOfBody } from "../../../server/contract/ipc/ipc-operate.ts";
import type { AssetView } from "../../../server/contract/ipc/ipc.ts";
import type { PlaylistV2 } from "../../../server/contract/v2/v2-playlists.ts";
import { groupNames } from "../../../server/contract/v2/v2-settings.ts";
import type { AssetV2 } from "../../../server/contract/v2/v2.ts";
import { useAssets } from "../api.ts";
import { useAnswer } from "../operations.ts";

/** Settings of this screen that affect what plays. */
export interface Screen {
  readonly zone: string;
  readonly groups: readonly string[];
  readonly isShuffled: boolean;
  readonly presentationDefaults: PresentationDefaults;
}

export interface Library {
  readonly playlists: readonly PlaylistV2[];
  /** In the form the schedule uses. */
  readonly input: ScheduleInput;
  readonly assets: ReadonlyMap<string, Asset>;
  readonly views: readonly AssetView[];
  readonly viewsById: ReadonlyMap<string, AssetView>;
  readonly screen: Screen;
}

export interface LibraryAnswer {
  /** Null until all queries were answered once. */
  readonly library: Library | null;
  readonly error: Error | null;
  readonly isFetching: boolean;
  readonly refetch: () => void;
}

export function useLibrary(): LibraryAnswer {
  const playlists = useAnswer("listPlaylists", {});
  const fields = useAnswer("listAssets", {});
  const views = useAssets();
  const settings = useAnswer("readSettings", {});
  const all = [playlists, fields, views, settings];
  // Memoised separately: another order in a playlist leaves ten thousand assets untouched.
  const stock = useMemo(
    () => (fields.data && views.data ? stockOf(fields.data, views.data) : null),
    [fields.data, views.data],
  );
  const screen = useMemo(
    () => (settings.data ? screenOf(settings.data) : null),
    [settings.data],
  );
  const list = playlists.data;
  const library = useMemo(
    () => (list && stock && screen ? libraryOf(list, stock, screen) : null),
    [list, stock, screen],
  );
  return {
    library,
    error: all.find(({ error }) => error)?.error ?? null,
    isFetching: all.some(({ isFetching }) => isFetching),
    refetch: () => {
      for (const one of all)
        if (one.error)
          one.refetch().catch(
            // A refetch that fails again is this query's error, returned above: only `throwOnError` would reject.
            () => undefined,
          );
    },
  };
}

interface Stock {
  readonly list: readonly Asset[];
  readonly assets: ReadonlyMap<string, Asset>;
  readonly views: readonly AssetView[];
  readonly viewsById: ReadonlyMap<string, AssetView>;
}

function stockOf(
  fields: readonly AssetV2[],
  views: readonly AssetView[],
): Stock {
  const viewsById = new Map(views.map((view) => [view.id, view]));
  const list = fields.flatMap((one): Asset[] => {
    const view = viewsById.get(one.asset_id);
    return view ? [assetOf(one, view)] : [];
  });
  const assets = new Map(list.map((asset) => [asset.id, asset]));
  return { list, assets, views, viewsById };
}

function libraryOf(
  playlists: readonly PlaylistV2[],
  { list, ...stock }: Stock,
  screen: Screen,
): Library {
  return {
    ...{ ...stock, playlists, screen },
    input: {
      ...{ assets: list, playlists: playlists.map(playlistOf) },
      ...{ zone: screen.zone, groups: screen.groups },
    },
  };
}

const planned = new WeakMap<PlaylistV2, Playlist>();

/** In the form the schedule uses: the same input gives the identical object. */
export function playlistOf(playlist: PlaylistV2): Playlist {
  const cached = planned.get(playlist);
  if (cached) return cached;
  const converted = playlistFrom(playlist);
  planned.set(playlist, converted);
  return converted;
}

function playlistFrom(playlist: PlaylistV2): Playlist {
  return {
    id: playlist.playlist_id,
    name: playlist.name,
    predicate: playlist.predicate,
    priority: playlist.priority,
    isEnabled: playlist.is_enabled,
    groups: playlist.groups,
    transition: playlist.transition,
    isShuffled: playlist.shuffle,
    items: playlist.items.map((item) => ({
      id: item.item_id,
      assetId: item.asset_id,
      durationSeconds: item.duration,
    })),
    createdAt: Date.parse(playlist.created),
  };
}

export function assetOf(fields: AssetV2, view: AssetView): Asset {
  return {
    ...{ id: view.id, name: view.name, uri: view.uri },
    ...{ mimetype: view.mimetype, startsAt: view.startsAt },
    ...{ endsAt: view.endsAt, durationSeconds: view.durationSeconds },
    ...{ isEnabled: view.isEnabled, isProcessing: view.isProcessing },
    ...{ playOrder: view.playOrder, problem: view.problem },
    noCache: fields.nocache,
    skipAssetCheck: fields.skip_asset_check,
    isPlaylistOnly: fields.playlist_only,
    folder: fields.folder,
    hours: hoursOf(fields),
    presentation: {
      fit: fields.fit,
      volume: fields.volume,
      isMuted: fields.muted,
      pages: fields.pages,
      rotation: fields.rotation,
    },
    web: {
      headers: fields.custom_headers,
      userAgent: fields.user_agent,
      zoomPercent: fields.zoom_level,
      script: fields.js_injection,
      refreshSeconds: fields.refresh_interval_s || null,
      isMetadataSent: fields.send_metadata,
      isRenderedHere: fields.player_side_render,
      screenshotCacheSeconds: fields.screenshot_cache_seconds,
      isCertificateSkipped: fields.skip_ssl_verify,
    },
    metadata: fields.metadata,
    file: fileOf(view),
  };
}

/** A MIME type for the kind that the player detected. */
const typeOf: Readonly<Record<AssetKind, string>> = {
  image: "image/png",
  video: "video/mp4",
  audio: "audio/mpeg",
  stream: "application/vnd.apple.mpegurl",
  pdf: "application/pdf",
  webpage: "text/html",
  app: appType,
};

function fileOf({
  fileUrl,
  kind,
  sizeBytes,
  lengthSeconds,
  problem,
}: AssetView): AssetFile | null {
  const hash = /[0-9a-f]{64}$/.exec(fileUrl ?? "")?.[0];
  if (hash === undefined) return null;
  return {
    ...{ hash, type: typeOf[kind], sizeBytes: sizeBytes ?? 0 },
    ...{ lengthSeconds, problem },
  };
}

function hoursOf({
  play_days: days,
  play_time_from: from,
  play_time_to: until,
}: AssetV2): PlayHours | null {
  if (days.length === 7 && from === null) return null;
  return { days, fromMs: msOf(from), untilMs: msOf(until) };
}

/** `09:30:00` → milliseconds since midnight. */
function msOf(time: string | null): number | null {
  return time === null ? null : Date.parse(`1970-01-01T${time}Z`);
}

function screenOf(settings: FieldsOfBody): Screen {
  const text = (name: string): string => {
    const value = settings[name];
    return typeof value === "string" ? value : "";
  };
  const fit = text("image_fit");
  return {
    zone: zoneOf(settings),
    groups: groupNames(text("groups")),
    isShuffled: settings["shuffle_playlist"] === true,
    presentationDefaults: {
      fit: fit === "fill" || fit === "natural" ? fit : "fit",
      transition: text("transition") === "cross-fade" ? "cross-fade" : "cut",
      audio: {
        volume: Number(settings["volume"] ?? 100) / 100,
        isMuted: settings["muted"] === true,
        output: settings["audio_output"] === "local" ? "local" : "hdmi",
      },
      streamSeconds: Number(settings["default_streaming_duration"] ?? 300),
    },
  };
}

/** Where no zone is set, the player uses the machine's own, and so does this window. */
export function zoneOf(settings: FieldsOfBody | undefined): string {
  const zone = settings?.["timezone"];
  return typeof zone === "string" && zone !== ""
    ? zone
    : Intl.DateTimeFormat().resolvedOptions().timeZone;
}

export function isForScreen(
  groups: readonly string[],
  screenGroups: readonly string[],
): boolean {
  const allGroups = [...screenGroups, ...everyScreen];
  return (
    groups.length === 0 || groups.some((group) => allGroups.includes(group))
  );
}

/** How long an asset stays on screen; null where only the file determines it. */
export function staySeconds(
  asset: Asset,
  itemSeconds: number | null,
  streamSeconds: number,
): number | null {
  const given = itemSeconds ?? asset.durationSeconds;
  switch (kindOf(asset)) {
    case "video":
    case "audio":
      return given > 0 ? given : (asset.file?.lengthSeconds ?? null);
    case "stream":
      return given > 0 ? given : streamSeconds;
    case "pdf": {
      const pages = asset.presentation.pages?.length;
      return pages === undefined ? null : pages * Math.max(1, given);
    }
    case "image":
    case "webpage":
    case "app":
      return Math.max(1, given);
  }
}
