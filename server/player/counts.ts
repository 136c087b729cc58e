// How many assets there are, by state; one query, whatever their number.

import type { Sqlite } from "../platform/sqlite.ts";

export interface AssetCounts {
  readonly all: number;
  readonly enabled: number;
  /** Enabled and inside their dates. */
  readonly active: number;
  readonly processing: number;
  /** With a reason why they cannot be shown. */
  readonly troubled: number;
}

/** Counts as of a moment: `countAssetsAt(clock.now())`. */
export function createCounts(
  database: Sqlite,
): (moment: number) => AssetCounts {
  const count = database.prepare<[{ moment: number }], AssetCounts>(`
    SELECT count(*) AS "all",
      coalesce(sum(is_enabled), 0) AS enabled,
      coalesce(sum(is_enabled AND starts_at <= :moment AND :moment < ends_at), 0) AS active,
      coalesce(sum(is_processing), 0) AS processing,
      coalesce(sum(problem IS NOT NULL), 0) AS troubled
    FROM assets`);
  const none = { all: 0, enabled: 0, active: 0, processing: 0, troubled: 0 };
  return (moment) => count.get({ moment }) ?? none;
}
