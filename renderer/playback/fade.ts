// One layer comes in over another, by the compositor alone.

import { crossFadeMs } from "../../server/core/showing.ts";

const lessMotion = window.matchMedia("(prefers-reduced-motion: reduce)");

export interface Fade {
  readonly done: Promise<void>;
  readonly lastsMs: number;
  /** Straight to its end. */
  hurry(): void;
}

/** Whoever asked their system for less motion sees a cut. */
export function canFade(): boolean {
  return !lessMotion.matches;
}

export function fadeIn(element: HTMLElement): Fade {
  const animation = element.animate([{ opacity: 0 }, { opacity: 1 }], {
    duration: crossFadeMs,
    easing: "ease-in-out",
    fill: "backwards",
  });
  return {
    done: animation.finished.then(() => undefined),
    lastsMs: crossFadeMs,
    hurry: () => animation.finish(),
  };
}
