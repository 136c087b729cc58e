// A picture, a clip and a page, made on the spot.

import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { PNG } from "pngjs";

export type Colour = readonly [red: number, green: number, blue: number];

/** A PNG of one colour. */
export function picture(colour: Colour, width = 64, height = 36): Buffer {
  const png = new PNG({ width, height, colorType: 2 });
  for (let at = 0; at < png.data.length; at += 4) {
    png.data.set([...colour, 255], at);
  }
  return PNG.sync.write(png, { colorType: 2 });
}

export interface Clip {
  readonly colour: Colour;
  readonly seconds: number;
  readonly width?: number;
  readonly height?: number;
  /** As ffmpeg names it; H.264 unless told otherwise. */
  readonly codec?: string;
}

const run = promisify(execFile);

/** An MP4 (H.264, AAC) of one colour with a moving mark and a tone. */
export async function clip(wish: Clip): Promise<Buffer> {
  const {
    colour,
    seconds,
    width = 640,
    height = 360,
    codec = "libx264",
  } = wish;
  const dir = mkdtempSync(path.join(os.tmpdir(), "vitrine-clip-"));
  const file = path.join(dir, "clip.mp4");
  const hex = colour.map((part) => part.toString(16).padStart(2, "0")).join("");
  const mark = `[0][1]overlay=x='mod(t*120,${width})':y=4`;
  try {
    // prettier-ignore
    await run("ffmpeg", [
      "-v", "error", "-y",
      "-f", "lavfi", "-i", `color=0x${hex}:s=${width}x${height}:r=30:d=${seconds}`,
      "-f", "lavfi", "-i", `color=white:s=16x16:r=30:d=${seconds}`,
      "-f", "lavfi", "-i", `sine=frequency=440:duration=${seconds}`,
      "-filter_complex", mark,
      "-c:v", codec, ...(codec === "libx264" ? ["-preset", "ultrafast"] : []), "-pix_fmt", "yuv420p", "-c:a", "aac",
      "-movflags", "+faststart", "-shortest", file,
    ]);
    return await readFile(file);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

export interface PageServer {
  readonly address: string;
  /** Pages by path; a number answers that status without a body. */
  readonly pages: Map<string, string | number>;
  stop(): Promise<void>;
}

/** Pages over loopback; what is not there is a 404. */
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
