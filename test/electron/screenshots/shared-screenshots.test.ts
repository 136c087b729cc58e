// Screenshots for many clients at once, on a manual clock.

import { describe, expect, it } from "vitest";
import { shareScreenshots } from "../../../electron/screenshots/shared-screenshots.ts";
import { manualClock } from "../../support/clock.ts";

/** Each screenshot is its number, and is there when the test says so. */
function start() {
  const clock = manualClock();
  const begun: ((error?: Error) => void)[] = [];
  const request = shareScreenshots(
    () =>
      new Promise<number>((resolve, reject) => {
        const number = begun.length + 1;
        begun.push((error) => (error ? reject(error) : resolve(number)));
      }),
    clock,
  );
  return { clock, begun, request };
}

describe("screenshots for many clients", () => {
  it("[V2-880] takes the first at once", async () => {
    const { clock, begun, request } = start();
    const first = request();
    await clock.advance(0);
    expect(begun).toHaveLength(1);
    begun[0]?.();
    expect(await first).toBe(1);
  });

  it("[V2-880] gives those that come meanwhile the next one, which begins half a second after the one before", async () => {
    const { clock, begun, request } = start();
    const first = request();
    await clock.advance(100);
    const others = Array.from({ length: 50 }, () => request());
    begun[0]?.();
    expect(await first).toBe(1);
    await clock.advance(399);
    expect(begun).toHaveLength(1);
    await clock.advance(1);
    expect(begun).toHaveLength(2);
    begun[1]?.();
    expect(new Set(await Promise.all(others))).toEqual(new Set([2]));
  });

  it("[V2-880] never takes two at the same time, and shows the screen as it is after the request", async () => {
    const { clock, begun, request } = start();
    const first = request();
    await clock.advance(0);
    const second = request();
    await clock.advance(3000);
    expect(begun).toHaveLength(1);
    begun[0]?.();
    await first;
    await clock.advance(0);
    expect(begun).toHaveLength(2);
    // The second one has begun, and may be older than this request.
    const third = request();
    begun[1]?.();
    expect(await second).toBe(2);
    await clock.advance(500);
    begun[2]?.();
    expect(await third).toBe(3);
  });

  it("[V2-880] takes the next one although one failed", async () => {
    const { clock, begun, request } = start();
    const first = request();
    await clock.advance(0);
    const second = request();
    begun[0]?.(new Error("no graphics"));
    await expect(first).rejects.toThrow("no graphics");
    await clock.advance(500);
    begun[1]?.();
    expect(await second).toBe(2);
  });

  it("[V2-880] does not delay one client that asks every two seconds", async () => {
    const { clock, begun, request } = start();
    for (let round = 0; round < 3; round++) {
      const one = request();
      await clock.advance(0);
      begun[round]?.();
      expect(await one).toBe(round + 1);
      await clock.advance(1800);
    }
  });
});
