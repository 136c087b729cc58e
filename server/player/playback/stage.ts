// The stage as the director sees it: something that prepares slides out of sight and swaps them in.

import type { Verdict } from "../../core/director/verdicts.ts";
import type { LineupEntry } from "../../core/schedule/schedule.ts";
import type { Showing, AudioSettings } from "../../core/showing.ts";

export interface Stage {
  /**
   * Loads a slide out of sight. Resolves once showing it would be a mere swap; rejects with a Failure
   * whose message says why it cannot be shown. Preparing another slide gives up one not yet shown.
   */
  prepare(showing: Showing): Promise<void>;
  /** Swaps the prepared slide onto the glass; resolves when it is there. */
  show(showingId: string): Promise<void>;
  /** The slide on the glass is heard like this from now on. */
  tune?(showingId: string, audio: AudioSettings): void;
  /** A slide came to its own end (a video that does not loop). */
  onEnded(listener: (showingId: string) => void): void;
  /** A slide failed while on the glass: the director steps on. */
  onFailed(listener: (showingId: string, reason: string) => void): void;
  /** The stage was lost and is up again, with nothing on it: the director puts the show back. */
  onRestarted(listener: (loss: StageLoss) => void): void;
  /** It was lost and is not up again, or does not answer: until then nothing is late (V2-353, V2-460, V2-463). */
  isAway?(): boolean;
  /** Now and then the glass is compared with what should be there; a stage that cannot see its glass has none of it. */
  onVerdict?(listener: (verdict: ScreenVerdict) => void): void;
  /** The stage, the graphics or the network process gives no sign of life, or gave none for a while, or descriptors are few: nothing is blamed for that (V2-411, V2-653, V2-663). */
  onDisturbed?(listener: (what: Disturbance) => void): void;
  /** What is due, as it is known now: to be shown when there is no store any more. */
  keepPlan?(entries: readonly LineupEntry[]): void;
}

export type Disturbance =
  "stage-silent" | "graphics-lost" | "network-lost" | "descriptors-few";

/** How a stage was lost: its process has gone, or stood still and was ended for it, whatever lay on it (V2-460). */
export type StageLoss = "gone" | "silent";

/** What a look at the glass has found. */
export type ScreenVerdict = Verdict;
