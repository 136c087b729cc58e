// What is on the glass in one line, on every page: its name, and whether it is as it should be.

import type { ReactNode } from "react";
import { useNow } from "../api.ts";
import { useVerdict } from "../now/use-verdict.ts";
import { VerdictSign } from "../now/VerdictSign.tsx";
import { addressOf } from "../place.ts";
import { KindIcon } from "../parts/KindIcon.tsx";
import { texts } from "../texts/texts.ts";

export function GlassLine(): ReactNode {
  const showing = useNow().data?.showing;
  const verdict = useVerdict();
  return (
    <a className="glass-line" href={addressOf("now")} title={verdict.sentence}>
      {showing ? <KindIcon kind={showing.kind} size={18} /> : null}
      <span className="glass-line-name">
        {showing ? (
          showing.kind === "card" ? (
            texts.now.houseCard
          ) : (
            <bdi>{showing.name}</bdi>
          )
        ) : (
          texts.now.nothingYet
        )}
      </span>
      <span className="glass-line-verdict" data-tone={verdict.tone}>
        <VerdictSign tone={verdict.tone} size={16} />
        <span className="glass-line-words">{verdict.sentence}</span>
      </span>
    </a>
  );
}
