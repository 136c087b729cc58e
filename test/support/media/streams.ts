// Generates HLS streams, recorded or live, on a server whose failures a test controls.

import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterThisTest } from "../after-this-test.ts";
import { hexOf, runFfmpeg, type Colour } from "./media.ts";

export interface StreamServer {
  /** Of the playlist. */
  readonly address: string;
  /** `gone` answers 404 to everything; `hanging` never answers; `torn` sends invalid segments. */
  misbehave(how: "gone" | "hanging" | "torn" | null): void;
  /** Number of requests. */
  requests(): number;
  stop(): Promise<void>;
}

export interface StreamOptions {
  readonly colour: Colour;
  /** A recorded one ends after this; a live one starts over. */
  readonly seconds: number;
  /** Its playlist moves on with the clock and never ends. */
  readonly isLive?: boolean;
  /** Without a video track. */
  readonly isAudioOnly?: boolean;
  readonly width?: number;
  readonly height?: number;
}

const segmentSeconds = 1;
/** How much of a live stream its playlist holds. */
const liveSegments = 4;

export async function serveStream(
  options: StreamOptions,
): Promise<StreamServer> {
  const segments = await segmentsOf(options);
  const startedAt = Date.now();
  let misbehaviour: Parameters<StreamServer["misbehave"]>[0] = null;
  let requests = 0;
  const server = createServer((request, response) => {
    requests++;
    if (misbehaviour === "hanging") return;
    const name = (request.url ?? "/").slice(1);
    if (misbehaviour === "gone") return void response.writeHead(404).end();
    response.setHeader("Cache-Control", "no-store");
    if (name === "stream.m3u8") {
      response.setHeader("Content-Type", "application/vnd.apple.mpegurl");
      const moment = (Date.now() - startedAt) / 1000;
      return void response.end(playlist(segments.length, options, moment));
    }
    const bytes =
      segments[Number(/^(\d+)\.ts$/.exec(name)?.[1]) % segments.length];
    if (!bytes) return void response.writeHead(404).end();
    response.setHeader("Content-Type", "video/mp2t");
    response.end(misbehaviour === "torn" ? Buffer.alloc(4000, 9) : bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  afterThisTest(stop);
  return {
    address: `http://127.0.0.1:${port}/stream.m3u8`,
    misbehave: (how) => {
      misbehaviour = how;
    },
    requests: () => requests,
    stop,
  };
}

function playlist(
  count: number,
  options: StreamOptions,
  moment: number,
): string {
  const first = options.isLive ? Math.floor(moment / segmentSeconds) : 0;
  const length = options.isLive ? liveSegments : count;
  const lines = Array.from({ length }, (_line, at) => {
    const number = first + at;
    // A live one starts over: its times jump back there.
    const jump = options.isLive && number % count === 0 && number > 0;
    return `${jump ? "#EXT-X-DISCONTINUITY\n" : ""}#EXTINF:${segmentSeconds}.0,\n${number}.ts`;
  });
  return [
    "#EXTM3U",
    "#EXT-X-VERSION:3",
    `#EXT-X-TARGETDURATION:${segmentSeconds}`,
    `#EXT-X-MEDIA-SEQUENCE:${first}`,
    ...(options.isLive
      ? [
          `#EXT-X-DISCONTINUITY-SEQUENCE:${Math.floor(Math.max(0, first - 1) / count)}`,
        ]
      : ["#EXT-X-PLAYLIST-TYPE:VOD"]),
    ...lines,
    ...(options.isLive ? [] : ["#EXT-X-ENDLIST"]),
    "",
  ].join("\n");
}

async function segmentsOf(options: StreamOptions): Promise<Buffer[]> {
  const { colour, seconds, width = 640, height = 360 } = options;
  const dir = mkdtempSync(path.join(os.tmpdir(), "vitrine-stream-"));
  const mark = `[0][1]overlay=x='mod(t*120,${width})':y=4`;
  try {
    // prettier-ignore
    await runFfmpeg([
      "-f", "lavfi", "-i", `color=0x${hexOf(colour)}:s=${width}x${height}:r=30:d=${seconds}`,
      "-f", "lavfi", "-i", `color=white:s=16x16:r=30:d=${seconds}`,
      "-f", "lavfi", "-i", `sine=frequency=330:duration=${seconds}`,
      ...(options.isAudioOnly ? ["-map", "2:a"] : ["-filter_complex", mark]),
      "-c:v", "libx264", "-preset", "ultrafast", "-g", "30", "-keyint_min", "30", "-sc_threshold", "0",
      "-pix_fmt", "yuv420p", "-c:a", "aac", "-f", "hls", "-hls_time", String(segmentSeconds),
      "-hls_list_size", "0", "-hls_segment_filename", path.join(dir, "%03d.ts"), path.join(dir, "own.m3u8"),
    ]);
    const names = readdirSync(dir).filter((name) => name.endsWith(".ts"));
    return await Promise.all(
      names.sort().map((name) => readFile(path.join(dir, name))),
    );
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
