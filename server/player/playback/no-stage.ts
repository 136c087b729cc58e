// A stage without a screen: it takes every slide at once and only remembers which is up.

import type { Slide, SlideKind } from "../../core/slide.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Stage } from "./stage.ts";

/** What plays to its own end needs one, and without a screen nobody sees when that is. */
const clipMs = 10_000;
const withOwnEnd: readonly SlideKind[] = ["video", "audio", "pdf"];

export interface NoStage extends Stage {
  visible(): Slide | null;
}

export function createNoStage(clock: Clock): NoStage {
  let prepared: Slide | null = null;
  let visible: Slide | null = null;
  let ended = (_slideId: string): void => undefined;
  let stopClip = (): void => undefined;
  return {
    visible: () => visible,
    prepare: (slide) => {
      prepared = slide;
      return Promise.resolve();
    },
    show: (slideId) => {
      if (prepared?.id !== slideId)
        return Promise.reject(new Error("shown without being prepared"));
      const slide = prepared;
      visible = slide;
      prepared = null;
      stopClip();
      const isClip =
        slide.durationSeconds === null &&
        withOwnEnd.includes(slide.content.kind);
      if (isClip) stopClip = clock.after(clipMs, () => ended(slide.id));
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
