// JSON that was stored: read by wider bounds than what comes in, and by bounds all the same.

import { expect, it } from "vitest";
import {
  readJson,
  readStoredJson,
  writeJson,
} from "../../../server/platform/json-text.ts";

it("reads back a number that is longer than any that is taken, and spells out none without end", () => {
  const long = "1".repeat(1001);
  expect(() => readJson(long, 100)).toThrow("The number is too long");
  expect(writeJson(readStoredJson(long))).toBe(long);
  for (const endless of ["1e999999999", "1e-999999999", "1".repeat(10_001)])
    expect(() => readStoredJson(endless)).toThrow("The number is too long");
});
