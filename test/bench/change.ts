// Every ordered pair of kinds, changed on the screen of the real app: sampled from outside 60 times a second, which shows what
// was visible, and when to within one sample; and by the stage's own frame callbacks, which show when to the exact frame, but
// do not cover pages, whose views lie above it. These are measured in separate rounds, too, since the sampler uses part of the
// processor and, where that is short, costs frames.
// `npm run bench -- change 1000` makes a thousand changes; without a number it is ten of each pair.

import type { Row } from "../../build/bench.ts";
import {
  openScreen,
  watchScreen,
  type Frame,
  type Watch,
} from "../support/screen/screen.ts";
import {
  startInspectedApp,
  type InspectedApp,
} from "../support/app/inspected-app.ts";
import { percentile, readChanges, type Change } from "./change/changes.ts";
import { swapOf, watchFrames, type Swap } from "./change/frames.ts";
import { loopAlone, type Loop } from "./change/loops.ts";
import { makeMedia, decode } from "./change/variants.ts";
import { kinds, nameOf, walkAllPairs, type Kind } from "./change/walk.ts";

const sampleMs = 1000 / 60;
const frameMs = 1000 / 30;
const perPair = 10;
/** One complete round, so that every file and page has been loaded once. */
const warmUpMs = 40_000;
const countIntervalMs = 2000;
/** One frame of a screen, as the goal states it. */
const maxMs = 16.7;
const isMoving = (name: string): boolean => /^(video|stream) /.test(name);

export async function run(): Promise<Row[]> {
  const walk = walkAllPairs();
  const targetCount = Number(process.argv[3] ?? perPair * walk.length);
  const screen = await openScreen(1280, 720);
  const app = await startInspectedApp(screen);
  const media = await makeMedia();
  const reader = readChanges({
    ...{ decode, sampleMs },
    frameMsOf: (name) => (isMoving(name) ? frameMs : null),
  });
  let notify = (_frame: Frame): void => undefined;
  let watch: Watch | null = null;
  const sample = () =>
    watchScreen(screen, {
      rate: 60,
      onFrame: (frame) => {
        reader.read(frame);
        notify(frame);
      },
    });
  const soMany = (count: number) =>
    new Promise<void>((resolve) => {
      notify = () => {
        if (reader.changes.length >= count) resolve();
      };
    });
  try {
    const pages: string[] = [];
    for (const stop of walk) {
      const id = await media.add(app, stop);
      if (stop.kind === "webpage") pages.push(id);
    }
    const names = walk.map(nameOf);
    const unwatched = await gapsUnwatched(app, pages, targetCount);
    watch = sample();
    // One complete round to warm up, so that every file and page has been loaded once.
    await soMany(reader.changes.length + walk.length);
    const frames = await watchFrames(app);
    reader.begin();
    await soMany(targetCount);
    const changes = [...reader.changes];
    const { swaps, mediaElements } = await frames.end();
    return [
      ...rowsOfPairs(changes, swaps),
      ...rowsOfAll(changes, names),
      ...rowsOfFrames("alone, without the sampler", unwatched, maxMs),
      ...rowsOfFrames("beside the sampler", gapsOf(changes, swaps), null),
      goal("media elements in the stage", mediaElements, "", 3),
      ...(await loopAlone(app, media, reader)).flatMap(rowsOfLoop),
    ];
  } finally {
    await watch?.stop();
    await app.stop();
    await media.stop();
    await screen.close();
  }
}

const kindIn = (name: string): Kind => name.split(" ")[0] as Kind;
const measured = (changes: readonly Change[]) =>
  changes.filter(({ isUnmeasured }) => !isUnmeasured);

/** One row for each outgoing kind: the worst of what follows it, sampled and by frame callbacks. */
function rowsOfPairs(
  changes: readonly Change[],
  swaps: readonly Swap[],
): Row[] {
  const worst = (gaps: readonly number[]): string =>
    gaps.length === 0 ? "–" : String(Math.round(percentile(gaps, 0.99)));
  return kinds.map((from) => {
    const cells = kinds.map((to) => {
      const these = changes.filter(
        (change) => kindIn(change.from) === from && kindIn(change.to) === to,
      );
      const sampled = measured(these).map(({ gapMs }) => gapMs);
      return `${to} ${worst(sampled)}/${worst(gapsOf(these, swaps))}`;
    });
    const unit = "ms p99: sampled/by frame callbacks";
    return plain(`${from} → ${cells.join(" · ")}`, "", unit);
  });
}

