// Conversion between an asset and its row in SQLite.

import type { Extras } from "../../contract/v2/v2-extras.ts";
import type { Asset } from "../../core/asset.ts";
import {
  extrasOf,
  extrasToText,
  partsFromText,
  withExtras,
} from "./asset-extras.ts";

export interface AssetRow {
  readonly created: number;
  readonly id: string;
  readonly name: string;
  readonly uri: string;
  readonly mimetype: string;
  readonly starts_at: number | null;
  readonly ends_at: number | null;
  readonly duration_seconds: number;
  readonly is_enabled: number;
  readonly is_processing: number;
  readonly processing_sent: number | null;
  readonly no_cache: number;
  readonly skip_asset_check: number;
  readonly play_order: number;
  readonly file_hash: string | null;
  readonly problem: string | null;
  /** Extras (fields beyond the specification) as JSON; null if there are none. */
  readonly extras: string | null;
  /** Of the file, if there is one. */
  readonly size_bytes: number | null;
  readonly type: string | null;
  readonly length_seconds: number | null;
  readonly file_problem: string | null;
  readonly file_remark: string | null;
  readonly is_damaged: number | null;
}

/** The columns of a row without a file and without a known problem. */
export const noFile = {
  created: 0,
  file_hash: null,
  size_bytes: null,
  type: null,
  length_seconds: null,
  file_problem: null,
  file_remark: null,
  is_damaged: null,
  problem: null,
} as const;

export function assetFromRow(row: AssetRow): Asset {
  return {
    id: row.id,
    name: row.name,
    uri: row.uri,
    mimetype: row.mimetype,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    durationSeconds: row.duration_seconds,
    isEnabled: row.is_enabled === 1,
    isProcessing: row.is_processing === 1,
    processingSent:
      row.processing_sent === null ? null : row.processing_sent === 1,
    noCache: row.no_cache === 1,
    skipAssetCheck: row.skip_asset_check === 1,
    playOrder: row.play_order,
    ...partsFromText(row.extras),
    file:
      row.file_hash === null
        ? null
        : {
            hash: row.file_hash,
            sizeBytes: row.size_bytes ?? 0,
            type: row.type ?? "application/octet-stream",
            lengthSeconds: row.length_seconds,
            problem: row.file_problem,
            remark: row.file_remark,
            isDamaged: row.is_damaged === 1,
          },
    // What is wrong with damaged bytes says more than the stage's error about them.
    problem:
      row.is_damaged === 1 && row.is_processing === 0
        ? row.file_problem
        : (row.problem ?? row.file_problem),
  };
}

/** The row from which `assetFromRow` would make this asset; its position among equal play orders is left out. */
export function rowFromAsset(asset: Asset): AssetRow {
  const { file } = asset;
  return {
    created: 0,
    id: asset.id,
    name: asset.name,
    uri: asset.uri,
    mimetype: asset.mimetype,
    starts_at: asset.startsAt,
    ends_at: asset.endsAt,
    duration_seconds: asset.durationSeconds,
    is_enabled: Number(asset.isEnabled),
    is_processing: Number(asset.isProcessing),
    processing_sent:
      asset.processingSent == null ? null : Number(asset.processingSent),
    no_cache: Number(asset.noCache),
    skip_asset_check: Number(asset.skipAssetCheck),
    play_order: asset.playOrder,
    extras: extrasToText(extrasOf(asset)),
    file_hash: file?.hash ?? null,
    size_bytes: file?.sizeBytes ?? null,
    type: file?.type ?? null,
    length_seconds: file?.lengthSeconds ?? null,
    file_problem: file?.problem ?? null,
    file_remark: file?.remark ?? null,
    is_damaged: Number(file?.isDamaged ?? false),
    problem: asset.problem,
  };
}

/** Values by column name. */
export type Columns = ReadonlyMap<string, string | number | null>;

type Change = {
  readonly [Field in keyof Asset]?: Asset[Field] | undefined;
} & { readonly extras?: Partial<Extras> | undefined };

/** The fields that a change names; null and omitted fields stay as they are. Throws `invalid` on half a pair of times. */
export function columnsFromChange(change: Change, before: Asset): Columns {
  const values = {
    name: change.name,
    starts_at: change.startsAt,
    ends_at: change.endsAt,
    duration_seconds: change.durationSeconds,
    is_enabled: change.isEnabled,
    processing_sent: change.processingSent,
    no_cache: change.noCache,
    skip_asset_check: change.skipAssetCheck,
    play_order: change.playOrder,
  };
  const columns = new Map<string, string | number | null>();
  for (const [column, value] of Object.entries(values))
    if (value !== undefined && value !== null)
      columns.set(column, typeof value === "boolean" ? Number(value) : value);
  if (change.extras && Object.keys(change.extras).length > 0)
    columns.set(
      "extras",
      extrasToText(withExtras(extrasOf(before), change.extras)),
    );
  return columns;
}
