// What a simulated change over a large fleet costs: 10,000 screens with 200 playlists for 30 days, as the service runs it.

import type { Row } from "../../build/bench.ts";
import { outcomesOf } from "../../server/content/what-if/outcomes.ts";
import type { Fleet } from "../../server/content/what-if/read-fleet.ts";
import { createSimulations } from "../../server/content/what-if/simulations.ts";
import type { Assertion } from "../../server/core/what-if/assertion.ts";
import { createLog } from "../../server/platform/log.ts";
import { bigFleet } from "./what-if/big-fleet.ts";

const screens = 10_000;
const playlists = 200;
const rounds = 7;
const goalMs = 2000;
const goalPauseMs = 50;
const from = Date.UTC(2026, 9, 10, 12);
const period = { from, until: from + 30 * 86_400_000 };
const hourMs = 3_600_000;

const assertions: readonly (Assertion & {
  readonly name: string;
  readonly isHoldingBack: boolean;
})[] = [
  {
    ...{ id: "never", name: "never", isHoldingBack: true, kind: "never" },
    ...{ assetIds: [], folders: ["Alcohol"], labels: ["site-7"] },
    ...{ predicate: `$TIME < ${16 * hourMs}`, everyMs: 0 },
  },
  {
    ...{ id: "film", name: "film", isHoldingBack: true, kind: "at-least" },
    ...{ assetIds: ["asset-0"], folders: [], labels: ["role-canteen"] },
    predicate: `$TIME BETWEEN {${8 * hourMs}, ${16 * hourMs}}`,
    everyMs: hourMs,
  },
];

export async function run(): Promise<readonly Row[]> {
  const simulations = createSimulations({
    log: createLog({ toStandardOutput: false }),
  });
  try {
    const before = fleetOf();
    const one = changed(before, 27);
    const everywhere = changed(before, 0);
    const rows: Row[] = [];
    for (const [what, after, kept] of [
      ["a playlist of one site", one, []],
      ["a playlist of all screens", everywhere, []],
      ["a playlist of all screens, with 2 assertions", everywhere, assertions],
    ] as const) {
      const { medianMs, pauseMs } = await measure(() =>
        outcomesOf(simulations, before, after, {
          ...{ ...period, assertions: kept, isForChangesOnly: false },
        }),
      );
      rows.push(row(`${what} changes`, medianMs, goalMs));
      rows.push(
        row(
          `${what} changes: longest pause of the service`,
          pauseMs,
          goalPauseMs,
        ),
      );
    }
    return rows;
  } finally {
    await simulations.stop();
  }
}

function fleetOf(): Fleet {
  const fleet = bigFleet(screens, playlists);
  return {
    content: fleet.content,
    screens: new Map(
      fleet.screens.map((screen) => [
        screen.id,
        { ...screen, name: screen.id },
      ]),
    ),
  };
}

/** One playlist only plays in the mornings. */
function changed(fleet: Fleet, index: number): Fleet {
  const { content } = fleet;
  return {
    ...fleet,
    content: {
      ...content,
      playlists: content.playlists.map((playlist, at) =>
        at === index
          ? { ...playlist, predicate: `$TIME < ${9 * hourMs}` }
          : playlist,
      ),
    },
  };
}

/** The time from the call to the outcome, and for how long nothing else ran on this thread. */
async function measure(work: () => Promise<unknown>) {
  const times: number[] = [];
  let pauseMs = 0;
  await work();
  for (let round = 0; round < rounds; round += 1) {
    let last = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      pauseMs = Math.max(pauseMs, now - last - 1);
      last = now;
    }, 1);
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
    clearInterval(timer);
    pauseMs = Math.max(pauseMs, performance.now() - last);
  }
  times.sort((a, b) => a - b);
  return { medianMs: times[Math.floor(rounds / 2)] ?? 0, pauseMs };
}

function row(what: string, ms: number, goal: number): Row {
  const value = Math.round(ms);
  return {
    figure: `${screens.toLocaleString("en")} screens, ${playlists} playlists, 30 days: ${what}`,
    ...{ value, unit: "ms", against: null, ratio: null },
    ...{ goal: `at most ${goal} ms`, met: value <= goal },
  };
}
