// How single values are read: what is taken, what is refused, and what comes back.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  momentToText,
  readBoolean,
  readDuration,
  readMoment,
  readText,
} from "../../../../server/contract/v2/v2-values.ts";

const invalidMoment = { sentence: expect.any(String) as string };

describe("[V2-8] a moment", () => {
  it.each([
    ["2026-01-31T09:30:00Z", "2026-01-31T09:30:00Z"],
    ["2026-01-31 09:30", "2026-01-31T09:30:00Z"],
    ["2026-01-31", "2026-01-31T00:00:00Z"],
    ["2026-01-31T09:30:00.250+02:00", "2026-01-31T07:30:00.250Z"],
    ["2026-01-31T09:30:00-0530", "2026-01-31T15:00:00Z"],
    ["2024-02-29T23:59:59.123456Z", "2024-02-29T23:59:59.123Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"],
    ["2039-01-19T03:14:08Z", "2039-01-19T03:14:08Z"],
  ])("%s is %s", (text, answered) => {
    const reading = readMoment(text);
    expect("value" in reading && momentToText(reading.value)).toBe(answered);
  });

  it.each([
    ["2026-02-30", "2025-02-29", "2026-13-01", "2026-00-10", "0000-01-01"],
    ["2026-01-31T24:00:00Z", "2026-01-31T10:60Z", "10:30", "soon", ""],
    ["0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-00:01"],
    ["2026-01-31T09:30:00+25:00", 1_700_000_000, true, {}, null, "2026-1-1"],
  ])("refuses %s and the like", (...texts) => {
    for (const text of texts) expect(readMoment(text)).toEqual(invalidMoment);
  });

  it("comes back as it went, whatever the moment", () => {
    fc.assert(
      fc.property(
        fc.date({
          min: new Date("0001-01-01T00:00:00Z"),
          max: new Date("9999-12-31T23:59:59Z"),
          noInvalidDate: true,
        }),
        (date) => {
          const reading = readMoment(momentToText(date.getTime()));
          expect(reading).toEqual({ value: date.getTime() });
        },
      ),
    );
  });
});

describe("[V2-6] other values", () => {
  it.each([[true], [1], ["1"], ["True"], ["yes"], [" on "]])(
    "%j is true",
    (raw) => expect(readBoolean(raw)).toEqual({ value: true }),
  );
  it.each([[false], [0], ["0"], ["FALSE"], ["no"]])("%j is false", (raw) =>
    expect(readBoolean(raw)).toEqual({ value: false }),
  );
  it.each([[null], [2], ["maybe"], [[]], [{}], [""]])(
    "%j is no boolean",
    (raw) => expect(readBoolean(raw)).toEqual(invalidMoment),
  );
  it.each([["10"], [10], [10.0], ["10.0"]])("%j is ten seconds", (raw) =>
    expect(readDuration(raw)).toEqual({ value: 10 }),
  );
  it.each([
    [1.5],
    ["1.5"],
    [true],
    ["ten"],
    [-1],
    [31_536_001],
    [9e99],
    [null],
  ])("[V2-7] %j is no duration", (raw) =>
    expect(readDuration(raw)).toEqual(invalidMoment),
  );
  it("cuts text of its blanks and refuses what is none", () => {
    const read = readText(5);
    expect(read("  ab ")).toEqual({ value: "ab" });
    expect(read(12)).toEqual({ value: "12" });
    for (const raw of [
      "",
      "  ",
      null,
      true,
      [],
      {},
      "a\0b",
      "abcdef",
      "\ud800",
    ])
      expect(read(raw)).toEqual(invalidMoment);
  });
});
