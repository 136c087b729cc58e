// A library with very many playlists, the same one for the same seed: for the schedule benchmark.

import {
  plainPresentation,
  plainWebOptions,
  type Asset,
} from "../../../server/core/asset.ts";
import type { Playlist } from "../../../server/core/playlist.ts";
import type { ScheduleInput } from "../../../server/core/schedule/schedule.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
export const noon = Date.UTC(2026, 6, 8, 12);

/** Pseudo-random numbers, the same each time: from 0 to below the limit. */
type Draw = (limit: number) => number;

function drawFrom(seed: number): Draw {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

export function bigLibrary(
  count: number,
  priorities: "by-priority" | "all-equal",
): ScheduleInput {
  const draw = drawFrom(count);
  const assets = Array.from({ length: Math.max(20, count / 2) }, (_, index) =>
    assetOf(index, draw),
  );
  const playlists = Array.from({ length: count }, (_, index): Playlist => ({
    id: `playlist-${index}`,
    name: `Playlist ${index}`,
    predicate: predicateOf(draw),
    priority:
      priorities === "all-equal"
        ? 0
        : ([0, 0, 0, 0, 0, 0, 0, 1, 1, 2][draw(10)] ?? 0),
    isEnabled: draw(20) > 0,
    groups: draw(3) === 0 ? ["lobby"] : [],
    transition: null,
    isShuffled: null,
    items: Array.from({ length: 10 }, (_, place) => ({
      id: `item-${index}-${place}`,
      assetId: `asset-${draw(assets.length)}`,
      durationSeconds: null,
    })),
    createdAt: index,
  }));
  return { assets, playlists, zone: "Europe/Berlin", groups: ["lobby"] };
}

/** Every other one with its own dates, every fifth with hours. */
function assetOf(index: number, draw: Draw): Asset {
  const from = noon + (draw(60) - 45) * dayMs + draw(24) * hourMs;
  const isDated = index % 2 === 0;
  const fromMs = draw(24) * hourMs;
  return {
    ...{ id: `asset-${index}`, name: `Asset ${index}` },
    ...{
      uri: "https://example.org/",
      mimetype: "webpage",
      durationSeconds: 10,
    },
    startsAt: isDated ? from : null,
    endsAt: isDated ? from + 30 * dayMs : null,
    ...{ isEnabled: true, isProcessing: false, noCache: false },
    ...{ skipAssetCheck: false, playOrder: index, isPlaylistOnly: false },
    folder: "",
    hours:
      index % 5 === 0
        ? {
            days: [1, 2, 3, 4, 5],
            fromMs,
            untilMs: (fromMs + 8 * hourMs) % dayMs,
          }
        : null,
    ...{ presentation: plainPresentation, web: plainWebOptions },
    ...{ metadata: {}, file: null, problem: null },
  };
}

/** As operators and programs write them: hours, weekdays, days, and all of them at once. */
function predicateOf(draw: Draw): string {
  const start = draw(96) * 900_000;
  const end = Math.min(dayMs - 1, start + (1 + draw(40)) * 900_000);
  const day = Math.floor(noon / dayMs + draw(20) - 10) * dayMs;
  const time = `$TIME BETWEEN {${start}, ${end}}`;
  const weekdays =
    ["$WEEKDAY IN {1, 2, 3, 4, 5}", "NOT $WEEKDAY IN {0, 6}", "$WEEKDAY = 3"][
      draw(3)
    ] ?? "";
  const days = `($DATE >= ${day} AND $DATE <= ${day + 14 * dayMs})`;
  return [
    time,
    `${weekdays} AND ${time}`,
    `TRUE AND (${days}) AND (${weekdays})`,
    `(${time} OR $TIME >= ${Math.min(dayMs - 1, end + hourMs)}) AND ${weekdays} AND ${days}`,
    `$DATE >= ${noon + (draw(48) - 24) * hourMs + 1} AND NOT (${time})`,
  ][draw(5)] as string;
}
