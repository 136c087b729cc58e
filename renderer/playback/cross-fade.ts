// Fades one layer in over another, on the compositor only.

import { crossFadeMs } from "../../server/core/showing.ts";

const lessMotion = window.matchMedia("(prefers-reduced-motion: reduce)");

export interface Fade {
  readonly done: Promise<void>;
  readonly lastsMs: number;
  /** Jumps to the end of the fade. */
  hurry(): void;
}

/** With reduced motion set in the system, a cut replaces the fade. */
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
    // A fade that is cancelled is over, too: otherwise no later change would begin.
    done: animation.finished.then(
      () => undefined,
      () => undefined,
    ),
    lastsMs: crossFadeMs,
    hurry: () => animation.finish(),
  };
}
