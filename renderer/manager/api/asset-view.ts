// Assets as the manager's pages show them, from the fields of version 2.

import {
  kindOf,
  type AssetFile,
  type AssetKind,
} from "../../../server/core/asset.ts";
import type { PlayHours } from "../../../server/core/play-hours.ts";
import type { AssetV2 } from "../../../server/contract/v2/v2.ts";
import { transport } from "../transport/transport.ts";
import { problemText } from "./problem-text.ts";

/** Times are milliseconds since 1970, UTC. */
export interface AssetView {
  readonly id: string;
  readonly name: string;
  readonly uri: string;
  readonly kind: AssetKind;
  readonly mimetype: string;
  readonly startsAt: number | null;
  readonly endsAt: number | null;
  readonly durationSeconds: number;
  /** The duration of the video or audio itself; null where there is none, or it is unknown. */
  readonly lengthSeconds: number | null;
  readonly sizeBytes: number | null;
  readonly isEnabled: boolean;
  readonly isActive: boolean;
  readonly isProcessing: boolean;
  readonly playOrder: number;
  /** Address of the stored bytes; null for remote content. */
  readonly fileUrl: string | null;
  /** Names separated by slashes; empty for the top level. */
  readonly folder: string;
  readonly isPlaylistOnly: boolean;
  /** Null: every day, all day. */
  readonly hours: PlayHours | null;
  /** Why it cannot be shown; null while no problem is known. */
  readonly problem: string | null;
}

const views = new WeakMap<AssetV2, AssetView>();

/** The same fields give the identical view: what is derived from it is kept by its identity. */
export function viewOf(fields: AssetV2): AssetView {
  const known = views.get(fields);
  if (known) return known;
  const view = viewFrom(fields);
  views.set(fields, view);
  return view;
}

function viewFrom(fields: AssetV2): AssetView {
  const { stored } = fields;
  const file = fileOf(fields);
  const [uri, mimetype] = [fields.uri ?? "", fields.mimetype ?? ""];
  return {
    id: fields.asset_id,
    name: fields.name ?? "",
    uri,
    kind: kindOf({ uri, mimetype, file }),
    mimetype,
    startsAt: msOfMoment(fields.start_date),
    endsAt: msOfMoment(fields.end_date),
    durationSeconds: stored.duration,
    lengthSeconds: file?.lengthSeconds ?? null,
    sizeBytes: file?.sizeBytes ?? null,
    isEnabled: fields.is_enabled,
    isActive: fields.is_active === true || fields.is_active === "true",
    isProcessing: stored.is_downloading,
    playOrder: fields.play_order,
    fileUrl: addressOf(fields),
    folder: fields.folder,
    isPlaylistOnly: fields.playlist_only,
    hours: hoursOf(fields),
    problem: problemOf(fields.metadata),
  };
}

function problemOf({ error_message }: AssetV2["metadata"]): string | null {
  return error_message == null ? null : problemText(error_message);
}

function addressOf({ asset_id, stored }: AssetV2): string | null {
  const { file } = stored;
  return file && transport.fileAddressOf({ asset_id, stored: { file } });
}

/** What is known of its stored bytes. */
export function fileOf({ stored, metadata }: AssetV2): AssetFile | null {
  if (stored.file === null) return null;
  const { sha256, media_type: type, size, length } = stored.file;
  return {
    ...{ hash: sha256, type, sizeBytes: size, lengthSeconds: length },
    problem: metadata.error_message ?? null,
  };
}

function msOfMoment(moment: string | null): number | null {
  return moment === null ? null : Date.parse(moment);
}

function hoursOf({
  play_days: days,
  play_time_from: from,
  play_time_to: until,
}: AssetV2): PlayHours | null {
  if (days.length === 7 && from === null) return null;
  return { days, fromMs: msOfTime(from), untilMs: msOfTime(until) };
}

/** `09:30:00` → milliseconds since midnight. */
function msOfTime(time: string | null): number | null {
  return time === null ? null : Date.parse(`1970-01-01T${time}Z`);
}
