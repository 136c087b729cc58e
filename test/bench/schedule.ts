// What a schedule of very many playlists costs: to parse, to evaluate at a moment, and to look ahead by a day.

import type { Row } from "../../build/bench.ts";
import { parsePredicate } from "../../server/core/predicate/predicate.ts";
import {
  compileSchedule,
  type Schedule,
  type ScheduleInput,
} from "../../server/core/schedule/schedule.ts";
import { wallClockOf } from "../../server/core/wall-clock.ts";
import { bigLibrary, noon } from "./schedule/big-library.ts";

const dayMs = 86_400_000;
/** The goals are stated for this many. */
const stated = 1000;
const others = [10, 100_000];

export async function run(): Promise<readonly Row[]> {
  return [
    ...rowsFor(bigLibrary(stated, "by-priority"), "three priorities"),
    ...rowsFor(bigLibrary(stated, "all-equal"), "all of one priority"),
    ...others.flatMap((count) =>
      rowsFor(bigLibrary(count, "by-priority"), "three priorities"),
    ),
    onePredicate(),
  ];
}

function rowsFor(input: ScheduleInput, kind: string): readonly Row[] {
  const count = input.playlists.length;
  const texts = input.playlists.map(({ predicate }) => predicate);
  const schedule = compileSchedule(input);
  const moment = noon + 3_600_000;
  const { entries } = schedule.lineupAt(moment);
  const spans = schedule.timeline(noon, noon + dayMs);
  const row = (figure: string, value: number, goal: number | null): Row => ({
    figure: `${count.toLocaleString("en")} playlists (${kind}): ${figure}`,
    value,
    unit: "ms",
    against: null,
    ratio: null,
    goal: goal === null || count !== stated ? null : `at most ${goal} ms`,
    met: goal === null || count !== stated ? null : value <= goal,
  });
  const rounds = count > stated ? 3 : 50;
  return [
    row(
      "parse",
      median(rounds, () => {
        for (const text of texts) parsePredicate(text);
      }),
      20,
    ),
    row(
      "make ready",
      median(rounds, () => compileSchedule(input)),
      null,
    ),
    row(
      `evaluate (${entries.length.toLocaleString("en")} turns due)`,
      median(rounds * 4, atAnyMoment(schedule)),
      0.1,
    ),
    row(
      "every reason",
      median(rounds, () => schedule.candidatesAt(moment)),
      null,
    ),
    row(
      `next 24 h (${spans.length.toLocaleString("en")} spans)`,
      median(rounds, () => schedule.timeline(noon, noon + dayMs)),
      20,
    ),
  ];
}

/** Each query is for another moment of the day, so that nothing is cached from the previous one. */
function atAnyMoment(schedule: Schedule): () => void {
  let step = 0;
  return () => {
    step += 1;
    schedule.lineupAt(noon + ((step * 7_919_017) % dayMs));
  };
}

function onePredicate(): Row {
  const text =
    "TRUE AND ($DATE >= 1780272000000) AND NOT $WEEKDAY IN {0, 6} AND $TIME BETWEEN {41400000, 50400000}";
  const { predicate } = parsePredicate(text);
  const clock = wallClockOf("Europe/Berlin");
  const times = Array.from({ length: 1000 }, (_, index) =>
    clock.wallTimeAt(noon + index * 86_413),
  );
  let held = 0;
  const perThousand = median(200, () => {
    for (const time of times) if (predicate?.holds(time)) held += 1;
  });
  const value = perThousand;
  return {
    figure: `one predicate of five parts, asked (true ${Math.round((held / 200_000) * 100)} in 100 times)`,
    value,
    unit: "µs",
    against: null,
    ratio: null,
    goal: "under 1 µs",
    met: value < 1,
  };
}

function median(rounds: number, work: () => unknown): number {
  // A cold engine is several times slower; it is warm by the time of the largest library.
  if (rounds > 20) for (let round = 0; round < 20; round += 1) work();
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = performance.now();
    work();
    times.push(performance.now() - before);
  }
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length / 2)] ?? NaN;
}
