// Counts of what each address uses of the site server.

import { expect, it } from "vitest";
import {
  createClientCounts,
  siteServerLimits,
} from "../../../../../server/player/sync/site/client-counts.ts";

it("[V2-827] a transfer that ends after its connection is counted once", () => {
  let now = 0;
  const counts = createClientCounts(() => now);
  expect(counts.connect("10.0.0.1")).toBe(true);
  expect(counts.beginTransfer("10.0.0.1")).toBe(true);
  counts.disconnect("10.0.0.1");
  now = 5_000;
  // Those that are gone are forgotten.
  counts.connect("10.0.0.2");
  counts.endTransfer("10.0.0.1");
  for (let n = 0; n < siteServerLimits.transfersOfOne; n += 1)
    expect(counts.beginTransfer("10.0.0.1")).toBe(true);
  expect(counts.beginTransfer("10.0.0.1")).toBe(false);
});
