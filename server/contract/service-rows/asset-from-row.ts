// An asset of a content service in the fields of version 2, with which the manager's pages work, and its changes back again.

import { defaultDurationSeconds } from "../../core/asset-limits.ts";
import {
  idIn,
  isRemoteKind,
  isRow,
  kindOfRow,
  mimetypesOfRows,
  nameOf,
  numberIn,
  takeValues,
  textIn,
  type Row,
} from "./read-rows.ts";
import { plainExtras } from "../v2/v2-extras.ts";
import type { AssetV2 } from "../v2/v2.ts";

/** Parts of other assets, which are shown with these. */
const partTypes = ["edge-app-file", "pdf-page"];

/** From a row of version 4 with its `asset_groups`, or of version 3. Null for what is not an asset of its own. */
export function assetFromRow(row: Row, playOrder: number): AssetV2 | null {
  const id = idIn(row);
  if (id === null || partTypes.includes(textIn(row, "type"))) return null;
  const status = textIn(row, "status");
  const kind = kindOfRow(row);
  const isMoving = kind === "video" || kind === "audio";
  const isDownloading = status !== "finished" && status !== "error";
  const duration = isMoving ? 0 : defaultDurationSeconds;
  const { web, metadata } = takeValues(row, kind === "web");
  const problem = status === "error" ? problemOf(row) : null;
  const media = textIn(row, "mimetype");
  return {
    ...{ asset_id: id, name: nameOf(row, id), uri: textIn(row, "source_url") },
    ...{ start_date: null, end_date: null, duration, is_enabled: true },
    mimetype: kind === undefined ? media : mimetypesOfRows[kind],
    ...{ nocache: false, play_order: playOrder, skip_asset_check: false },
    ...{ is_active: true, is_processing: isDownloading },
    ...{ refresh_interval_s: 0, play_days: plainExtras.days },
    ...{ play_time_from: null, play_time_to: null },
    ...{ fit: null, volume: null, muted: false, pages: null, rotation: 0 },
    custom_headers: web.headers,
    user_agent: web.userAgent,
    zoom_level: web.zoomPercent,
    js_injection: web.script,
    send_metadata: web.isMetadataSent,
    player_side_render: web.isRenderedHere,
    screenshot_cache_seconds: web.screenshotCacheSeconds,
    skip_ssl_verify: web.isCertificateSkipped,
    playlist_only: true,
    folder: folderOf(row),
    metadata: {
      ...metadata,
      ...(problem !== null && { error_message: problem }),
    },
    stored: {
      ...{ duration, is_downloading: isDownloading },
      file:
        status === "finished" && kind !== undefined && !isRemoteKind(kind)
          ? {
              // Services have an MD5: whatever identifies the bytes.
              sha256: textIn(row, "md5"),
              media_type: media === "" ? mimetypesOfRows[kind] : media,
              // Of what was uploaded: a processed copy is a little smaller.
              size: numberIn(row, "source_size") ?? 0,
              length: isMoving ? numberIn(row, "duration") : null,
            }
          : null,
    },
  };
}

function problemOf(row: Row): string {
  const reason = textIn(row, "processing_error");
  return reason === "" ? "The content service failed to process it." : reason;
}

function folderOf(row: Row): string {
  const group = row["asset_groups"];
  return isRow(group) ? textIn(group, "title") : textIn(row, "folder_name");
}

/** Names of the fields that both have, in version 2 and in version 3 of the content interface. */
const namesInV3: Readonly<Record<string, string>> = {
  ...{ name: "title", folder: "folder_name", uri: "source_url" },
  ...{ custom_headers: "headers", js_injection: "js_injection" },
  ...{ skip_ssl_verify: "disable_verification" },
};

/** The body of a change in version 3; fields that it doesn't have are left out. */
export function assetFieldsToV3(
  fields: Readonly<Record<string, unknown>>,
): Row {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const there = namesInV3[name];
      return there === undefined ? [] : [[there, value]];
    }),
  );
}

/** By our name where it is a field of ours. */
export function assetFieldFromV3(name: string): string {
  const [ours = name] =
    Object.entries(namesInV3).find(([, there]) => there === name) ?? [];
  return ours;
}
