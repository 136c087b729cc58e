// Report figures: by asset and day, with visible gaps, and the bars of the chart.

import { describe, expect, it } from "vitest";
import {
  barsOf,
  byAsset,
  byDay,
  daysBetween,
  lastDays,
} from "../../../renderer/manager/reports/figures.ts";

const row = (day: string, id: string, playbacks: number, seconds: number) => ({
  ...{ day, asset_id: id, name: `${id} of ${day}`, playbacks, seconds },
});

const rows = [
  row("2026-01-31", "a", 2, 20),
  row("2026-01-31", "b", 9, 90),
  row("2026-02-02", "a", 3, 400),
];

describe("a report", () => {
  it("adds up each asset under its latest name, longest total first", () => {
    expect(byAsset(rows)).toEqual([
      {
        ...{
          assetId: "a",
          name: "a of 2026-02-02",
          playbacks: 5,
          seconds: 420,
        },
        ...{ days: 2, firstDay: "2026-01-31", lastDay: "2026-02-02" },
      },
      expect.objectContaining({
        assetId: "b",
        playbacks: 9,
        seconds: 90,
        days: 1,
      }),
    ]);
  });

  it("has a row for a day on which nothing was shown, across the end of a month", () => {
    const days = daysBetween("2026-01-31", "2026-02-02");
    expect(days).toEqual(["2026-01-31", "2026-02-01", "2026-02-02"]);
    expect(byDay(rows, days).map(({ playbacks }) => playbacks)).toEqual([
      11, 0, 3,
    ]);
  });

  it("requests days in the screen's time zone, wherever the manager is", () => {
    const evening = Date.parse("2026-03-01T23:30:00Z");
    expect(lastDays(2, evening, "Asia/Tokyo")).toEqual({
      ...{ from: "2026-03-01", to: "2026-03-02" },
    });
    expect(lastDays(2, evening, "America/New_York")).toEqual({
      ...{ from: "2026-02-28", to: "2026-03-01" },
    });
    // A day with a clock change counts like any other.
    const autumn = Date.parse("2026-10-26T00:30:00Z");
    expect(lastDays(3, autumn, "Europe/Berlin").from).toBe("2026-10-24");
  });

  it("reads each row once for the days and once for the bars, however long the range is", () => {
    let reads = 0;
    const counting = Array.from({ length: 400 }, (_, index) => ({
      ...row("", `asset.${index % 7}`, 1, 1),
      get day() {
        reads += 1;
        return days[index] ?? "";
      },
    }));
    const days = daysBetween("2025-10-19", "2026-11-22");
    expect(days.length).toBe(400);
    byDay(counting, days);
    barsOf(counting, days, "playbacks");
    expect(reads).toBeLessThan(10 * counting.length);
  });

  it("divides the bars into the six assets shown most and all others", () => {
    const many = Array.from({ length: 9 }, (_, index) =>
      row("2026-01-31", `asset.${index}`, 10 - index, 3600),
    );
    const bars = barsOf(many, ["2026-01-31"], "playbacks");
    expect(bars.series.map(({ key }) => key)).toEqual([
      ...["s0", "s1", "s2", "s3", "s4", "s5", "the-rest"],
    ]);
    expect(bars.data).toEqual([
      {
        ...{ day: "2026-01-31", s0: 10, s1: 9, s2: 8, s3: 7, s4: 6, s5: 5 },
        "the-rest": 4 + 3 + 2,
      },
    ]);
    expect(barsOf(many, ["2026-01-31"], "time").data[0]).toMatchObject({
      s0: 1,
    });
  });
});
