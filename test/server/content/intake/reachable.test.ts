// Many pages looked at before their assets are stored: each has its own time.

import { expect, it } from "vitest";
import { assertReachable } from "../../../../server/content/intake/reachable.ts";
import { serveSources } from "../../../support/sources.ts";

it("[V4-304] refuses no sound page of a long list because those before it took their time", async () => {
  const names = Array.from({ length: 30 }, (_, index) => `/${index}`);
  const { address, asked } = await serveSources(
    Object.fromEntries(names.map((name) => [name, "<p>Page</p>"])),
  );
  // By the time that the next pages are asked, the time of those before them is over.
  let running: AbortController[] = [];
  const rounds: number[] = [];
  const whole = new AbortController();
  await assertReachable(
    names.map((name) => ({ source_url: address + name })),
    () => true,
    (ms) => {
      if (ms > 10_000) return whole.signal;
      expect(ms).toBe(10_000);
      if (running.length === 8) {
        rounds.push(running.length);
        for (const each of running) each.abort();
        running = [];
      }
      const controller = new AbortController();
      running.push(controller);
      return controller.signal;
    },
  );
  expect(rounds).toEqual([8, 8, 8]);
  expect(names.map((name) => asked(name).length)).toEqual(names.map(() => 1));
});
