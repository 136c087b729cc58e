// now: what is on the glass, why, since when and until when, and what comes next (V2-72).

import type { NowV2 } from "../../contract/v2-beyond.ts";
import { momentToText } from "../../contract/v2-values.ts";
import type { Director } from "../director.ts";

export function nowToV2(
  director: Director,
  playerName: string,
  moment: number,
): NowV2 {
  const showing = director.showing();
  const next = director.next();
  return {
    time: momentToText(moment),
    player_name: playerName,
    showing: showing && {
      asset_id: showing.slide.assetId,
      name: showing.slide.name,
      kind: showing.slide.content.kind,
      reason: showing.reason,
      since: momentToText(Math.round(showing.sinceMs)),
      until:
        showing.untilMs === null
          ? null
          : momentToText(Math.round(showing.untilMs)),
    },
    next: next && { asset_id: next.id, name: next.name },
  };
}
