// What is on the glass, why, since when and until when, and what comes next, in one answer.

import type { Now } from "../contract/ipc.ts";
import type { HouseCard } from "../core/slide.ts";
import type { Director } from "./director.ts";
import { becauseOf, type BecauseOptions } from "./reasons.ts";

export interface NowOptions extends BecauseOptions {
  readonly director: Director;
  readonly card: HouseCard;
}

export function nowOf(options: NowOptions): Now {
  const { director, card } = options;
  const showing = director.showing();
  const next = director.next();
  return {
    showing: showing && {
      slideId: showing.slide.id,
      assetId: showing.slide.assetId,
      name: showing.slide.name,
      kind: showing.slide.content.kind,
      reason: showing.reason,
      because: becauseOf(showing, options),
      verdict: showing.verdict?.verdict ?? null,
      sinceMs: showing.sinceMs,
      untilMs: showing.untilMs,
    },
    next: next && { assetId: next.id, name: next.name },
    playerName: card.playerName,
    apiAddress: card.apiAddress,
  };
}
