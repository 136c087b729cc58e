// The first thing one sees: what is on the glass, for how long, what follows, and on which player.

import { ActionIcon, Tooltip } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { IconPlayerTrackNext, IconPlayerTrackPrev } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { ManagerInput, Now } from "../../server/contract/ipc.ts";
import { reasonOf, useNow, useStep } from "./api.ts";
import { GlassPicture } from "./GlassPicture.tsx";
import { sayFailed } from "./parts/outcome.ts";
import { KindIcon } from "./parts/KindIcon.tsx";
import { Trouble } from "./parts/Trouble.tsx";
import { PlayerIdentity } from "./PlayerIdentity.tsx";
import { ShowingProgress } from "./ShowingProgress.tsx";
import { texts } from "./texts/texts.ts";
import "./now-panel.css";

export function NowPanel(): ReactNode {
  const now = useNow();
  return (
    <section className="now-panel" aria-label={texts.now}>
      <GlassPicture showingName={now.data?.showing?.name ?? null} />
      <div className="now-words">
        {now.data ? (
          <NowWords now={now.data} />
        ) : now.isError ? (
          <Trouble
            sentence={texts.nowFailed}
            reason={reasonOf(now.error)}
            isTrying={now.isFetching}
            onTryAgain={() => void now.refetch()}
          />
        ) : (
          <p className="quiet after-a-moment">{texts.asking}</p>
        )}
      </div>
    </section>
  );
}

function NowWords({ now }: { readonly now: Now }): ReactNode {
  const { showing, next } = now;
  const isCard = showing?.kind === "card";
  const isIdle = next === null && (showing === null || isCard);
  return (
    <>
      <PlayerIdentity name={now.playerName} address={now.apiAddress} />
      <div className="now-showing">
        <h2 className="now-name" title={showing?.name}>
          {showing ? <KindIcon kind={showing.kind} size={24} /> : null}
          <span className="name">
            {showing === null ? (
              texts.nothingYet
            ) : isCard ? (
              texts.houseCard
            ) : (
              <bdi>{showing.name}</bdi>
            )}
          </span>
        </h2>
        {isCard ? (
          <p className="quiet">{texts.houseCardWhy}</p>
        ) : showing ? (
          <ShowingProgress showing={showing} />
        ) : null}
      </div>
      <div className="now-steps">
        <p className="now-next" title={next?.name}>
          {next ? (
            <>
              <span className="quiet">{texts.next}</span> <bdi>{next.name}</bdi>
            </>
          ) : isCard ? null : (
            <span className="quiet">{texts.nothingNext}</span>
          )}
        </p>
        <Steps isIdle={isIdle} />
      </div>
    </>
  );
}

/** Previous and next, by button or by arrow key anywhere but in a field. */
function Steps({ isIdle }: { readonly isIdle: boolean }): ReactNode {
  const { mutate, isPending } = useStep();
  const go = (direction: ManagerInput<"step">["direction"]) => {
    if (isPending || isIdle) return;
    mutate(
      { direction },
      {
        onError: (error) => {
          sayFailed(texts.stepFailed, error);
        },
      },
    );
  };
  useHotkeys([
    [
      "ArrowLeft",
      () => {
        go("previous");
      },
    ],
    [
      "ArrowRight",
      () => {
        go("next");
      },
    ],
  ]);
  return (
    <div className="now-buttons">
      <Tooltip label={`${texts.showPrevious} (←)`}>
        <ActionIcon
          variant="default"
          disabled={isIdle}
          aria-label={texts.showPrevious}
          aria-keyshortcuts="ArrowLeft"
          onClick={() => {
            go("previous");
          }}
        >
          <IconPlayerTrackPrev size={20} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={`${texts.showNext} (→)`}>
        <ActionIcon
          variant="default"
          disabled={isIdle}
          aria-label={texts.showNext}
          aria-keyshortcuts="ArrowRight"
          onClick={() => {
            go("next");
          }}
        >
          <IconPlayerTrackNext size={20} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}
