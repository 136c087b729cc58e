// What prevents an asset from playing now, regardless of its playlists.

import { useCallback, useMemo } from "react";
import type { AssetView } from "../api/asset-view.ts";
import {
  assetStateAt,
  nextEdgeAfter,
  type AssetState,
} from "../assets/asset-state.ts";
import { useAnswer } from "../api/operations.ts";
import { useMomentOfEdges } from "../components/use-moment.ts";
import { zoneOf } from "../lineup/schedule-inputs.ts";

const hindering = [
  ...(["problem", "processing", "disabled"] as const),
  ...(["not-yet", "expired", "outside-hours"] as const),
] satisfies readonly AssetState[];
type Obstacle = (typeof hindering)[number];

function obstacleAt(
  asset: AssetView,
  moment: number,
  zone: string,
): Obstacle | null {
  const state = assetStateAt(asset, false, moment, "due", zone);
  return hindering.find((one) => one === state) ?? null;
}

/** Reevaluated whenever its dates or hours change state; null while nothing prevents it. */
export function useObstacle(asset: AssetView | undefined): Obstacle | null {
  const edgeAfter = useCallback(
    (moment: number) => (asset ? nextEdgeAfter([asset], moment) : null),
    [asset],
  );
  const moment = useMomentOfEdges(edgeAfter);
  const settings = useAnswer("readSettings", {}).data;
  return asset ? obstacleAt(asset, moment, zoneOf(settings)) : null;
}

/** Those of these assets that cannot play now. */
export function useHindered(
  assets: readonly AssetView[],
  zone: string,
): ReadonlySet<string> {
  const edgeAfter = useCallback(
    (moment: number) => nextEdgeAfter(assets, moment),
    [assets],
  );
  const moment = useMomentOfEdges(edgeAfter);
  return useMemo(() => {
    const blocked = assets.filter((one) => obstacleAt(one, moment, zone));
    return new Set(blocked.map(({ id }) => id));
  }, [assets, moment, zone]);
}
