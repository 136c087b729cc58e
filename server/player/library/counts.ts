// Counts assets by state.

import { isActiveAt, type Asset } from "../../core/asset.ts";

export interface AssetCounts {
  readonly all: number;
  readonly enabled: number;
  /** Enabled, and inside their dates and hours. */
  readonly active: number;
  readonly processing: number;
  /** With a reason why they cannot be shown. */
  readonly troubled: number;
}

export function countAssetsAt(
  assets: readonly Asset[],
  moment: number,
  zone: string,
): AssetCounts {
  const count = (is: (asset: Asset) => boolean): number =>
    assets.reduce((sum, asset) => sum + Number(is(asset)), 0);
  return {
    all: assets.length,
    enabled: count(({ isEnabled }) => isEnabled),
    active: count((asset) => isActiveAt(asset, moment, zone)),
    processing: count(({ isProcessing }) => isProcessing),
    troubled: count(({ problem }) => problem !== null),
  };
}
