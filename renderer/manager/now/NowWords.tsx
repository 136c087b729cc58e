// What is on the glass in words: its name, the verdict, how far it is, and what is next.

import type { ReactNode } from "react";
import type { NowV2 } from "../../../server/contract/v2-glass.ts";
import { addressOf } from "../place.ts";
import { KindIcon } from "../parts/KindIcon.tsx";
import { texts } from "../texts/texts.ts";
import { ShowingProgress } from "./ShowingProgress.tsx";
import { useVerdict } from "./use-verdict.ts";
import { VerdictSign } from "./VerdictSign.tsx";

export function NowWords({ now }: { readonly now: NowV2 }): ReactNode {
  const { showing, next } = now;
  const verdict = useVerdict();
  const isCard = showing?.kind === "card";
  return (
    <div className="now-words">
      <div className="now-showing">
        <h2 className="now-name" title={showing?.name}>
          {showing ? <KindIcon kind={showing.kind} size={22} /> : null}
          <span className="name">
            {showing === null ? (
              texts.now.nothingYet
            ) : isCard ? (
              texts.now.houseCard
            ) : (
              <bdi>{showing.name}</bdi>
            )}
          </span>
        </h2>
        <p className="now-verdict" data-tone={verdict.tone}>
          <VerdictSign tone={verdict.tone} size={18} />
          <span>{verdict.sentence}</span>
        </p>
        <p className="quiet now-help">
          {verdict.help === null ? null : <span>{verdict.help}</span>}{" "}
          <a className="text-link" href={addressOf("schedule")}>
            {texts.now.seeWhy}
          </a>
        </p>
      </div>
      {showing && !isCard ? <ShowingProgress showing={showing} /> : null}
      <p className="now-next" title={next?.name}>
        {next ? (
          <>
            <span className="quiet">{texts.now.next}</span>{" "}
            <bdi>{next.name}</bdi>
          </>
        ) : isCard ? null : (
          <span className="quiet">{texts.now.nothingNext}</span>
        )}
      </p>
    </div>
  );
}
