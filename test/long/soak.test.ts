// The soak in its short form: forty seconds of one-second items of every kind; `npm run soak -- 30m` is the whole of it.

import { describe, expect, it } from "vitest";
import { fitLine } from "./soak/fit.ts";
import { soak } from "./soak/soak.ts";

describe("the fit of the soak", () => {
  const saw = (at: number): number => (at % 20) * 3;
  const series = (perSample: number) =>
    Array.from({ length: 300 }, (_sample, at) => ({
      atMs: at * 5000,
      value: 100 + saw(at) + at * perSample,
    }));

  it("takes a saw for noise, and a saw that climbs for growth", () => {
    expect(fitLine(series(0)).leastPerHour).toBeLessThan(0);
    const climbing = fitLine(series(0.2));
    expect(climbing.leastPerHour).toBeGreaterThan(0);
    expect(climbing.leastPerHour).toBeLessThan(0.2 * 720);
    expect(climbing.mostPerHour).toBeGreaterThan(0.2 * 720);
  });
});

describe("the app, playing one-second items of every kind", () => {
  it("holds its media elements, and neither nodes nor descriptors nor memory run away", async () => {
    // So soon, caches still fill: only what would be a leak with every item is told from that.
    const limits = { mebibytes: 3600, descriptors: 3600, nodes: 3600 };
    const report = await soak({
      ...{ warmUpMs: 12_000, watchMs: 30_000, everyMs: 1000, limits },
    });
    expect(report.mediaElements).toBe(3);
    expect(report.swaps).toBeGreaterThan(20);
    expect(report.lines.filter(({ grows }) => grows)).toEqual([]);
  });
});
