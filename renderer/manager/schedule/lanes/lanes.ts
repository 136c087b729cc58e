// Lane of every playlist over a period: where it plays, where it is overridden, where it cannot play.

import {
  plainPresentation,
  plainWebOptions,
  type Asset,
} from "../../../../server/core/asset.ts";
import type { Playlist } from "../../../../server/core/playlist.ts";
import {
  compileSchedule,
  type ScheduleInput,
  type Span,
} from "../../../../server/core/schedule/schedule.ts";

/** `plays` and `outranked` have something to show; `cannot` is its time without anything that could be shown. */
export type StretchState = "plays" | "outranked" | "cannot";

export interface Stretch {
  readonly from: number;
  readonly until: number;
  readonly state: StretchState;
}

export interface Lane {
  /** Null: the playlist of the local assets. */
  readonly playlist: Playlist | null;
  readonly priority: number;
  readonly stretches: readonly Stretch[];
}

export interface Lanes {
  /** Highest priority first; within a priority the older first, as they play. */
  readonly lanes: readonly Lane[];
  /** What is on the screen, one after the other. */
  readonly spans: readonly Span[];
}

interface Interval {
  readonly from: number;
  readonly until: number;
}

export function lanesOf(
  input: ScheduleInput,
  from: number,
  until: number,
): Lanes {
  const work = layLanes(input, from, until);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** The same as a generator, which yields the number of playlists laid out so far. */
export function* layLanes(
  input: ScheduleInput,
  from: number,
  until: number,
): Generator<number, Lanes, void> {
  const spans = compileSchedule(input).timeline(from, until);
  yield 0;
  const local = localLane(input, spans, from, until);
  yield 0;
  const assets = new Map(input.assets.map((asset) => [asset.id, asset]));
  const playlistLanes: Lane[] = [];
  for (const playlist of input.playlists) {
    playlistLanes.push(laneOf(playlist));
    yield playlistLanes.length;
  }
  const lanes = [...playlistLanes, ...(local ? [local] : [])].sort(
    (a, b) =>
      b.priority - a.priority ||
      (a.playlist?.createdAt ?? -Infinity) -
        (b.playlist?.createdAt ?? -Infinity),
  );
  return { lanes, spans };

  function laneOf(playlist: Playlist): Lane {
    const scheduled = intervalsOf(playlist, [always], input.zone, from, until);
    const possible = intervalsOf(
      playlist,
      playlist.items.flatMap(({ assetId }) => assets.get(assetId) ?? []),
      input.zone,
      from,
      until,
      input,
    );
    const plays = playing(spans, playlist.id);
    return {
      playlist,
      priority: playlist.priority,
      stretches: stretchesOf(scheduled, possible, plays),
    };
  }
}

/** Stands in for a playlist's content where only its predicate is evaluated. */
const always: Asset = {
  ...{ id: "always", name: "", uri: "", mimetype: "webpage" },
  ...{ startsAt: null, endsAt: null, durationSeconds: 1, isEnabled: true },
  ...{ isProcessing: false, noCache: false, skipAssetCheck: false },
  ...{ playOrder: 0, isPlaylistOnly: true, hours: null, metadata: {} },
  folder: "",
  ...{ presentation: plainPresentation, web: plainWebOptions },
  ...{ file: null, problem: null },
};

/** When it would play if only these existed. */
function intervalsOf(
  playlist: Playlist,
  shown: readonly Asset[],
  zone: string,
  from: number,
  until: number,
  screen?: ScheduleInput,
): readonly Interval[] {
  // Whether it is enabled, and for which labels, is only evaluated for a screen.
  const alone: Playlist = screen
    ? playlist
    : { ...playlist, isEnabled: true, groups: [] };
  const items = shown.map(({ id }, index) => ({
    ...{ id: `${index}`, assetId: id, durationSeconds: null },
  }));
  const input: ScheduleInput = {
    playlists: [{ ...alone, items }],
    assets: [...new Set(shown)].map((asset) => ({
      ...asset,
      isPlaylistOnly: true,
    })),
    zone,
    groups: screen?.groups ?? [],
    ...(screen?.quarantine ? { quarantine: screen.quarantine } : {}),
  };
  return playing(compileSchedule(input).timeline(from, until), playlist.id);
}

function playing(
  spans: readonly Span[],
  playlistId: string | null,
): readonly Interval[] {
  return merged(
    spans.filter(({ playlists }) =>
      playlists.some((playlist) => playlist.playlistId === playlistId),
    ),
  );
}

function localLane(
  input: ScheduleInput,
  spans: readonly Span[],
  from: number,
  until: number,
): Lane | null {
  // Whether an asset is in the default rotation depends on all playlists, so they are passed along, but can never play.
  const alone = {
    ...input,
    playlists: input.playlists.map((one) => ({ ...one, isEnabled: false })),
  };
  const possible = playing(compileSchedule(alone).timeline(from, until), null);
  if (possible.length === 0) return null;
  const stretches = stretchesOf([], possible, playing(spans, null));
  return { playlist: null, priority: 0, stretches };
}

function stretchesOf(
  scheduled: readonly Interval[],
  possible: readonly Interval[],
  plays: readonly Interval[],
): readonly Stretch[] {
  const as = (state: StretchState) => (interval: Interval) => ({
    ...{ from: interval.from, until: interval.until, state },
  });
  return [
    ...plays.map(as("plays")),
    ...without(possible, plays).map(as("outranked")),
    ...without(scheduled, possible).map(as("cannot")),
  ].sort((a, b) => a.from - b.from);
}

function merged(intervals: readonly Interval[]): readonly Interval[] {
  const joined: { from: number; until: number }[] = [];
  for (const { from, until } of intervals) {
    const last = joined.at(-1);
    if (last?.until === from) last.until = until;
    else joined.push({ from, until });
  }
  return joined;
}

/** The parts of the first that are not in the second; both sorted and without overlaps. */
function without(
  intervals: readonly Interval[],
  taken: readonly Interval[],
): readonly Interval[] {
  return intervals.flatMap(({ from, until }) => {
    const left: Interval[] = [];
    let at = from;
    for (const one of taken) {
      if (one.until <= at || one.from >= until) continue;
      if (one.from > at) left.push({ from: at, until: one.from });
      at = Math.max(at, one.until);
    }
    if (at < until) left.push({ from: at, until });
    return left;
  });
}
