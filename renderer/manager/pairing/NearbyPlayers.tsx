// Players in the network of this PC with their state; one that shows a PIN is paired by it (V2-768).

import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import type { NearbyPlayerView } from "../../../server/contract/ipc/ipc-nearby.ts";
import { t } from "../../locales/messages.ts";
import {
  NearbyName,
  NearbySection,
} from "../components/nearby/NearbySection.tsx";
import { useQuestion } from "../api/manager-queries.ts";

/** The search continues as long as it is requested. */
const pollMs = 2_000;

export function NearbyPlayers({
  onPair,
}: {
  readonly onPair: (player: NearbyPlayerView) => void;
}): ReactNode {
  const { data } = useQuestion("listNearbyPlayers", {}, { intervalMs: pollMs });
  return (
    <NearbySection
      title={t("screens.nearby.title")}
      list={data}
      nothing={t("screens.nearby.nothing")}
    >
      {(player) => (
        <>
          <div className="lines">
            <NearbyName {...player} />
            <span>{nearbyState(player)}</span>
          </div>
          {player.isWaiting ? (
            <Button
              variant="default"
              aria-label={t("screens.nearby.pairNamed", {
                name: player.name ?? player.address,
              })}
              onClick={() => {
                onPair(player);
              }}
            >
              {t("screens.nearby.pair")}
            </Button>
          ) : null}
        </>
      )}
    </NearbySection>
  );
}

function nearbyState(
  player: Pick<NearbyPlayerView, "isWaiting" | "state" | "shown">,
): string {
  const { isWaiting, state, shown } = player;
  if (isWaiting) return t("screens.nearby.waiting");
  if (state === "open" && shown !== null)
    return t("screens.nearby.plays", { name: shown });
  return t(`screens.nearby.states.${state}`);
}
