// Pooled random bytes: never the same bytes twice, however many are requested at once.

import { expect, it } from "vitest";
import { createRandomBytes } from "../../../server/platform/random-bytes.ts";

it("returns other bytes each time, across the end of its pool too", () => {
  const randomBytes = createRandomBytes();
  const given = Array.from({ length: 2000 }, () =>
    Buffer.from(randomBytes(15)).toString("hex"),
  );
  expect(given.every((bytes) => bytes.length === 30)).toBe(true);
  expect(new Set(given).size).toBe(2000);
});

it("returns every byte about equally often", () => {
  const randomBytes = createRandomBytes();
  const counts = new Uint32Array(256);
  for (let requests = 0; requests < 8192; requests += 1)
    for (const byte of randomBytes(16)) counts[byte] = (counts[byte] ?? 0) + 1;
  // 512 of each are expected; a seventh of that is beyond seven standard deviations.
  expect(Math.min(...counts)).toBeGreaterThan(350);
  expect(Math.max(...counts)).toBeLessThan(680);
});
