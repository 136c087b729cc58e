// Aggregates plays and seconds by asset and by day, and as the bars of a chart.

import type { PlaybackDayV2 } from "../../../server/contract/v2/v2-logs.ts";
import { dayMs, wallClockOf } from "../../../server/core/wall-clock.ts";

export type Measure = "playbacks" | "time";

export interface AssetFigures {
  readonly assetId: string;
  readonly name: string;
  readonly playbacks: number;
  readonly seconds: number;
  readonly days: number;
  readonly firstDay: string;
  readonly lastDay: string;
}

export interface DayFigures {
  readonly day: string;
  readonly playbacks: number;
  readonly seconds: number;
  readonly assets: number;
}

/** Longest total time first; each with its latest name. */
export function byAsset(
  rows: readonly PlaybackDayV2[],
): readonly AssetFigures[] {
  const figures = new Map<string, AssetFigures>();
  for (const { asset_id: assetId, name, playbacks, seconds, day } of rows) {
    const before = figures.get(assetId);
    figures.set(
      assetId,
      before
        ? {
            assetId,
            name: day >= before.lastDay ? name : before.name,
            playbacks: before.playbacks + playbacks,
            seconds: before.seconds + seconds,
            days: before.days + 1,
            firstDay: day < before.firstDay ? day : before.firstDay,
            lastDay: day > before.lastDay ? day : before.lastDay,
          }
        : {
            assetId,
            name,
            playbacks,
            seconds,
            days: 1,
            firstDay: day,
            lastDay: day,
          },
    );
  }
  return [...figures.values()].sort((a, b) => b.seconds - a.seconds);
}

/** Every day of the range, including those on which nothing was shown: a gap is visible. */
export function byDay(
  rows: readonly PlaybackDayV2[],
  days: readonly string[],
): readonly DayFigures[] {
  const rowsOf = grouped(rows);
  return days.map((day) => {
    const rowsOfDay = rowsOf.get(day) ?? [];
    return {
      day,
      playbacks: sum(rowsOfDay.map(({ playbacks }) => playbacks)),
      seconds: sum(rowsOfDay.map(({ seconds }) => seconds)),
      assets: rowsOfDay.length,
    };
  });
}

/** Grouped once for all days: a year of many assets is many rows. */
function grouped(
  rows: readonly PlaybackDayV2[],
): ReadonlyMap<string, readonly PlaybackDayV2[]> {
  const rowsByDay = new Map<string, PlaybackDayV2[]>();
  for (const row of rows) {
    const rowsOfDay = rowsByDay.get(row.day);
    if (rowsOfDay) rowsOfDay.push(row);
    else rowsByDay.set(row.day, [row]);
  }
  return rowsByDay;
}

/** Both inclusive. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** This number of days, ending with the current one in the zone at that moment. */
export function lastDays(count: number, moment: number, zone: string): Days {
  const { day } = wallClockOf(zone).wallTimeAt(moment);
  const text = (one: number): string =>
    new Date(one * dayMs).toISOString().slice(0, 10);
  return { from: text(day - count + 1), to: text(day) };
}

/** `daysBetween("2026-01-31", "2026-02-01")` returns both. */
export function daysBetween(from: string, to: string): readonly string[] {
  const days: string[] = [];
  const day = new Date(`${from}T00:00:00Z`);
  // Ten years are more than any report covers.
  while (days.length < 3660) {
    const text = day.toISOString().slice(0, 10);
    if (text > to) break;
    days.push(text);
    day.setUTCDate(day.getUTCDate() + 1);
  }
  return days;
}

export interface Bars {
  readonly series: readonly {
    readonly key: string;
    readonly name: string | null;
  }[];
  readonly data: readonly Readonly<Record<string, string | number>>[];
}

/** As many colours as can be distinguished. */
const maxSeries = 6;

/** One bar a day, divided into the assets shown most and, without a name, all others. */
export function barsOf(
  rows: readonly PlaybackDayV2[],
  days: readonly string[],
  measure: Measure,
): Bars {
  const value = ({ playbacks, seconds }: PlaybackDayV2): number =>
    measure === "playbacks" ? playbacks : seconds / 3600;
  const assets = [...byAsset(rows)].sort((a, b) =>
    measure === "playbacks" ? b.playbacks - a.playbacks : b.seconds - a.seconds,
  );
  const named = assets.slice(0, maxSeries);
  const keyOf = new Map(
    named.map(({ assetId }, index) => [assetId, `s${index}`]),
  );
  const rowsOf = grouped(rows);
  const data = days.map((day) => {
    const bar: Record<string, string | number> = { day };
    for (const row of rowsOf.get(day) ?? []) {
      const key = keyOf.get(row.asset_id) ?? "the-rest";
      bar[key] = Number(bar[key] ?? 0) + value(row);
    }
    return bar;
  });
  return {
    data,
    series: [
      ...named.map(({ name }, index) => ({ key: `s${index}`, name })),
      ...(assets.length > maxSeries ? [{ key: "the-rest", name: null }] : []),
    ],
  };
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
