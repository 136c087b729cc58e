// What a prepared video costs the video on the screen: with the next one prepared behind it, and with that taken out of the
// page's layout. Both in alternation in one run of the real app, so that other work of the machine affects both.

import type { Row } from "../../build/bench.ts";
import {
  startInspectedApp,
  type InspectedApp,
} from "../support/app/inspected-app.ts";
import { clip, type Clip } from "../support/media/media.ts";
import { openScreen } from "../support/screen/screen.ts";
import { sampleProcesses } from "../long/soak/processes.ts";
import { cpuMicrosecondsOf } from "./content/cpu.ts";

interface Size {
  readonly name: string;
  readonly clip: Pick<Clip, "width" | "height">;
}

interface Figures {
  /** Standard deviation of the time between two frames. */
  readonly judderMs: number;
  readonly graphicsSeconds: number;
  readonly allSeconds: number;
  readonly memoryMiB: number;
}

const sizes: readonly Size[] = [
  { name: "1080p30", clip: { width: 1920, height: 1080 } },
  { name: "720p30", clip: { width: 1280, height: 720 } },
];
/** Longer than the measurement, so that no change happens during it. */
const filmSeconds = 70;
const warmUpMs = 5000;
const watchMs = 20_000;
const rounds = Number(process.argv[3] ?? 3);
const maxTimes = 1.05;
const maxMemoryTimes = 1.25;

export async function run(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const size of sizes) {
    const screen = await openScreen(1920, 1080);
    const app = await startInspectedApp(screen);
    try {
      rows.push(...(await rowsOf(app, size)));
    } finally {
      await app.stop();
      await screen.close();
    }
  }
  return rows;
}

async function rowsOf(app: InspectedApp, { name, clip: options }: Size) {
  const seconds = filmSeconds;
  const first = await clip({ colour: [30, 180, 60], seconds, ...options });
  const second = await clip({ colour: [40, 60, 230], seconds, ...options });
  const how = { mimetype: "video", duration: 0 };
  await app.addFile(first, { ...how, name: "first" });
  await app.addFile(second, { ...how, name: "second" });
  const alone: Figures[] = [];
  const behind: Figures[] = [];
  for (let round = 0; round < rounds; round++) {
    await app.control("next");
    await isNextReady(app);
    behind.push(await watch(app));
    await app.evaluate(() => {
      for (const layer of document.querySelectorAll(".layer:not(.front)"))
        layer.toggleAttribute("hidden", true);
    });
    alone.push(await watch(app));
    await app.evaluate(() => {
      for (const layer of document.querySelectorAll(".layer[hidden]"))
        layer.toggleAttribute("hidden", false);
    });
  }
  const row = (what: string, unit: string, most: number, key: keyof Figures) =>
    compared(
      `${name}, with the next film prepared: ${what}`,
      medianOf(behind.map((each) => each[key])),
      ...([unit, medianOf(alone.map((each) => each[key])), most] as const),
    );
  return [
    row("judder", "ms", maxTimes, "judderMs"),
    row("graphics process", "CPU s", maxTimes, "graphicsSeconds"),
    row("all processes", "CPU s", maxTimes, "allSeconds"),
    row("memory", "MiB", maxMemoryTimes, "memoryMiB"),
  ];
}

/** Resolves when a video is playing and another is ready behind it. */
async function isNextReady(app: InspectedApp): Promise<void> {
  for (;;) {
    await pause(warmUpMs);
    const isReady = await app.evaluate(() => {
      const front = document.querySelector(".layer.front video.on");
      const others = document.querySelectorAll(".layer:not(.front) video.on");
      return (
        front instanceof HTMLVideoElement &&
        !front.paused &&
        [...others].some(
          (film) => film instanceof HTMLVideoElement && film.readyState >= 3,
        )
      );
    });
    if (isReady) return;
  }
}

async function watch(app: InspectedApp): Promise<Figures> {
  const before = await spent(app.pid);
  await app.evaluate(() => {
    const film = document.querySelector(".layer.front video.on");
    if (!(film instanceof HTMLVideoElement)) throw new Error("No film runs.");
    const moments: number[] = [];
    const watching = new AbortController();
    Object.assign(window, { moments, watching });
    const receive: VideoFrameRequestCallback = (_now, { presentationTime }) => {
      if (watching.signal.aborted) return;
      moments.push(presentationTime);
      film.requestVideoFrameCallback(receive);
    };
    film.requestVideoFrameCallback(receive);
  });
  await pause(watchMs);
  const moments = await app.evaluate(() => {
    const kept = window as unknown as {
      moments: number[];
      watching: AbortController;
    };
    kept.watching.abort();
    return kept.moments;
  });
  const after = await spent(app.pid);
  const steps = moments.slice(1).map((at, index) => at - (moments[index] ?? 0));
  return {
    judderMs: deviationOf(steps),
    graphicsSeconds: after.graphics - before.graphics,
    allSeconds: after.all - before.all,
    memoryMiB: after.memoryMiB,
  };
}

async function spent(pid: number) {
  const samples = await sampleProcesses(pid);
  const seconds = (of: typeof samples): number =>
    sum(of.map((each) => (cpuMicrosecondsOf(each.pid) ?? 0) / 1_000_000));
  return {
    graphics: seconds(samples.filter(({ type }) => type === "gpu-process")),
    all: seconds(samples),
    memoryMiB: sum(samples.map(({ madeKiB }) => madeKiB)) / 1024,
  };
}

function deviationOf(values: readonly number[]): number {
  const mean = sum(values) / values.length;
  return Math.sqrt(
    sum(values.map((value) => (value - mean) ** 2)) / values.length,
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function compared(
  figure: string,
  value: number,
  unit: string,
  against: number,
  most: number,
): Row {
  const ratio = value / against;
  return {
    ...{ figure, value, unit, against, ratio },
    goal: `at most ${String(most)} ×`,
    met: ratio <= most,
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
