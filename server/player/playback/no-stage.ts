// A stage without a screen: it takes every slide at once and only remembers which is up.

import type { Showing, ShowingKind } from "../../core/showing.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Stage } from "./stage.ts";

/** What plays to its own end needs one, and without a screen nobody sees when that is. */
const clipMs = 10_000;
const selfEndingKinds: readonly ShowingKind[] = ["video", "audio", "pdf"];

export interface NoStage extends Stage {
  visible(): Showing | null;
}

export function createNoStage(clock: Clock): NoStage {
  let prepared: Showing | null = null;
  let visible: Showing | null = null;
  let ended = (_showingId: string): void => undefined;
  let stopClip = (): void => undefined;
  return {
    visible: () => visible,
    prepare: (showing) => {
      prepared = showing;
      return Promise.resolve();
    },
    show: (showingId) => {
      if (prepared?.id !== showingId)
        return Promise.reject(new Error("shown without being prepared"));
      const showing = prepared;
      visible = showing;
      prepared = null;
      stopClip();
      const isClip =
        showing.durationSeconds === null &&
        selfEndingKinds.includes(showing.content.kind);
      if (isClip) stopClip = clock.after(clipMs, () => ended(showing.id));
      return Promise.resolve();
    },
    onEnded: (listener) => {
      ended = listener;
    },
    // Nothing is loaded, so nothing fails or is lost.
    onFailed: () => undefined,
    onRestarted: () => undefined,
  };
}