function gapsOf(changes: readonly Change[], swaps: readonly Swap[]): number[] {
  return changes.flatMap((change) => swapOf(change, swaps)?.gapMs ?? []);
}

function rowsOfAll(
  changes: readonly Change[],
  names: readonly string[],
): Row[] {
  const gaps = measured(changes).map(({ gapMs }) => gapMs);
  const between = changes.flatMap((change) => change.between);
  const blanks = between.filter((name) => name === "blank").length;
  const stale = changes.filter(
    ({ from, to }, at) => !follows(names, from, to, changes[at - 1]?.from),
  );
  const stays = changes.map(({ stayedMs }) => stayedMs - 1000);
  const p99 = percentile(gaps, 0.99);
  const sampled = "sampled: gap over the nominal";
  const stay = "sampled: stay beyond the second it is given";
  return [
    plain("changes", changes.length, ""),
    plain(
      "of them where the sampler itself missed a sample",
      changes.length - gaps.length,
      "",
    ),
    goal("samples that were black or white", blanks, "", 0),
    goal(
      "samples that were neither the old nor the new",
      between.length - blanks,
      "",
      0,
    ),
    goal("changes out of order (stale)", stale.length, "", 0),
    // Their names distinguish a showing that was skipped from one that came back.
    ...stale.map(({ from, to, stayedMs }) =>
      plain(`out of order: ${from} → ${to}`, Math.round(stayedMs), "ms before"),
    ),
    // Less than one sample cannot be told apart from none: the old may have left, or the new appeared, just after one.
    goal(`${sampled}, p99`, Math.round(p99 / sampleMs), "samples", 1),
    plain(`${sampled}, p99`, p99, "ms"),
    plain(`${sampled}, median`, percentile(gaps, 0.5), "ms"),
    plain(`${sampled}, worst`, Math.max(...gaps), "ms"),
    plain(`${stay}, median`, percentile(stays, 0.5), "ms"),
    plain(`${stay}, p99`, percentile(stays, 0.99), "ms"),
  ];
}

/** Measures the same number of changes by frame callbacks, without pages, and while the screen is not sampled. */
async function gapsUnwatched(
  app: InspectedApp,
  pages: readonly string[],
  targetCount: number,
): Promise<readonly number[]> {
  const most = (targetCount * (kinds.length - 1) ** 2) / kinds.length ** 2;
  const enable = async (isEnabled: boolean): Promise<void> => {
    for (const id of pages) await app.change(id, { is_enabled: isEnabled });
  };
  await enable(false);
  await pause(warmUpMs);
  const frames = await watchFrames(app);
  while ((await frames.count()) < most) await pause(countIntervalMs);
  const { swaps } = await frames.end();
  await enable(true);
  return swaps.map(({ gapMs }) => gapMs);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function rowsOfFrames(
  where: string,
  gaps: readonly number[],
  most: number | null,
): Row[] {
  const figure = `by frame callbacks, ${where}: gap over the nominal`;
  const p99 = percentile(gaps, 0.99);
  return [
    plain(`changes that frame callbacks tell of, ${where}`, gaps.length, ""),
    most === null
      ? plain(`${figure}, p99`, p99, "ms")
      : goal(`${figure}, p99`, p99, "ms", most),
    plain(`${figure}, median`, percentile(gaps, 0.5), "ms"),
    plain(`${figure}, worst`, Math.max(...gaps), "ms"),
  ];
}

function rowsOfLoop({ what, strange, standstillMs }: Loop): Row[] {
  return [
    goal(`${what}, alone: samples of anything else`, strange, "", 0),
    ...(standstillMs === null
      ? []
      : [plain(`${what}, alone: longest standstill`, standstillMs, "ms")]),
  ];
}

/** Whether the walk contains this sequence. */
function follows(
  names: readonly string[],
  from: string,
  to: string,
  before: string | undefined,
): boolean {
  return names.some((name, at) => {
    const next = names[(at + 1) % names.length];
    const previous = names.at(at - 1);
    return (
      name === from &&
      next === to &&
      (before === undefined || previous === before)
    );
  });
}

function plain(figure: string, value: number | string, unit: string): Row {
  return {
    figure,
    value,
    unit,
    against: null,
    ratio: null,
    goal: null,
    met: null,
  };
}

function goal(figure: string, value: number, unit: string, most: number): Row {
  const met = value <= most;
  const words = most === 0 ? "none" : `at most ${Math.round(most * 10) / 10}`;
  return { ...plain(figure, value, unit), goal: words, met };
}
