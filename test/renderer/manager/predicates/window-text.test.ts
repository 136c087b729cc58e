// Conversion of a weekly window to the text of its fields and back.

import { expect, it } from "vitest";
import {
  partsOfText,
  partsOfWindow,
  textOfParts,
  windowOfParts,
} from "../../../../renderer/manager/predicates/window-text.ts";

const hour = 3_600_000;
const lunch = { days: [1, 2], fromMs: 11.5 * hour, untilMs: 14 * hour };

it("a weekly window survives the conversion, and keeps the milliseconds of times that were not edited", () => {
  const exact = { ...lunch, untilMs: 14 * hour + 1 };
  for (const window of [lunch, exact]) {
    const text = textOfParts(partsOfWindow(window));
    expect(windowOfParts(partsOfText(text), window)).toEqual(window);
  }
  const parts = { ...partsOfWindow(exact), from: "10:00" };
  expect(windowOfParts(parts, exact)).toEqual({ ...exact, fromMs: 10 * hour });
});

it("a weekly window until midnight ends with its day, and is invalid while a time is half typed", () => {
  const parts = partsOfWindow(lunch);
  expect(windowOfParts({ ...parts, until: "00:00" }, lunch)).toEqual({
    ...{ ...lunch, untilMs: 24 * hour },
  });
  expect(windowOfParts({ ...parts, from: "" }, lunch)).toBeNull();
  expect(partsOfText(textOfParts({ ...parts, days: [] })).days).toEqual([]);
});
