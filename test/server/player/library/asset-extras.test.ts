// Serialisation of optional asset fields to a database column and back.

import { describe, expect, it } from "vitest";
import { plainExtras } from "../../../../server/contract/v2/v2-extras.ts";
import {
  extrasOf,
  extrasToText,
  isValidText,
  partsFromText,
  withExtras,
} from "../../../../server/player/library/asset-extras.ts";

describe("the extras column", () => {
  it("is empty when every field has its default", () => {
    expect(extrasToText(plainExtras)).toBeNull();
    expect(extrasToText({ ...plainExtras, headers: {}, volume: null })).toBe(
      null,
    );
    expect(extrasOf(partsFromText(null))).toEqual(plainExtras);
  });

  it("stores the fields that differ from the default and returns them", () => {
    const extras = withExtras(plainExtras, {
      ...{
        volume: 0,
        days: [7],
        playsFrom: "22:00:00",
        playsUntil: "06:00:01",
      },
      ...{ metadata: { a: [null] }, isRenderedHere: false },
    });
    const text = extrasToText(extras) ?? "";
    expect(Object.keys(JSON.parse(text) as object).sort()).toEqual(
      ["days", "isRenderedHere", "metadata", "playsFrom", "playsUntil"].concat(
        "volume",
      ),
    );
    expect(isValidText(text)).toBe(true);
    const parts = partsFromText(text);
    expect(parts.hours).toEqual({
      ...{ days: [7], fromMs: 79_200_000, untilMs: 21_601_000 },
    });
    expect(extrasOf(parts)).toEqual(extras);
  });

  it.each([
    "",
    "[",
    "7",
    '{"colour":1,"volume":5}',
    '{"zoomPercent":9,"volume":5}',
    '{"playsFrom":"09:00:00","volume":5}',
    '{"playsFrom":"09:00:00","playsUntil":"09:00","volume":5}',
  ])(
    "with %j is reported as invalid, and its valid fields still apply",
    (text) => {
      expect(isValidText(text)).toBe(false);
      const volume = text.includes("volume") ? 5 : null;
      expect(extrasOf(partsFromText(text))).toEqual({ ...plainExtras, volume });
    },
  );
});
