// A virtual screen of its own, and its pixels as a person would see them, sampled from outside.

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { afterThisTest } from "./after-this-test.ts";
import type { Colour } from "./media.ts";

/** One sample of the screen, scaled down: 3 bytes a pixel, row by row. */
export interface Frame {
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

/** Samples are this small: enough to tell colours, bars and blanks apart. */
const sampleWidth = 64;
const sampleHeight = 36;

export async function openScreen(
  width = 1280,
  height = 720,
): Promise<VirtualScreen> {
  const server = spawn(
    "Xvfb",
    // prettier-ignore
    ["-displayfd", "3", "-screen", "0", `${width}x${height}x24`, "-nolisten", "tcp"],
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
  /** The first sample from now on that fits; throws with what was seen instead. */
  until(fits: (frame: Frame) => boolean, what: string): Promise<Frame>;
  stop(): Promise<void>;
}

/** Samples the whole screen 30 times a second. */
export function watchScreen(screen: VirtualScreen): Watch {
  const frames: Frame[] = [];
  let heard = (_frame: Frame): void => undefined;
  const sampler = spawn(
    "ffmpeg",
    // prettier-ignore
    [
      "-v", "error", "-f", "x11grab", "-draw_mouse", "0", "-framerate", "30",
      "-video_size", `${screen.width}x${screen.height}`, "-i", screen.display,
      "-vf", `scale=${sampleWidth}:${sampleHeight}:flags=area`,
      "-f", "rawvideo", "-pix_fmt", "rgb24", "pipe:1",
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const stop = (): Promise<void> => ended(sampler, "SIGKILL");
  afterThisTest(stop);
  const size = sampleWidth * sampleHeight * 3;
  let rest = Buffer.alloc(0);
  sampler.stdout.on("data", (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (; rest.length >= size; rest = rest.subarray(size)) {
      const frame = { atMs: Date.now(), pixels: rest.subarray(0, size) };
      frames.push(frame);
      heard(frame);
    }
  });
  return {
    frames,
    stop,
    until: (fits, what) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => {
          const last = frames.at(-1);
          const seen = last ? String(meanOf(last)) : "nothing";
          reject(
            new Error(`never seen on the glass: ${what}; last mean ${seen}`),
          );
        }, 20_000);
        heard = (frame) => {
          if (!fits(frame)) return;
          clearTimeout(late);
          heard = () => undefined;
          resolve(frame);
        };
      }),
  };
}

export function meanOf({ pixels }: Frame): Colour {
  const sums = [0, 0, 0];
  pixels.forEach((value, at) => {
    sums[at % 3] = (sums[at % 3] ?? 0) + value;
  });
  const [red = 0, green = 0, blue = 0] = sums.map((sum) =>
    Math.round(sum / (pixels.length / 3)),
  );
  return [red, green, blue];
}

export function isNear(a: Colour, b: Colour, within = 30): boolean {
  return a.every((part, at) => Math.abs(part - (b[at] ?? 0)) <= within);
}

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
