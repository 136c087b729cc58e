// A stage without a screen: accepts every showing immediately and only remembers which one is visible.

import type { Showing, ShowingKind } from "../../core/showing.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Stage } from "./stage.ts";

/** Assets that play to their own end need a length, and without a screen nobody observes that end. */
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
        return Promise.reject(new Error("shown before it was prepared"));
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
    // Nothing is loaded, so nothing can fail or be lost.
    onFailed: () => undefined,
    onRestarted: () => undefined,
  };
}
