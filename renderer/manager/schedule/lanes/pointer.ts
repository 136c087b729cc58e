// Position of a pointer along a track, and direction of an arrow key, in reading direction.

import { direction } from "../../../locales/language.ts";

/** 0 at the start, 1 at the end; less or more outside. */
export function shareAt(
  { clientX }: { readonly clientX: number },
  track: Element,
): number {
  const { left, width } = track.getBoundingClientRect();
  if (width === 0) return 0;
  const share = (clientX - left) / width;
  return direction === "rtl" ? 1 - share : share;
}

/** 1 for the arrow that leads forward, -1 for the one that leads back. */
export function onwards(key: "ArrowLeft" | "ArrowRight"): 1 | -1 {
  return (key === "ArrowRight") === (direction === "ltr") ? 1 : -1;
}
