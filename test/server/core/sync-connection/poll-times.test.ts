// When a nightly plan is due, including nights with a clock change.

import { describe, expect, it } from "vitest";
import { connectionDefaults } from "../../../../server/core/sync-plan/sync-state.ts";
import { nightAfter } from "../../../../server/core/sync-connection/connection-state.ts";

const hourMs = 3_600_000;

function nightIn(zone: string, applyAtHours: number, from: string): string {
  const window = {
    ...{
      ...connectionDefaults,
      name: "Cloud",
      baseUrl: "https://cloud.example",
    },
    applyAtMs: applyAtHours * hourMs,
  };
  return new Date(nightAfter(window, Date.parse(from), zone)).toISOString();
}

const berlin = "Europe/Berlin";

describe("[V2-206] [V2-346] the time of the mode tonight", () => {
  it.each([
    ["an ordinary night", 3, "2026-05-05T20:00Z", "2026-05-06T01:00Z"],
    ["exactly that moment", 3, "2026-05-06T01:00Z", "2026-05-06T01:00Z"],
    [
      "one millisecond later",
      3,
      "2026-05-06T01:00:00.001Z",
      "2026-05-07T01:00Z",
    ],
    ["a night with an extra hour", 3, "2026-10-24T20:00Z", "2026-10-25T02:00Z"],
    ["a repeated hour", 2.5, "2026-10-24T20:00Z", "2026-10-25T00:30Z"],
    ["its second occurrence", 2.5, "2026-10-25T00:45Z", "2026-10-25T01:30Z"],
    ["a night with an hour less", 5, "2026-03-28T21:00Z", "2026-03-29T03:00Z"],
    [
      "the hour the clock jumps to",
      3,
      "2026-03-28T21:00Z",
      "2026-03-29T01:00Z",
    ],
    ["a skipped hour", 2.5, "2026-03-28T21:00Z", "2026-03-29T01:00Z"],
    ["the next night after it", 2.5, "2026-03-29T02:00Z", "2026-03-30T00:30Z"],
  ])("follows the clock in %s (%d h after %s)", (_what, hours, from, due) => {
    expect(nightIn(berlin, hours, from)).toBe(new Date(due).toISOString());
  });

  it("is found even where a zone skips a whole day", () => {
    // Samoa skipped 30 December 2011.
    expect(nightIn("Pacific/Apia", 3, "2011-12-30T09:00Z")).toBe(
      "2011-12-30T10:00:00.000Z",
    );
  });
});
