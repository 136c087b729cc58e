// Every ordered pair of kinds, changed on the glass of the real app and watched from outside at 60 samples a second.
// `npm run bench -- change 1000` makes a thousand changes; without a number it is ten of each pair.

import type { Page } from "playwright";
import type { Row } from "../../build/bench.ts";
import { openScreen, watchScreen, type Frame } from "../support/screen.ts";
import { startDrivenApp } from "../support/driven-app.ts";
import { percentile, readChanges, type Change } from "./change/changes.ts";
import { loopAlone, type Loop } from "./change/loops.ts";
import { makeMedia, tell } from "./change/looks.ts";
import { kinds, nameOf, walkAllPairs, type Kind } from "./change/walk.ts";

const sampleMs = 1000 / 60;
const frameMs = 1000 / 30;
const perPair = 10;
const isMoving = (name: string): boolean => /^(video|stream) /.test(name);

export async function run(): Promise<Row[]> {
  const walk = walkAllPairs();
  const wished = Number(process.argv[3] ?? perPair * walk.length);
  const screen = await openScreen();
  const app = await startDrivenApp(screen);
  const media = await makeMedia();
  const reader = readChanges({
    ...{ tell, sampleMs },
    frameMsOf: (name) => (isMoving(name) ? frameMs : null),
  });
  let heard = (_frame: Frame): void => undefined;
  const watch = watchScreen(screen, {
    rate: 60,
    onFrame: (frame) => {
      reader.read(frame);
      heard(frame);
    },
  });
  const soMany = (count: number) =>
    new Promise<void>((resolve) => {
      heard = () => {
        if (reader.changes.length >= count) resolve();
      };
    });
  try {
    for (const stop of walk) await media.add(app, stop);
    const names = walk.map(nameOf);
    // One whole round to warm up, so that every file and page has been met.
    await soMany(reader.changes.length + walk.length);
    const frames = await watchFrames(await app.stage());
    reader.begin();
    await soMany(wished);
    const changes = [...reader.changes];
    const { callbacks, mediaElements } = await frames.end();
    return [
      ...rowsOfPairs(changes),
      ...rowsOfAll(changes, names, callbacks, mediaElements),
      ...(await loopAlone(app, media, reader)).flatMap(rowsOfLoop),
    ];
  } finally {
    await watch.stop();
    await app.stop();
    await media.stop();
    await screen.close();
  }
}

const kindIn = (name: string): Kind => name.split(" ")[0] as Kind;
const measured = (changes: readonly Change[]) =>
  changes.filter(({ isUnmeasured }) => !isUnmeasured);

/** One line for each kind that gives way; the worst of what follows it. */
function rowsOfPairs(changes: readonly Change[]): Row[] {
  return kinds.map((from) => {
    const cells = kinds.map((to) => {
      const these = measured(changes).filter(
        (change) => kindIn(change.from) === from && kindIn(change.to) === to,
      );
      const gaps = these.map(({ gapMs }) => gapMs);
      return `${to} ${gaps.length === 0 ? "–" : Math.round(percentile(gaps, 0.99))}`;
    });
    return plain(`${from} → ${cells.join(" · ")}`, "", "ms p99 over nominal");
  });
}

function rowsOfAll(
  changes: readonly Change[],
  names: readonly string[],
  callbacks: readonly number[],
  mediaElements: number,
): Row[] {
  const gaps = measured(changes).map(({ gapMs }) => gapMs);
  const p99 = percentile(gaps, 0.99);
  const between = changes.flatMap((change) => change.between);
  const blanks = between.filter((name) => name === "blank").length;
  const stale = changes.filter(
    ({ from, to }, at) => !follows(names, from, to, changes[at - 1]?.from),
  );
  const stays = changes.map(({ stayedMs }) => stayedMs - 1000);
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
    goal("gap over the nominal, p99", p99, "ms", sampleMs),
    plain("gap over the nominal, median", percentile(gaps, 0.5), "ms"),
    plain("gap over the nominal, worst", Math.max(...gaps), "ms"),
    plain(
      "stay beyond the second it is given, median",
      percentile(stays, 0.5),
      "ms",
    ),
    plain(
      "stay beyond the second it is given, p99",
      percentile(stays, 0.99),
      "ms",
    ),
    plain(
      "from the swap to the next frame callback, p99",
      percentile(callbacks, 0.99),
      "ms",
    ),
    goal("media elements in the stage", mediaElements, "", 3),
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

/** Whether the walk goes on like this somewhere. */
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

/** How long after each swap the page's next frame came, counted inside the page. */
async function watchFrames(stage: Page): Promise<{
  end(): Promise<{ callbacks: number[]; mediaElements: number }>;
}> {
  await stage.evaluate(() => {
    const times: number[] = [];
    Object.assign(window, { swapTimes: times });
    const observer = new MutationObserver((records) => {
      const isSwap = records.some(
        ({ target }) =>
          target instanceof HTMLElement && target.classList.contains("coming"),
      );
      if (!isSwap) return;
      const from = performance.now();
      requestAnimationFrame(() => times.push(performance.now() - from));
    });
    const root = document.querySelector(".stage");
    if (root)
      observer.observe(root, {
        ...{ subtree: true, attributes: true },
        attributeFilter: ["class"],
      });
  });
  return {
    end: () =>
      stage.evaluate(() => ({
        callbacks: (window as unknown as { swapTimes: number[] }).swapTimes,
        mediaElements: document.querySelectorAll("video, audio").length,
      })),
  };
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
