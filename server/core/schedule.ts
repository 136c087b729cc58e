// What is due on the screen at a moment.

import { isActiveAt, isHere, type Asset } from "./asset.ts";

export interface Lineup {
  readonly assets: readonly Asset[];
  /** The lineup stays as it is until this moment; null when nothing further is planned. */
  readonly changesAt: number | null;
}

/** The active assets that are here, in play order, and when that next changes. */
export function lineupAt(assets: readonly Asset[], moment: number): Lineup {
  const due = assets
    .filter((asset) => isActiveAt(asset, moment) && isHere(asset))
    .sort((a, b) => a.playOrder - b.playOrder);
  const { until } = steadySpanAt(assets, moment);
  return { assets: due, changesAt: until === Infinity ? null : until };
}

/** Around this moment, from the first to before the second, dates make no asset active and none inactive. */
export function steadySpanAt(
  assets: readonly Asset[],
  moment: number,
): { readonly from: number; readonly until: number } {
  let from = -Infinity;
  let until = Infinity;
  for (const { isEnabled, startsAt, endsAt } of assets) {
    if (!isEnabled) continue;
    for (const edge of [startsAt, endsAt])
      if (edge === null) continue;
      else if (edge > moment) until = Math.min(until, edge);
      else from = Math.max(from, edge);
  }
  return { from, until };
}
