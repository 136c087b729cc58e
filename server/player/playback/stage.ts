// The stage as the director sees it: prepares showings out of sight and swaps them in.

import type { Verdict } from "../../core/director/verification-results.ts";
import type { LineupEntry } from "../../core/schedule/schedule.ts";
import type { Showing, AudioSettings } from "../../core/showing.ts";

export interface Stage {
  /**
   * Loads a showing out of sight. Resolves once showing it only takes a swap; rejects with a Failure whose message says why it
   * cannot be shown. Preparing another showing abandons one that was not shown yet.
   */
  prepare(showing: Showing): Promise<void>;
  /** Swaps the prepared showing in; resolves when it is on screen. */
  show(showingId: string): Promise<void>;
  /** Changes the sound of the current showing. */
  tune?(showingId: string, audio: AudioSettings): void;
  /** A showing reached its own end (a video that does not loop). */
  onEnded(listener: (showingId: string) => void): void;
  /** A showing failed while on screen: the director moves to the next one. */
  onFailed(listener: (showingId: string, reason: string) => void): void;
  /** A fresh copy of a page on the screen could not be loaded, so that the old one stays, or, with null, is visible (V2-740). */
  onRefreshed?(
    listener: (showingId: string, problem: string | null) => void,
  ): void;
  /** The stage was lost and has restarted with nothing on it: the director restores what was showing. */
  onRestarted(listener: (loss: StageLoss) => void): void;
  /**
   * The stage was lost and has not restarted, or does not respond: until it does, nothing counts as late (V2-353, V2-460, V2-463).
   */
  isAway?(): boolean;
  /** Reports the periodic comparison of the screen with what should be on it; missing on a stage that cannot capture its screen. */
  onVerdict?(listener: (verdict: ScreenVerdict) => void): void;
  /**
   * The stage, the graphics, network or audio process does not respond, or did not for a while, or file descriptors are running
   * low: no asset is blamed for that (V2-411, V2-653, V2-663, V2-728).
   */
  onDisturbed?(listener: (what: Disturbance) => void): void;
  /** A page that may, or is proven to, hang or crash the graphics process: it is closed already (V2-735). */
  onGraphicsBlamed?(listener: (blame: GraphicsBlamed) => void): void;
  /** What is due as of now: shown when there is no store any more. */
  keepPlan?(entries: readonly LineupEntry[]): void;
}

export interface GraphicsBlamed {
  /** Its last showing. */
  readonly showingId: string;
  /** Null for a page that is no asset. */
  readonly assetId: string | null;
  readonly isProven: boolean;
}

export type Disturbance =
  | "stage-silent"
  | "graphics-lost"
  | "network-lost"
  | "audio-lost"
  | "descriptors-few";

/** How a stage was lost: its process is gone, or hung and was ended for that reason, whatever it was showing (V2-460). */
export type StageLoss = "gone" | "silent";

/** Result of a verification of the screen. */
export type ScreenVerdict = Verdict;
