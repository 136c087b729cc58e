// Where a pointer is along a track, and which way a key leads, in the direction that is read.

import { direction } from "../texts/texts.ts";

/** 0 at the beginning, 1 at the end; less and more outside. */
export function shareAt(
  { clientX }: { readonly clientX: number },
  track: Element,
): number {
  const { left, width } = track.getBoundingClientRect();
  if (width === 0) return 0;
  const share = (clientX - left) / width;
  return direction === "rtl" ? 1 - share : share;
}

/** 1 for the arrow that leads on, -1 for the one that leads back. */
export function onwards(key: "ArrowLeft" | "ArrowRight"): 1 | -1 {
  return (key === "ArrowRight") === (direction === "ltr") ? 1 : -1;
}
