// Plays one-second items of every kind and watches what grows: memory, descriptors, nodes, media elements.

import {
  startInspectedApp,
  type InspectedApp,
} from "../../support/app/inspected-app.ts";
import { openScreen } from "../../support/screen/screen.ts";
import { makeMedia } from "../../bench/change/variants.ts";
import { walkAllPairs } from "../../bench/change/walk.ts";
import { trendOf, type Trend, type Sample } from "./trend.ts";
import { sampleProcesses, type ProcessSample } from "./processes.ts";

export interface SoakOptions {
  /** Warm-up that is not measured: caches fill, code is compiled. */
  readonly warmUpMs: number;
  readonly watchMs: number;
  readonly intervalMs: number;
  readonly limits: Limits;
  /** Maximum number of measuring periods: a cache that still fills stops growing in the meantime, a leak does not. */
  readonly maxWatches: number;
  /** With fewer changes, however slow the machine is, it is measured once more. */
  readonly minSwaps: number;
}

/** Growth per hour that still counts as noise. A series fails if even the lower bound of its slope is above. */
export interface Limits {
  readonly mebibytes: number;
  readonly descriptors: number;
  readonly nodes: number;
}

export interface SoakLine extends Trend {
  readonly series: string;
  readonly unit: string;
  readonly limitPerHour: number;
  readonly grows: boolean;
}

export interface SoakReport {
  /** Of the last measuring period. */
  readonly lines: readonly SoakLine[];
  readonly measurements: readonly Measurement[];
  /** Layer changes of the stage during the measurement; pages are above the layers and are not counted. */
  readonly swaps: number;
  /** The maximum at any time. */
  readonly mediaElements: number;
}

export interface Measurement {
  readonly atMs: number;
  readonly processes: readonly ProcessSample[];
  readonly nodes: number;
  readonly heapMiB: number;
  readonly mediaElements: number;
}

export async function soak(options: SoakOptions): Promise<SoakReport> {
  const screen = await openScreen(1280, 720);
  const app = await startInspectedApp(screen);
  const media = await makeMedia();
  try {
    for (const stop of walkAllPairs()) await media.add(app, stop);
    await pause(options.warmUpMs);
    const swaps = await countSwaps(app);
    const measurements: Measurement[] = [];
    let lines: readonly SoakLine[] = [];
    for (let watches = 0; watches < options.maxWatches; watches += 1) {
      const watched = await watch(app, options);
      measurements.push(...watched);
      lines = linesOf(watched, options.limits);
      const grows = lines.some((line) => line.grows);
      if (!grows && (await swaps()) >= options.minSwaps) break;
    }
    return {
      lines,
      measurements,
      swaps: await swaps(),
      mediaElements: Math.max(
        ...measurements.map((measurement) => measurement.mediaElements),
      ),
    };
  } finally {
    await app.stop();
    await media.stop();
    await screen.close();
  }
}

const mebi = 1024 * 1024;

async function watch(
  app: InspectedApp,
  { watchMs, intervalMs }: SoakOptions,
): Promise<readonly Measurement[]> {
  const measurements: Measurement[] = [];
  const endsAt = performance.now() + watchMs;
  while (performance.now() < endsAt) {
    measurements.push({
      atMs: performance.now(),
      processes: await sampleProcesses(app.pid),
      nodes: await app.evaluate(() => document.querySelectorAll("*").length),
      heapMiB: (await app.heapBytes()) / mebi,
      mediaElements: await app.evaluate(
        () => document.querySelectorAll("video, audio").length,
      ),
    });
    await pause(intervalMs);
  }
  return measurements;
}

function linesOf(
  measurements: readonly Measurement[],
  limits: Limits,
): SoakLine[] {
  const line = (
    series: string,
    unit: string,
    limitPerHour: number,
    value: (measurement: Measurement) => number,
  ): SoakLine => {
    const samples: Sample[] = measurements.map((measurement) => ({
      atMs: measurement.atMs,
      value: value(measurement),
    }));
    const trend = trendOf(samples);
    const grows = trend.minPerHour > limitPerHour;
    return { series, unit, limitPerHour, ...trend, grows };
  };
  // Pages come and go with their own processes; processes that stay are checked one by one.
  const staying = (measurements[0]?.processes ?? []).filter(({ pid }) =>
    measurements.every(({ processes }) =>
      processes.some((each) => each.pid === pid),
    ),
  );
  const stays = new Set(staying.map(({ pid }) => pid));
  return [
    ...staying.flatMap(({ pid, type }) => {
      const its = ({ processes }: Measurement): ProcessSample | undefined =>
        processes.find((each) => each.pid === pid);
      return [
        line(
          `${type} ${pid}: memory it made`,
          "MiB",
          limits.mebibytes,
          (measurement) => (its(measurement)?.madeKiB ?? 0) / 1024,
        ),
        line(
          `${type} ${pid}: descriptors`,
          "",
          limits.descriptors,
          (measurement) => its(measurement)?.descriptors ?? 0,
        ),
      ];
    }),
    line(
      "processes that come and go",
      "",
      limits.descriptors,
      ({ processes }) => processes.filter(({ pid }) => !stays.has(pid)).length,
    ),
    line(
      "the stage's script memory",
      "MiB",
      limits.mebibytes,
      (measurement) => measurement.heapMiB,
    ),
    line(
      "the stage's nodes",
      "",
      limits.nodes,
      (measurement) => measurement.nodes,
    ),
  ];
}

/** Counts in the page how often another layer came to the front. */
async function countSwaps(app: InspectedApp): Promise<() => Promise<number>> {
  await app.evaluate(() => {
    const counted = { swaps: 0 };
    Object.assign(window, { counted });
    let front = document.querySelector(".layer.front");
    const observer = new MutationObserver(() => {
      const now = document.querySelector(".layer.front");
      if (now && now !== front) counted.swaps++;
      front = now ?? front;
    });
    observer.observe(document.body, {
      ...{ subtree: true, attributes: true },
      attributeFilter: ["class"],
    });
  });
  return () =>
    app.evaluate(
      () => (window as unknown as { counted: { swaps: number } }).counted.swaps,
    );
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
