// Assets that failed on the stage: left out of the lineup for a while, or until they change.

import type { Asset } from "../core/asset.ts";
import { contentKey } from "../core/slide.ts";

export interface SetAside {
  add(asset: Asset, monotonicNow: number): void;
  /** Whether this asset, with this content, waits for its next try. */
  has(asset: Asset, monotonicNow: number): boolean;
  /** When the next try is due, in monotonic milliseconds; null when nothing waits. */
  nextTryAt(): number | null;
}

/** Long enough to leave a broken file in peace, short enough that a page that came back is seen soon. */
const retryAfterMs = 60_000;

export function createSetAside(): SetAside {
  const waiting = new Map<string, { contentKey: string; until: number }>();
  return {
    add: (asset, monotonicNow) => {
      waiting.set(asset.id, {
        contentKey: contentKey(asset),
        until: monotonicNow + retryAfterMs,
      });
    },
    has: (asset, monotonicNow) => {
      const entry = waiting.get(asset.id);
      if (!entry) return false;
      if (entry.until > monotonicNow && entry.contentKey === contentKey(asset))
        return true;
      waiting.delete(asset.id);
      return false;
    },
    nextTryAt: () => {
      let earliest: number | null = null;
      for (const { until } of waiting.values())
        if (earliest === null || until < earliest) earliest = until;
      return earliest;
    },
  };
}
