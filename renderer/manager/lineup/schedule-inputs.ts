// The player's library in the form that schedule and stage use, assembled from the manager's queries.

import { useMemo } from "react";
import { kindOf, type Asset } from "../../../server/core/asset.ts";
import type { Playlist } from "../../../server/core/playlist.ts";
import { everyScreen } from "../../../server/core/schedule/schedule-plan.ts";
import type { ScheduleInput } from "../../../server/core/schedule/schedule.ts";
import type { PresentationDefaults } from "../../../server/core/showing.ts";
import type { FieldsOfBody } from "../../../server/contract/ipc/ipc-operate.ts";
import { fileOf, viewOf, type AssetView } from "../api/asset-view.ts";
import type { PlaylistV2 } from "../../../server/contract/v2/v2-playlists.ts";
import { groupNames } from "../../../server/contract/v2/v2-settings.ts";
import type { AssetV2 } from "../../../server/contract/v2/v2.ts";
import { useAnswer } from "../api/operations.ts";
import { can } from "../place/abilities.ts";

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
  const settings = useAnswer("readSettings", {});
  const all = [playlists, fields, settings];
  // Memoised separately: another order in a playlist leaves ten thousand assets untouched.
  const stock = useMemo(
    () => (fields.data ? stockOf(fields.data) : null),
    [fields.data],
  );
  const screen = useMemo(() => {
    // A content service has many screens: what each of them sets is not known here.
    if (!can("player")) return screenOf({});
    return settings.data ? screenOf(settings.data) : null;
  }, [settings.data]);
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

function stockOf(fields: readonly AssetV2[]): Stock {
  const list = fields.map(assetOf);
  const views = fields.map(viewOf);
  return {
    ...{ list, assets: byId(list), views, viewsById: byId(views) },
  };
}

function byId<One extends { readonly id: string }>(
  list: readonly One[],
): ReadonlyMap<string, One> {
  return new Map(list.map((one) => [one.id, one]));
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

const converted = new WeakMap<AssetV2, Asset>();

/** In the form the schedule uses: the same fields give the identical object. */
export function assetOf(fields: AssetV2): Asset {
  const cached = converted.get(fields);
  if (cached) return cached;
  const asset = assetFrom(fields);
  converted.set(fields, asset);
  return asset;
}

function assetFrom(fields: AssetV2): Asset {
  const view = viewOf(fields);
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
    hours: view.hours,
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
    file: fileOf(fields),
  };
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
