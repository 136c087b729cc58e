// Lanes of a week: which playlists play, are overridden, or cannot play.

import { describe, expect, it } from "vitest";
import {
  lanesOf,
  type Lane,
} from "../../../../renderer/manager/schedule/lanes/lanes.ts";
import type { ScheduleInput } from "../../../../server/core/schedule/schedule.ts";
import {
  hourMs,
  listed,
  someAsset,
  somePlaylist,
} from "../../../support/schedule/schedules.ts";

const midnight = Date.parse("2026-07-01T00:00Z");
const lunchTime = "$TIME BETWEEN {41400000, 50399999}";

function lanes(input: Partial<ScheduleInput>) {
  const whole = {
    assets: [],
    playlists: [],
    zone: "UTC",
    groups: [],
    ...input,
  };
  return lanesOf(whole, midnight, midnight + 24 * hourMs);
}

/** e.g. `plays 0-11.5, outranked 11.5-14` */
function reported({ stretches }: Lane): string {
  return stretches
    .map(({ from, until, state }) => {
      const [start, end] = [from, until].map((at) => (at - midnight) / hourMs);
      return `${state} ${start}-${end}`;
    })
    .join(", ");
}

describe("the lanes of a schedule", () => {
  it("show the winner over its whole time, and the loser as outranked", () => {
    const { lanes: found } = lanes({
      assets: listed("ab"),
      playlists: [
        somePlaylist("All day", "a", { id: "day" }),
        somePlaylist("Lunch", "b", {
          id: "lunch",
          predicate: lunchTime,
          priority: 5,
        }),
      ],
    });
    expect(found.map((lane) => [lane.playlist?.id, reported(lane)])).toEqual([
      ["lunch", "plays 11.5-14"],
      ["day", "plays 0-11.5, outranked 11.5-14, plays 14-24"],
    ]);
  });

  it("let playlists of the same priority both play", () => {
    const { lanes: found } = lanes({
      assets: listed("ab"),
      playlists: [
        somePlaylist("1", "a"),
        somePlaylist("2", "b", { createdAt: 1 }),
      ],
    });
    expect(found.map(reported)).toEqual(["plays 0-24", "plays 0-24"]);
  });

  it.each([
    ["is empty", { items: [] }],
    ["is disabled", { isEnabled: false }],
    ["is for other screens", { groups: ["lobby"] }],
  ])("show its time as outranked where a playlist %s", (_why, overrides) => {
    const playlist = somePlaylist("1", "a", {
      predicate: lunchTime,
      ...overrides,
    });
    const { lanes: found } = lanes({
      assets: listed("a"),
      playlists: [playlist],
    });
    expect(found.map(reported)).toEqual(["cannot 11.5-14"]);
  });

  it("respect the dates and hours of a playlist's assets", () => {
    const startsAt = midnight + 12 * hourMs;
    const { lanes: found } = lanes({
      assets: listed("a", { startsAt }),
      playlists: [somePlaylist("1", "a", { predicate: lunchTime })],
    });
    expect(found.map(reported)).toEqual(["cannot 11.5-12, plays 12-14"]);
  });

  it("include a lane for the local assets, and none where there are none", () => {
    const lunch = somePlaylist("1", "a", { predicate: lunchTime, priority: 1 });
    const { lanes: found } = lanes({
      assets: [...listed("a"), someAsset("z")],
      playlists: [lunch],
    });
    expect(
      found.map((lane) => [lane.playlist?.id ?? "local", reported(lane)]),
    ).toEqual([
      ["1", "plays 11.5-14"],
      ["local", "plays 0-11.5, outranked 11.5-14, plays 14-24"],
    ]);
    expect(
      lanes({ assets: listed("a"), playlists: [lunch] }).lanes,
    ).toHaveLength(1);
  });
});
