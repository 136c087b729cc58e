// Checks whether a playback command is possible right now; rejects it with the reason otherwise.

import { playerSentences } from "../../contract/sentences/player-sentences.ts";
import { composeSentence } from "../../contract/sentence-templates.ts";
import { Failure } from "../../core/failure.ts";
import type { ScreenTakeover } from "../../core/director/planned-showing.ts";
import type { Library } from "../library/library.ts";
import type { LineupWatch } from "./lineup-watch.ts";
import { sentenceOf } from "./reasons.ts";
import type { Clock } from "../../platform/clock.ts";

export interface Orders {
  /** Throws `not-found` when nothing is due, `conflict` while a takeover has the screen. */
  assertSteppable(): void;
  /** Throws the same, and `not-found` for an asset that is not due. */
  assertDue(assetId: string): void;
}

export interface OrdersOptions {
  readonly library: Library;
  readonly watch: Pick<LineupWatch, "lineup" | "schedule">;
  /** The current takeover, unless it cannot be shown. */
  readonly activeTakeover: () => ScreenTakeover | null;
  readonly clock: Clock;
  readonly isStill?: boolean;
}

export function createOrders(options: OrdersOptions): Orders {
  const { library, watch, activeTakeover, clock } = options;

  /** By the end of the takeover the command would be outdated: it is rejected instead of queued. */
  function assertTurnable(): void {
    if (options.isStill)
      throw new Failure("conflict", playerSentences["manager-only"]);
    if (activeTakeover())
      throw new Failure(
        "conflict",
        "A takeover is on the screen; DELETE /api/v2/takeover ends it.",
      );
  }

  function whyNot(assetId: string): string {
    const candidates = watch.schedule().candidatesAt(clock.now());
    const candidate = candidates.find((one) => one.assetId === assetId);
    const sentence = candidate
      ? sentenceOf(candidate.reason)
      : playerSentences["in-no-playlist"];
    return sentence.replace(/^It/, "it");
  }

  return {
    assertSteppable: () => {
      assertTurnable();
      if (watch.lineup().entries.length === 0)
        throw new Failure("not-found", playerSentences["nothing-due"]);
    },
    assertDue: (assetId) => {
      library.asset(assetId);
      assertTurnable();
      if (!watch.lineup().entries.some((entry) => entry.asset.id === assetId))
        throw new Failure(
          "not-found",
          composeSentence(playerSentences["asset-not-due"], {
            id: assetId,
            why: whyNot(assetId),
          }),
        );
    },
  };
}
