// Outages as parts of a strip of time: cut at its ends, and those that last until now.

import { expect, it } from "vitest";
import { healthOf } from "../../../../renderer/manager/screens/details/screen-health.ts";
import type { ScreenOutageV3 } from "../../../../server/contract/v3/v3-outages.ts";

const hourMs = 3_600_000;
const since = Date.UTC(2026, 4, 4);

function outage(from: number, to: number | null): ScreenOutageV3 {
  const at = (hours: number) => new Date(since + hours * hourMs).toISOString();
  return {
    ...{ id: `${from}`, screen_id: "S", screen_name: "S", state: "wrong" },
    ...{ reason: "", cause: "unknown", started_at: at(from) },
    ended_at: to === null ? null : at(to),
    duration_seconds: null,
  };
}

it("places outages within the period, and adds up their time", () => {
  const all = [outage(18, null), outage(-4, 6), outage(-9, -2), outage(12, 12)];
  const { parts, failedSeconds } = healthOf(all, since, since + 24 * hourMs);
  expect(parts.map(({ start, length }) => [start, length])).toEqual([
    [0, 0.25],
    [0.75, 0.25],
  ]);
  expect(failedSeconds).toBe(12 * 3600);
});
