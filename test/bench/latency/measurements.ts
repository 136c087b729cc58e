// The trials of the latency benchmark: an edge of the schedule, a command, a deletion and a takeover, many times each.

import type { Row } from "../../../build/bench.ts";
import type { Requester } from "./requester.ts";
import { message, type LatencyScreen } from "./screens.ts";

export interface Setup {
  /** e.g. `the player's own time` */
  readonly name: string;
  readonly requester: Requester;
  readonly latencyScreen: LatencyScreen;
  /** Where `/alarm` is a page of the alarm's colour. */
  readonly pageAddress: string;
  readonly edges: number;
  readonly edgeIntervalMs: number;
  /** Maximum average time to create an asset. */
  readonly makingMs: number;
  /** For each kind of command. */
  readonly orders: number;
}

/** The clocks of a process and of the system may differ by this much. */
const clocksApartMs = 20;
/** Time between the creation of the last asset and the first edge. */
const beforeFirstMs = 5000;

/** All parts, or the one given on the command line. */
export function isSelected(part: string): boolean {
  return (process.argv[3] ?? part) === part;
}

export async function* tryAll(setup: Setup): AsyncGenerator<Row> {
  if (isSelected("info")) yield* await ofInfo(setup);
  if (isSelected("edges")) yield* await atEdges(setup);
  if (isSelected("commands")) yield* await atCommands(setup);
  if (isSelected("deletions")) yield* await atDeletions(setup);
  if (isSelected("takeovers")) yield* atTakeovers(setup);
}

/** [V2-73] One after the other, as a monitor sends them. */
async function ofInfo(setup: Setup): Promise<readonly Row[]> {
  const times: number[] = [];
  for (let order = 0; order < setup.orders; order += 1) {
    const from = performance.now();
    await setup.requester.info();
    times.push(performance.now() - from);
  }
  return rowsOf(setup, "answer of /info", times, 50);
}

/** Assets whose dates meet, one edge after the other. */
async function atEdges(setup: Setup): Promise<readonly Row[]> {
  const { requester, latencyScreen, edges, edgeIntervalMs } = setup;
  const first = Date.now() + beforeFirstMs + edges * setup.makingMs;
  const moment = (edge: number): number =>
    Math.round(first + (edge - 1) * edgeIntervalMs);
  for (let edge = 0; edge <= edges; edge += 1)
    await requester.add(`edge ${edge}`, {
      start_date: new Date(moment(edge)).toISOString(),
      // The last one stays, so that it is seen however late it appears.
      ...(edge < edges && {
        end_date: new Date(moment(edge + 1)).toISOString(),
      }),
    });
  if (Date.now() > first) throw new Error("The assets took too long to make.");
  const late: number[] = [];
  for (let edge = 1; edge <= edges; edge += 1) {
    const at = moment(edge);
    // On a machine that stood still this long, a later one appears in its place.
    const names = [0, 1, 2, 3].map((more) => `edge ${edge + more}`);
    late.push(
      (await latencyScreen.shown(
        names,
        at - clocksApartMs - latencyScreen.slackMs,
      )) - at,
    );
  }
  await requester.removeAll();
  return rowsOf(setup, "edge of the schedule", late, 50);
}

async function atCommands(setup: Setup): Promise<readonly Row[]> {
  const { requester, latencyScreen, orders } = setup;
  const times: number[] = [];
  const names = ["A", "B", "C"];
  const since = latencyScreen.now();
  for (const name of names) await requester.add(name);
  await latencyScreen.shown(["A"], since);
  for (let order = 1; order <= orders; order += 1) {
    const next = names[order % names.length] ?? "";
    await latencyScreen.prepared(next);
    times.push(
      await timed(latencyScreen, next, () => requester.control("next")),
    );
  }
  await requester.removeAll();
  return rowsOf(setup, "next, prepared", times, 100);
}

async function atDeletions(setup: Setup): Promise<readonly Row[]> {
  const { requester, latencyScreen, orders } = setup;
  const deleted: number[] = [];
  const disabled: number[] = [];
  const ids: string[] = [];
  const since = latencyScreen.now();
  for (let order = 0; order <= orders; order += 1)
    ids.push(await requester.add(`D${order}`));
  await latencyScreen.shown(["D0"], since);
  for (let order = 0; order < orders; order += 1) {
    const id = ids[order] ?? "";
    const next = `D${order + 1}`;
    await latencyScreen.prepared(next);
    const isDeletion = order % 2 === 0;
    const act = () =>
      isDeletion ? requester.remove(id) : requester.disable(id);
    (isDeletion ? deleted : disabled).push(
      await timed(latencyScreen, next, act),
    );
  }
  await requester.removeAll();
  return [
    ...rowsOf(setup, "deletion of what is shown", deleted, 100),
    ...rowsOf(setup, "disabling of what is shown", disabled, 100),
  ];
}

async function* atTakeovers(setup: Setup): AsyncGenerator<Row> {
  const { requester, latencyScreen, pageAddress } = setup;
  const id = await requester.add("alarm", { is_enabled: false });
  const since = latencyScreen.now();
  for (const name of ["A", "B"]) await requester.add(name);
  await latencyScreen.shown(["A"], since);
  const page = `${pageAddress}/alarm`;
  yield* await alternately(setup, "", "alarm", { asset_id: id });
  yield* await alternately(setup, " by a text", message, { text: message });
  yield* await alternately(setup, " by a page", page, { url: page });
  await requester.removeAll();
}

/** Back and forth, many times. */
async function alternately(
  setup: Setup,
  how: string,
  shown: string,
  body: Readonly<Record<string, string>>,
): Promise<readonly Row[]> {
  const { requester, latencyScreen, orders } = setup;
  const there: number[] = [];
  const back: number[] = [];
  for (let order = 0; order < orders; order += 1) {
    there.push(
      await timed(latencyScreen, shown, () => requester.takeOver(body)),
    );
    await latencyScreen.prepared("A");
    back.push(await timed(latencyScreen, "A", () => requester.endTakeover()));
    await latencyScreen.prepared("B");
  }
  return [
    ...rowsOf(setup, `takeover${how}`, there, 250),
    ...rowsOf(setup, `end of a takeover${how}`, back, 250),
  ];
}

/** From before the request is sent to the moment it is visible on the screen. */
async function timed(
  latencyScreen: LatencyScreen,
  name: string,
  act: () => Promise<void>,
): Promise<number> {
  const startedAt = latencyScreen.now();
  await act();
  return (
    (await latencyScreen.shown([name], startedAt - latencyScreen.slackMs)) -
    startedAt
  );
}

function rowsOf(
  { name }: Setup,
  figure: string,
  times: readonly number[],
  goalMs: number,
): readonly Row[] {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ??
    NaN;
  const row = (share: string, value: number, goal: number | null): Row => ({
    figure: `${name}: ${figure}, ${share} of ${times.length}`,
    ...{ value, unit: "ms", against: null, ratio: null },
    goal: goal === null ? null : `at most ${goal} ms`,
    met: goal === null ? null : value <= goal,
  });
  return [row("p50", at(0.5), null), row("p99", at(0.99), goalMs)];
}
