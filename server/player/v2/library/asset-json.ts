// Conversion between assets and version 2 JSON.

import type { z } from "zod";
import type {
  AssetV2,
  createAssetV2,
  patchAssetV2,
} from "../../../contract/v2/v2.ts";
import {
  extrasFromV2,
  withMirrored,
  type ExtrasV2,
} from "../../../contract/v2/v2-extras.ts";
import type { Settings } from "../../../contract/v2/v2-settings.ts";
import { momentToText } from "../../../contract/v2/v2-values.ts";
import {
  isActiveAt,
  fullLengthSeconds,
  type Asset,
} from "../../../core/asset.ts";
import { extrasOf } from "../../library/asset-extras.ts";
import {
  tokenOfUri,
  uriOfUpload,
  type AssetChange,
  type AssetDraft,
} from "../../library/library.ts";
import { zoneOf } from "../../time-zone.ts";
import { extensionOf } from "../files/files.ts";

/** Settings that determine how assets are presented, and the zone that determines whether they are active. */
export type AssetViewContext = Pick<Settings, "isActiveAs"> & {
  readonly zone: string;
};

/** Read once per response: the machine's time zone is slow to determine. */
export function assetViewContextOf(settings: Settings): AssetViewContext {
  return { isActiveAs: settings.isActiveAs, zone: zoneOf(settings) };
}

export function assetToV2(
  asset: Asset,
  moment: number,
  { isActiveAs, zone }: AssetViewContext,
): AssetV2 {
  const isActive = isActiveAt(asset, moment, zone);
  return {
    asset_id: asset.id,
    name: asset.name,
    uri: uriToV2(asset),
    start_date: asset.startsAt === null ? null : momentToText(asset.startsAt),
    end_date: asset.endsAt === null ? null : momentToText(asset.endsAt),
    duration: durationToV2(asset),
    mimetype: asset.mimetype,
    is_enabled: asset.isEnabled,
    nocache: asset.noCache,
    play_order: asset.playOrder,
    skip_asset_check: asset.skipAssetCheck,
    is_active:
      isActiveAs === "boolean" ? isActive : isActive ? "true" : "false",
    is_processing: asset.processingSent ?? asset.isProcessing,
    ...extrasToV2(asset),
    metadata: metadataToV2(asset),
    stored: storedToV2(asset),
  };
}

function storedToV2({
  durationSeconds: duration,
  isProcessing: is_downloading,
  file,
}: Asset): AssetV2["stored"] {
  if (file === null) return { duration, is_downloading, file };
  return {
    ...{ duration, is_downloading },
    file: {
      sha256: file.hash,
      media_type: file.type,
      size: file.sizeBytes,
      length: file.lengthSeconds,
    },
  };
}

/** For stored bytes with the extension of their type: clients name copies of files by it (V2-585). */
function uriToV2({ uri, file }: Asset): string {
  const token = file && tokenOfUri(uri);
  return token ? uriOfUpload(token) + extensionOf(file.type) : uri;
}

/** Together with the fields that the player adds itself (V2-105, V2-424). */
function metadataToV2(asset: Asset): AssetV2["metadata"] {
  const { problem, file, web } = asset;
  const metadata = withMirrored(asset.metadata, web);
  const remark = file?.remark ?? null;
  if (problem === null && remark === null) return metadata;
  return {
    ...metadata,
    ...(problem !== null && { error_message: problem }),
    ...(remark !== null && { remark }),
  };
}

/** For a clip that plays its own length: that length, once it is known (V2-403). */
function durationToV2(asset: Asset): number {
  const { durationSeconds } = asset;
  if (durationSeconds > 0) return durationSeconds;
  return fullLengthSeconds(asset) ?? durationSeconds;
}

/** When a client that writes back all fields it has read sends a clip's own length, it means the clip's own length (V2-403). */
export function durationFromV2(
  asset: Asset,
  seconds: number | undefined,
): number | undefined {
  return seconds === fullLengthSeconds(asset) ? 0 : seconds;
}

/** Spelled out field by field for speed: a list of thousands consists of nothing else. */
function extrasToV2(asset: Asset): Omit<ExtrasV2, "metadata"> {
  const extras = extrasOf(asset);
  return {
    custom_headers: extras.headers,
    refresh_interval_s: extras.refreshSeconds ?? 0,
    play_days: extras.days,
    play_time_from: extras.playsFrom,
    play_time_to: extras.playsUntil,
    skip_ssl_verify: extras.isCertificateSkipped,
    fit: extras.fit,
    volume: extras.volume,
    muted: extras.isMuted,
    pages: extras.pages,
    rotation: extras.rotation,
    user_agent: extras.userAgent,
    zoom_level: extras.zoomPercent,
    js_injection: extras.script,
    send_metadata: extras.isMetadataSent,
    player_side_render: extras.isRenderedHere,
    screenshot_cache_seconds: extras.screenshotCacheSeconds,
    playlist_only: extras.isPlaylistOnly,
    folder: extras.folder,
  };
}

export function draftFromV2(body: z.infer<typeof createAssetV2>): AssetDraft {
  return { ...changeFromV2(body), uri: body.uri, mimetype: body.mimetype };
}

/** Required fields of the body are always present in the change. */
export function changeFromV2<Body extends z.infer<typeof patchAssetV2>>(
  body: Body,
) {
  return {
    name: body.name as Body["name"],
    startsAt: body.start_date as Body["start_date"],
    endsAt: body.end_date as Body["end_date"],
    durationSeconds: body.duration as Body["duration"],
    isEnabled: body.is_enabled as Body["is_enabled"],
    processingSent: body.is_processing,
    noCache: body.nocache,
    skipAssetCheck: body.skip_asset_check,
    playOrder: body.play_order,
    extras: extrasFromV2(body),
  } satisfies AssetChange;
}
