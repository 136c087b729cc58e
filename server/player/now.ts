// What is on the glass, since when and until when, and what comes next, in one answer.

import type { Now } from "../contract/ipc.ts";
import type { HouseCard } from "../core/slide.ts";
import type { Director } from "./director.ts";

export function nowOf(director: Director, card: HouseCard): Now {
  const showing = director.showing();
  const next = director.next();
  return {
    showing: showing && {
      slideId: showing.slide.id,
      assetId: showing.slide.assetId,
      name: showing.slide.name,
      kind: showing.slide.content.kind,
      sinceMs: showing.sinceMs,
      untilMs: showing.untilMs,
    },
    next: next && { assetId: next.id, name: next.name },
    playerName: card.playerName,
    apiAddress: card.apiAddress,
  };
}
