// Random bytes in batches: requested from the system many at a time, returned a few at a time.

import { randomFillSync } from "node:crypto";

/** A request to the system costs as much as a hundred of the bytes it returns. */
const supplyBytes = 4096;

/** Returns this many bytes, at most 256, none of them twice; they are valid until the next call. */
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
