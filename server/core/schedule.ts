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
  let changesAt: number | null = null;
  for (const asset of assets) {
    if (!asset.isEnabled) continue;
    for (const edge of [asset.startsAt, asset.endsAt]) {
      if (edge === null || edge <= moment) continue;
      if (changesAt === null || edge < changesAt) changesAt = edge;
    }
  }
  return { assets: due, changesAt };
}
