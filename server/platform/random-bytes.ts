// Chance by the handful: asked of the system for many at once, handed out a few at a time.

import { randomFillSync } from "node:crypto";

/** A question to the system costs as much as a hundred bytes of its answer. */
const supplyBytes = 4096;

/** Answers so many bytes, at most 256, none of them twice; they hold until the next are asked for. */
export function createRandomBytes(): (count: number) => Uint8Array {
  const supply = new Uint8Array(supplyBytes);
  let used = supplyBytes;
  return (count) => {
    if (used + count > supplyBytes) {
      randomFillSync(supply);
      used = 0;
    }
    used += count;
    return supply.subarray(used - count, used);
  };
}
