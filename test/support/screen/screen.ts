// A virtual screen of its own, and its pixels as a person would see them, sampled from outside.

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { waitDeadlineMs } from "../../../build/vitest/wait-deadline.ts";
import { afterThisTest } from "../after-this-test.ts";
import type { Colour } from "../media/media.ts";

/** One sample of the screen, scaled down: 3 bytes per pixel, row by row. */
export interface Frame {
  /** When it was taken: wall-clock milliseconds, with fractions. */
  readonly atMs: number;
  readonly pixels: Buffer;
}

export interface VirtualScreen {
  /** e.g. `:101`, for DISPLAY. */
  readonly display: string;
  readonly width: number;
  readonly height: number;
  close(): Promise<void>;
}

/** Samples are this small, each point the mean of 25 or more of the screen: enough to tell colours, bars and blanks apart. */
const sampleWidth = 64;
const sampleHeight = 36;

/** Width and height, the smallest with which the tests work: a screenshot costs a quarter of one of 1280 × 720. */
const small = [640, 360] as const;

export async function openScreen(
  width: number = small[0],
  height: number = small[1],
  flags: readonly string[] = [],
): Promise<VirtualScreen> {
  const server = spawn(
    "Xvfb",
    // prettier-ignore
    ["-displayfd", "3", "-screen", "0", `${width}x${height}x24`, "-nolisten", "tcp", "-noreset", ...flags],
    { stdio: ["ignore", "ignore", "ignore", "pipe"] },
  );
  const close = (): Promise<void> => ended(server, "SIGTERM");
  afterThisTest(close);
  const [number] = (await once(
    server.stdio[3] as NodeJS.ReadableStream,
    "data",
  )) as [Buffer];
  return { display: `:${number.toString().trim()}`, width, height, close };
}

export interface Watch {
  /** Every sample so far, the newest last. */
  readonly frames: readonly Frame[];
  /** The first sample from now on that matches; throws with what was seen instead. */
  until(
    fits: (frame: Frame) => boolean,
    what: string,
    withinMs?: number,
  ): Promise<Frame>;
  /** Earlier samples no longer count. */
  forget(): void;
  stop(): Promise<void>;
}

export interface WatchOptions {
  /** Samples per second. */
  readonly rate?: number;
  /** Called with each sample, which is then not kept. */
  readonly onFrame?: (frame: Frame) => void;
}

/** Samples the whole screen. */
export function watchScreen(
  screen: VirtualScreen,
  { rate = 30, onFrame }: WatchOptions = {},
): Watch {
  const frames: Frame[] = [];
  let notify = (_frame: Frame): void => undefined;
  const each = ["-fps_mode", "passthrough", "-enc_time_base", "-1"];
  // The mean of all pixels of a small screen costs a quarter less than leaving some out first.
  const thinned =
    screen.width > small[0]
      ? `scale=${sampleWidth * 5}:${sampleHeight * 5}:flags=neighbor,`
      : "";
  const sampler = spawn(
    "ffmpeg",
    // prettier-ignore
    [
      "-v", "error", "-copyts", "-f", "x11grab", "-draw_mouse", "0", "-framerate", String(rate),
      "-video_size", `${screen.width}x${screen.height}`, "-i", screen.display,
      "-filter_complex", `${thinned}scale=${sampleWidth}:${sampleHeight}:flags=area,format=rgb24,split[pixels][times]`,
      "-map", "[pixels]", ...each, "-f", "rawvideo", "-flush_packets", "1", "pipe:1",
      "-map", "[times]", ...each, "-f", "framecrc", "-flush_packets", "1", "pipe:3",
    ],
    { stdio: ["ignore", "pipe", "inherit", "pipe"] },
  );
  const stop = (): Promise<void> => ended(sampler, "SIGKILL");
  afterThisTest(stop);
  // The same frames twice, in the same order: their pixels, and when each was taken.
  const size = sampleWidth * sampleHeight * 3;
  let pixels = Buffer.alloc(0);
  let lines = "";
  const times: number[] = [];
  const pair = (): void => {
    for (; pixels.length >= size; pixels = pixels.subarray(size)) {
      const atMs = times.shift();
      if (atMs === undefined) return;
      const frame = { atMs, pixels: pixels.subarray(0, size) };
      if (onFrame) onFrame(frame);
      else frames.push(frame);
      notify(frame);
    }
  };
  sampler.stdout?.on("data", (chunk: Buffer) => {
    pixels = Buffer.concat([pixels, chunk]);
    pair();
  });
  (sampler.stdio[3] as NodeJS.ReadableStream).on("data", (chunk: Buffer) => {
    const complete = (lines + chunk.toString()).split("\n");
    lines = complete.pop() ?? "";
    for (const line of complete) {
      const microseconds = /^0, *(\d+),/.exec(line)?.[1];
      if (microseconds !== undefined) times.push(Number(microseconds) / 1000);
    }
    pair();
  });
  return {
    frames,
    stop,
    forget: () => {
      frames.length = 0;
    },
    until: (fits, what, withinMs = waitDeadlineMs) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => {
          const last = frames.at(-1);
          const seen = last ? String(meanOf(last)) : "nothing";
          reject(
            new Error(`never seen on the screen: ${what}; last mean ${seen}`),
          );
        }, withinMs);
        notify = (frame) => {
          if (!fits(frame)) return;
          clearTimeout(late);
          notify = () => undefined;
          resolve(frame);
        };
      }),
  };
}

/** Samples from now on, for this long by the samples' own times: a busy machine takes fewer of them. */
export async function seenFor(
  screenWatch: Watch,
  ms: number,
): Promise<readonly Frame[]> {
  const from = screenWatch.frames.length;
  const lasts = ({ atMs }: Frame): boolean =>
    atMs - (screenWatch.frames[from] ?? { atMs }).atMs >= ms;
  await screenWatch.until(lasts, `${ms} ms of anything`, ms + waitDeadlineMs);
  return screenWatch.frames.slice(from);
}

export function meanOf({ pixels }: Frame): Colour {
  let [red, green, blue] = [0, 0, 0];
  // Called thirty times per second.
  for (let at = 0; at < pixels.length; at += 3) {
    red += pixels[at] ?? 0;
    green += pixels[at + 1] ?? 0;
    blue += pixels[at + 2] ?? 0;
  }
  const mean = (sum: number) => Math.round(sum / (pixels.length / 3));
  return [mean(red), mean(green), mean(blue)];
}

/** The colour at a position, in fractions of the screen from its upper left corner. */
export function colourAt({ pixels }: Frame, x: number, y: number): Colour {
  const column = Math.min(sampleWidth - 1, Math.floor(x * sampleWidth));
  const row = Math.min(sampleHeight - 1, Math.floor(y * sampleHeight));
  const at = (row * sampleWidth + column) * 3;
  return [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0];
}

export function isNear(a: Colour, b: Colour, within = 30): boolean {
  return a.every((part, at) => Math.abs(part - (b[at] ?? 0)) <= within);
}

/** Whether a frame is of one colour on the whole: `screenWatch.until(shows(red), "the red page")`. */
export const shows =
  (colour: Colour) =>
  (frame: Frame): boolean =>
    isNear(meanOf(frame), colour);

/** Nothing but black, or nothing but white. */
export function isBlank({ pixels }: Frame): boolean {
  return (
    pixels.every((value) => value < 12) || pixels.every((value) => value > 243)
  );
}

async function ended(
  process: ChildProcess,
  signal: NodeJS.Signals,
): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return;
  const exit = once(process, "exit");
  process.kill(signal);
  await exit;
}
