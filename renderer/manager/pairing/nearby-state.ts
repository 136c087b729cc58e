// The state of a player in the network, in a few words.

import type { NearbyPlayerView } from "../../../server/contract/ipc/ipc-nearby.ts";
import { t } from "../../locales/messages.ts";

export function nearbyState(
  player: Pick<NearbyPlayerView, "isWaiting" | "state" | "shown">,
): string {
  const { isWaiting, state, shown } = player;
  if (isWaiting) return t("screens.nearby.waiting");
  if (state === "open" && shown !== null)
    return t("screens.nearby.plays", { name: shown });
  return t(`screens.nearby.states.${state}`);
}
