// Whether the window is as narrow as a phone; style sheets use the same width.

export function isNarrow(): boolean {
  return window.matchMedia("(width < 760px)").matches;
}
