// Compares screenshots: a grid of points, how far two grids differ, and whether there is only one colour.

/** Four bytes per pixel: blue, green, red and one that is ignored. */
export interface PixelImage {
  readonly width: number;
  readonly height: number;
  readonly pixels: Buffer;
}

/** Points in columns and lines, three bytes each. */
export type Grid = Buffer;

export const gridColumns = 64;
/** Few: each line of a view is captured separately, which is far cheaper than the whole. */
export const gridLines = 12;

/** This many line numbers, evenly spread over a height. */
export function linesOf(height: number, count: number): readonly number[] {
  const most = Math.min(count, height);
  return Array.from({ length: most }, (_, at) =>
    Math.floor(((at + 0.5) * height) / most),
  );
}

/** The pixel in the middle of each cell, unscaled: the same place in two screenshots of one thing has the same colour. */
export function gridOf({ width, height, pixels }: PixelImage): Grid {
  const grid = Buffer.alloc(gridColumns * gridLines * 3);
  let to = 0;
  for (let line = 0; line < gridLines; line += 1) {
    const y = Math.floor(((line + 0.5) * height) / gridLines);
    for (let column = 0; column < gridColumns; column += 1) {
      const x = Math.floor(((column + 0.5) * width) / gridColumns);
      const at = (y * width + x) * 4;
      grid[to++] = pixels[at] ?? 0;
      grid[to++] = pixels[at + 1] ?? 0;
      grid[to++] = pixels[at + 2] ?? 0;
    }
  }
  return grid;
}

/** Tolerance for decoders, scalers and a moving clock. */
const smallStep = 24;
/** Share of the points; a page's caret or clock is far below, a view that covers it far above. */
const maxOutlierShare = 0.2;

/** Whether both show the same, except for what moves in a corner. */
export function isAlike(a: Grid, b: Grid): boolean {
  let outliers = 0;
  for (let at = 0; at < a.length; at += 3) {
    const step = Math.max(
      Math.abs((a[at] ?? 0) - (b[at] ?? 0)),
      Math.abs((a[at + 1] ?? 0) - (b[at + 1] ?? 0)),
      Math.abs((a[at + 2] ?? 0) - (b[at + 2] ?? 0)),
    );
    if (step > smallStep) outliers += 1;
  }
  return outliers <= (a.length / 3) * maxOutlierShare;
}

/**
 * Whether two series of samples show the same thing, though it moves: no single sample of one has to match one of the other. A
 * point differs where the colours of the two never meet, or where the view moves and the screen does not.
 */
export function isAlikeOverTime(
  screens: readonly Grid[],
  owns: readonly Grid[],
): boolean {
  const length = owns[0]?.length ?? 0;
  let outliers = 0;
  for (let at = 0; at < length; at += 3)
    if (isOutlierOverTime(screens, owns, at)) outliers += 1;
  return outliers <= (length / 3) * maxOutlierShare;
}

function isOutlierOverTime(
  screens: readonly Grid[],
  owns: readonly Grid[],
  at: number,
): boolean {
  if (!movesAt(owns, at, smallStep))
    return !screens.some((screen) => isNearAt(screen, owns[0], at));
  if (!movesAt(screens, at, sameColour)) return true;
  return [0, 1, 2].some((part) => {
    const [least, most] = rangeAt(owns, at + part);
    const [seenLeast, seenMost] = rangeAt(screens, at + part);
    return seenMost + smallStep < least || most + smallStep < seenLeast;
  });
}

/** Whether the samples of a series differ at more than a few stray points. */
export function isMoving(grids: readonly Grid[]): boolean {
  const length = grids[0]?.length ?? 0;
  let moving = 0;
  for (let at = 0; at < length; at += 3)
    if (movesAt(grids, at, smallStep)) moving += 1;
  return moving > (length / 3) * maxOutlierShare;
}

function movesAt(grids: readonly Grid[], at: number, step: number): boolean {
  return [0, 1, 2].some((part) => {
    const [least, most] = rangeAt(grids, at + part);
    return most - least > step;
  });
}

function rangeAt(
  grids: readonly Grid[],
  at: number,
): readonly [least: number, most: number] {
  const values = grids.map((grid) => grid[at] ?? 0);
  return [Math.min(...values), Math.max(...values)];
}

function isNearAt(a: Grid, b: Grid | undefined, at: number): boolean {
  return [0, 1, 2].every(
    (part) =>
      Math.abs((a[at + part] ?? 0) - (b?.[at + part] ?? 0)) <= smallStep,
  );
}

/** Tolerance for a screen's own rounding. */
const sameColour = 6;

/** Share of the points: rounded corners, an edge or a stray pixel are not content. */
const maxOutlierShareOfPlain = 0.01;

/** Whether at least 99 of 100 points have one colour; text on a plain background has more points of its own. */
export function isPlain(pixels: Uint8Array, bytesAPixel: 3 | 4 = 4): boolean {
  const ground = [0, 1, 2].map((part) => medianOf(pixels, part, bytesAPixel));
  let outliers = 0;
  for (let at = 0; at < pixels.length; at += bytesAPixel) {
    const isOutlier = ground.some(
      (value, part) => Math.abs((pixels[at + part] ?? 0) - value) > sameColour,
    );
    if (isOutlier) outliers += 1;
  }
  return outliers < (pixels.length / bytesAPixel) * maxOutlierShareOfPlain;
}

function medianOf(
  pixels: Uint8Array,
  part: number,
  bytesAPixel: number,
): number {
  const counts = new Uint32Array(256);
  for (let at = part; at < pixels.length; at += bytesAPixel)
    counts[pixels[at] ?? 0]! += 1;
  let seen = 0;
  const half = pixels.length / bytesAPixel / 2;
  return counts.findIndex((count) => (seen += count) >= half);
}

/** Whether every single point has one colour. */
export function isOneColour(
  pixels: Uint8Array,
  bytesAPixel: 3 | 4 = 4,
): boolean {
  const least = [255, 255, 255];
  const most = [0, 0, 0];
  for (let at = 0; at < pixels.length; at += bytesAPixel)
    for (let part = 0; part < 3; part += 1) {
      const value = pixels[at + part] ?? 0;
      if (value < (least[part] ?? 0)) least[part] = value;
      if (value > (most[part] ?? 0)) most[part] = value;
    }
  return most.every((value, part) => value - (least[part] ?? 0) <= sameColour);
}
