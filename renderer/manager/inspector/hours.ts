// The two times of day of an asset, of which the player takes both or none (V2-103). Pure.

import type { AssetV2 } from "../../../server/contract/v2.ts";
import type { Change } from "../library/actions.ts";

/** One alone takes the edge of the day for the other, where the asset has none; and goes together with it. */
export function withHours(
  asset: Pick<AssetV2, "play_time_from" | "play_time_to">,
  change: Change,
): Change {
  const { play_time_from: from, play_time_to: to } = { ...asset, ...change };
  if (Object.values(change).includes(null))
    return { play_time_from: null, play_time_to: null };
  return {
    ...(to !== null && from === null && { play_time_from: "00:00:00" }),
    ...(from !== null && to === null && { play_time_to: "23:59:59" }),
    ...change,
  };
}
