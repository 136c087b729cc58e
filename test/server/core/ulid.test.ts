// ULIDs sort by creation, and nothing else is recognized as one.

import { describe, expect, it } from "vitest";
import { createUlids, isUlid } from "../../../server/core/ulid.ts";

describe("identifiers", () => {
  it("contain their time and are recognized", () => {
    const make = createUlids((count) => new Uint8Array(count).fill(255));
    expect(make(0)).toBe("0000000000ZZZZZZZZZZZZZZZZ");
    expect(make(1469918176385)).toBe("01ARYZ6S41ZZZZZZZZZZZZZZZZ");
    expect(isUlid(make(1469918176385))).toBe(true);
    for (const text of ["", "01ARYZ6S41", "01aryz6s41zzzzzzzzzzzzzzzz"])
      expect(isUlid(text)).toBe(false);
    expect(isUlid("81ARYZ6S41ZZZZZZZZZZZZZZZZ")).toBe(false);
  });

  it("sort in order of creation, within a millisecond and when the clock is set back", () => {
    let randomBytes = 0;
    const make = createUlids((count) =>
      Array.from({ length: count }, () => (randomBytes += 7) % 31),
    );
    const created = [5, 5, 5, 9, 3, 9, 10].map((moment) => make(moment));
    expect([...created].sort()).toEqual(created);
    expect(new Set(created).size).toBe(created.length);
  });
});
