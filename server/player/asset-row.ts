// An asset's row in SQLite ⇄ the asset.

import type { Asset } from "../core/asset.ts";

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
  readonly no_cache: number;
  readonly skip_asset_check: number;
  readonly play_order: number;
  readonly file_hash: string | null;
  readonly problem: string | null;
  /** Of the file, when there is one. */
  readonly size_bytes: number | null;
  readonly type: string | null;
  readonly length_seconds: number | null;
  readonly file_problem: string | null;
}

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
    noCache: row.no_cache === 1,
    skipAssetCheck: row.skip_asset_check === 1,
    playOrder: row.play_order,
    file:
      row.file_hash === null
        ? null
        : {
            hash: row.file_hash,
            sizeBytes: row.size_bytes ?? 0,
            type: row.type ?? "application/octet-stream",
            lengthSeconds: row.length_seconds,
            problem: row.file_problem,
          },
    problem: row.problem ?? row.file_problem,
  };
}

/** Values by the name of their column. */
export type Columns = ReadonlyMap<string, string | number>;

type Change = {
  readonly [Field in keyof Asset]?: Asset[Field] | undefined;
};

/** What a change names; null and what is left out stay as they are. */
export function columnsFromChange(change: Change): Columns {
  const values = {
    name: change.name,
    starts_at: change.startsAt,
    ends_at: change.endsAt,
    duration_seconds: change.durationSeconds,
    is_enabled: change.isEnabled,
    no_cache: change.noCache,
    skip_asset_check: change.skipAssetCheck,
    play_order: change.playOrder,
  };
  const columns = new Map<string, string | number>();
  for (const [column, value] of Object.entries(values))
    if (value !== undefined && value !== null)
      columns.set(column, typeof value === "boolean" ? Number(value) : value);
  return columns;
}
