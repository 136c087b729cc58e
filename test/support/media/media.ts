// Generates images, clips, tones and pages.

import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { PNG } from "pngjs";

export type Colour = readonly [red: number, green: number, blue: number];

/** A PNG of one colour. */
export function png(colour: Colour, width = 64, height = 36): Buffer {
  const encoded = new PNG({ width, height, colorType: 2 });
  for (let at = 0; at < encoded.data.length; at += 4) {
    encoded.data.set([...colour, 255], at);
  }
  return PNG.sync.write(encoded, { colorType: 2 });
}

export interface Clip {
  readonly colour: Colour;
  readonly seconds: number;
  readonly width?: number;
  readonly height?: number;
  /** As ffmpeg names it; H.264 by default. */
  readonly codec?: string;
  /** A WebM holds VP9 and Opus. */
  readonly container?: "mp4" | "webm";
  /** Without an audio track. */
  readonly isSilent?: boolean;
  /** A WAV that is audible from the first frame to the last; by default a tone that ends a moment sooner. */
  readonly tone?: Buffer;
}

const run = promisify(execFile);

export async function runFfmpeg(args: readonly string[]): Promise<void> {
  await run("ffmpeg", ["-v", "error", "-y", ...args]);
}

export function hexOf(colour: Colour): string {
  return colour.map((part) => part.toString(16).padStart(2, "0")).join("");
}

/** An MP4 (H.264, AAC) of one colour with a moving mark and a tone. */
export async function clip(options: Clip): Promise<Buffer> {
  const {
    colour,
    seconds,
    width = 640,
    height = 360,
    container = "mp4",
    codec = container === "mp4" ? "libx264" : "libvpx-vp9",
    isSilent = false,
    tone: audio,
  } = options;
  const dir = mkdtempSync(path.join(os.tmpdir(), "vitrine-clip-"));
  const file = path.join(dir, `clip.${container}`);
  const hex = hexOf(colour);
  const soundFile = path.join(dir, "tone.wav");
  if (audio) await writeFile(soundFile, audio);
  const mark = `[0][1]overlay=x='mod(t*120,${width})':y=4`;
  try {
    // prettier-ignore
    await runFfmpeg([
      "-f", "lavfi", "-i", `color=0x${hex}:s=${width}x${height}:r=30:d=${seconds}`,
      "-f", "lavfi", "-i", `color=white:s=16x16:r=30:d=${seconds}`,
      // The video outlasts the audio: where it ends, the clip ends.
      ...(audio ? ["-i", soundFile] : ["-f", "lavfi", "-i", `sine=frequency=440:duration=${seconds - 0.1}`]),
      "-filter_complex", mark, ...(isSilent ? ["-an"] : []),
      "-c:v", codec, ...(codec === "libx264" ? ["-preset", "ultrafast"] : []), "-pix_fmt", "yuv420p",
      ...(container === "mp4"
        ? ["-c:a", "aac", "-movflags", "+faststart"]
        : ["-c:a", "libopus", "-deadline", "realtime", "-cpu-used", "8"]),
      file,
    ]);
    return await readFile(file);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** A WAV of a square wave, equally loud from its first sample to its last. */
export function squareTone(seconds: number, hertz: number): Buffer {
  const rate = 48_000;
  const samples = Int16Array.from({ length: seconds * rate }, (_, place) =>
    Math.floor((2 * hertz * place) / rate) % 2 === 0 ? 8000 : -8000,
  );
  const data = Buffer.from(samples.buffer);
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.writeUInt32LE(36 + data.length, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write("data", 36);
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}

/** An M4A (AAC) with nothing but a tone. */
export async function tone(seconds: number): Promise<Buffer> {
  const dir = mkdtempSync(path.join(os.tmpdir(), "vitrine-tone-"));
  const file = path.join(dir, "tone.m4a");
  try {
    // prettier-ignore
    await runFfmpeg(["-f", "lavfi", "-i", `sine=frequency=220:duration=${seconds}`, "-c:a", "aac", file]);
    return await readFile(file);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

export interface PageServer {
  readonly address: string;
  /** Pages by path; a number is sent as a status without a body. */
  readonly pages: Map<string, string | number>;
  stop(): Promise<void>;
}

/** Pages over loopback; an unknown path is a 404. */
export async function servePages(
  pages: Readonly<Record<string, string | number>>,
): Promise<PageServer> {
  const known = new Map(Object.entries(pages));
  const server: Server = createServer((request, response) => {
    const page = known.get(request.url ?? "/") ?? 404;
    if (typeof page === "number") response.writeHead(page).end();
    else response.setHeader("Content-Type", "text/html").end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    pages: known,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function colouredPage([red, green, blue]: Colour): string {
  return `<!doctype html><title>page</title><style>html{background:rgb(${red},${green},${blue})}</style>`;
}
