// A low download limit on connections with a stall timeout: neither ends what the other allows.

import { describe, expect, it } from "vitest";
import { systemClock } from "../../../../server/platform/clock.ts";
import { createRate } from "../../../../server/platform/http/transfer-rate.ts";
import { manualClock } from "../../../support/clock.ts";
import {
  cloudImage,
  serveFaultyCloud,
} from "../../../support/faulty-service/faulty-service.ts";
import { startSync } from "../../../support/sync/start-sync.ts";

const kibibyte = 1024;
/** The lowest limit that a connection accepts. */
const lowest = kibibyte;
const low = 4 * kibibyte;

/** Pauses and monotonic time alike: half a minute of silence is then a second, longer than a busy machine stands still. */
const times = 30;
const fast = {
  ...systemClock,
  monotonic: () => systemClock.monotonic() * times,
  after: (ms: number, act: () => void) => systemClock.after(ms / times, act),
};

describe("[V2-217] a low limit", () => {
  it("breaks no download that waits for it: each file is requested once, and arrives", async () => {
    const cloud = await serveFaultyCloud();
    // More than a socket reads ahead by itself.
    const images = ["one", "two", "three", "four"].map((id, place) =>
      cloudImage(id, [place, 9, 9], 280 * kibibyte),
    );
    cloud.playlists = [{ id: "P1", assets: images }];
    const running = await startSync({ sync: { clock: fast, silenceMs: 1000 } });
    const startedAt = fast.monotonic();
    await running.connect({ baseUrl: cloud.address, rateLimit: low });
    expect(running.sync.status()).toMatchObject([
      { isInSync: true, problem: null, itemFailures: [] },
    ]);
    for (const { id } of images) expect(cloud.fileRequests(id).length).toBe(1);
    const seconds = (fast.monotonic() - startedAt) / 1000;
    expect(seconds).toBeGreaterThan((4 * 280 * kibibyte) / low - 1);
  });
});

describe("a rate", () => {
  it.each([
    [lowest, 64, 2],
    [100 * kibibyte, 6400, 2],
    [512 * kibibyte, 32 * kibibyte, 8],
    [100 * kibibyte * kibibyte, 64 * kibibyte, 1600],
  ])(
    "of %d bytes a second is used in steps of %d, by enough downloads at once (%d) that none waits for more than a second",
    (limit, step, atOnce) => {
      const rate = createRate(manualClock());
      rate.limit(limit);
      expect(rate.stepBytes()).toBe(step);
      expect(rate.maxAtOnce()).toBe(atOnce);
      expect((Math.min(16, atOnce) * step) / limit).toBeLessThanOrEqual(1);
    },
  );

  it("that is lowered delays nobody for long because of earlier bytes", async () => {
    const clock = manualClock();
    const rate = createRate(clock);
    rate.limit(lowest);
    let isOver = false;
    void rate.take(1024 * kibibyte)?.then(() => (isOver = true));
    await clock.advance(2000);
    expect(isOver).toBe(true);
  });
});
