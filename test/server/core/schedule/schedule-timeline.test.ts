// Timeline of what is due over a period.

import { describe, expect, it } from "vitest";
import {
  hourMs,
  listed,
  noon,
  scheduleOf,
  someAsset,
  somePlaylist,
} from "../../../support/schedule/schedules.ts";

describe("the timeline", () => {
  it("divides a day into spans, each with the playlists that are due in it", () => {
    const schedule = scheduleOf({
      assets: [someAsset("a"), ...listed("bc", { endsAt: noon + 2 * hourMs })],
      playlists: [
        somePlaylist("p", "bcb", {
          priority: 1,
          predicate: `$DATE >= ${noon + hourMs}`,
        }),
      ],
    });
    const spans = schedule
      .timeline(noon, noon + 24 * hourMs)
      .map(({ from, until, playlists }) => ({
        ...{ from: (from - noon) / hourMs, until: (until - noon) / hourMs },
        due: playlists.map(({ name, entries }) => [
          name,
          entries.map(({ asset }) => asset.id).join(""),
        ]),
      }));
    expect(spans).toEqual([
      { from: 0, until: 1, due: [["local", "a"]] },
      { from: 1, until: 2, due: [["Playlist p", "bcb"]] },
      { from: 2, until: 24, due: [["local", "a"]] },
    ]);
  });

  it("is one empty span if there is nothing, and no span for a period without length", () => {
    const schedule = scheduleOf({});
    expect(schedule.timeline(1, 2)).toEqual([
      { from: 1, until: 2, playlists: [] },
    ]);
    expect(schedule.timeline(2, 2)).toEqual([]);
  });
});
