// Comparison of two screenshots: whether they are alike, and whether one is of a single colour.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  gridColumns,
  gridLines,
  gridOf,
  isAlike,
  isOneColour,
  isPlain,
  linesOf,
  type PixelImage,
} from "../../../electron/screenshots/compare-screenshots.ts";

type Paint = (x: number, y: number) => readonly [number, number, number];

function painted(width: number, height: number, paint: Paint): PixelImage {
  const pixels = Buffer.alloc(width * height * 4);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      pixels.set([...paint(x / width, y / height), 255], (y * width + x) * 4);
  return { width, height, pixels };
}

const halves: Paint = (x) => (x < 0.5 ? [10, 20, 200] : [200, 20, 10]);

describe("a screenshot", () => {
  it("[V2-191] is sampled in the middle of each cell, whatever its size", () => {
    const grid = gridOf(painted(1280, 720, halves));
    expect(grid).toHaveLength(gridColumns * gridLines * 3);
    expect(gridOf(painted(1920, 1080, halves))).toEqual(grid);
    expect(linesOf(720, 3)).toEqual([120, 360, 600]);
    expect(linesOf(2, 12)).toEqual([0, 1]);
  });

  it("[V2-191] is like another in spite of rounding and of something small that moves, and not when a view covers a third of it", () => {
    const grid = gridOf(painted(640, 360, halves));
    const covered = (over: Paint | null, upTo: number): Buffer =>
      gridOf(
        painted(640, 360, (x, y) => {
          const [a, b, c] = halves(x, y);
          return over && x < upTo ? over(x, y) : [a + 5, b + 5, c + 5];
        }),
      );
    const white: Paint = () => [255, 255, 255];
    expect(isAlike(grid, covered(null, 0))).toBe(true);
    expect(isAlike(grid, covered(white, 0.15))).toBe(true);
    expect(isAlike(grid, covered(white, 0.34))).toBe(false);
  });

  it("[V2-191] is plain when fewer than one point in a hundred differs from one colour, wherever these are", () => {
    const ground = fc.tuple(...[0, 1, 2].map(() => fc.nat(255)));
    const outliers = fc.uniqueArray(fc.nat(64 * 36 - 1), { maxLength: 22 });
    fc.assert(
      fc.property(ground, outliers, (colour, places) => {
        const [red = 0, green = 0, blue = 0] = colour;
        const { pixels } = painted(64, 36, () => [red, green, blue]);
        for (const place of places)
          pixels.set([255 - red, 128, 255 - blue], place * 4);
        return isPlain(pixels);
      }),
    );
  });

  it("[V2-191] is not plain with text on a plain background, nor with two halves", () => {
    // Strokes of one column in eight, in a tenth of the height.
    const text: Paint = (x, y) =>
      y > 0.45 && y < 0.58 && Math.floor(x * 64) % 8 === 0
        ? [20, 20, 20]
        : [255, 255, 255];
    expect(isPlain(painted(64, 36, text).pixels)).toBe(false);
    expect(isPlain(painted(64, 36, halves).pixels)).toBe(false);
  });

  it("[V2-191] has one colour only if all points are equal: two close colours are two", () => {
    expect(isOneColour(painted(64, 36, () => [9, 9, 9]).pixels)).toBe(true);
    const noisy = painted(64, 36, (x) => [9 + (x > 0.5 ? 4 : 0), 9, 9]);
    expect(isOneColour(noisy.pixels)).toBe(true);
    const two = painted(64, 36, (x) => [9 + (x > 0.9 ? 10 : 0), 9, 9]);
    expect(isOneColour(two.pixels)).toBe(false);
    expect(isOneColour(gridOf(two), 3)).toBe(false);
  });
});
