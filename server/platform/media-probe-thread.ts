// The thread that reads foreign media: type by the bytes, tracks and length of what moves. It may hang or run out of memory; its owner ends it.

import { open } from "node:fs/promises";
import { parentPort } from "node:worker_threads";
import { fileTypeFromBuffer, fileTypeFromFile } from "file-type";
import { ALL_FORMATS, FilePathSource, Input } from "mediabunny";
import { isSvg } from "./svg-detection.ts";

export interface MediaProbeJob {
  readonly file: string;
  /** The whole file, where it is in memory already. */
  readonly bytes?: Uint8Array | undefined;
}

export interface MediaTracks {
  /** In pixels as it is shown. */
  readonly video: {
    readonly width: number;
    readonly height: number;
    readonly isCodecKnown: boolean;
  } | null;
  readonly hasAudio: boolean;
}

export interface MovingMedia {
  readonly type: string;
  readonly lengthSeconds: number | null;
  readonly tracks: MediaTracks | null;
}

/** `type` comes first, so that it is known of a file that takes the thread down with it. */
export type MediaProbeMessage =
  | { readonly kind: "type"; readonly type: string }
  | { readonly kind: "done"; readonly media: MovingMedia | null }
  | { readonly kind: "unreadable"; readonly reason: string };

/** The length of some files is known only when all of them has been read. */
const lengthTimeoutMs = 10_000;
/** What is an SVG begins as one within this. */
const svgHeadBytes = 4096;

parentPort?.on("message", (job: MediaProbeJob) => {
  void probe(job)
    .then((media): MediaProbeMessage => ({ kind: "done", media }))
    .catch((error: unknown): MediaProbeMessage => ({
      kind: "unreadable",
      reason: error instanceof Error ? error.message : String(error),
    }))
    .then(send);
});

function send(message: MediaProbeMessage): void {
  parentPort?.postMessage(message);
}

async function probe({
  file,
  bytes,
}: MediaProbeJob): Promise<MovingMedia | null> {
  const found = bytes ? fileTypeFromBuffer(bytes) : fileTypeFromFile(file);
  const type = (await found)?.mime ?? null;
  if (type?.startsWith("image/") || type === "application/pdf")
    return still(type);
  if (type && /^(video|audio)\//.test(type)) {
    send({ kind: "type", type });
    return { type, ...(await readMoving(file)) };
  }
  // SVG is text: other tools call it XML or nothing at all.
  if (type === null || type === "application/xml") {
    const head = bytes?.subarray(0, svgHeadBytes) ?? (await headOf(file));
    return isSvg(Buffer.from(head).toString("utf8"))
      ? still("image/svg+xml")
      : null;
  }
  return null;
}

function still(type: string): MovingMedia {
  return { type, lengthSeconds: null, tracks: null };
}

async function readMoving(
  file: string,
): Promise<Pick<MovingMedia, "lengthSeconds" | "tracks">> {
  const input = new Input({
    source: new FilePathSource(file),
    formats: ALL_FORMATS,
  });
  try {
    const video = await input.getPrimaryVideoTrack();
    const audio = await input.getPrimaryAudioTrack();
    const tracks = {
      video: video && {
        width: await video.getDisplayWidth(),
        height: await video.getDisplayHeight(),
        isCodecKnown: video.codec !== null,
      },
      hasAudio: audio !== null,
    };
    return { lengthSeconds: await lengthOf(input), tracks };
  } catch {
    // The type is right, and the stage judges the rest.
    return { lengthSeconds: null, tracks: null };
  } finally {
    input.dispose();
  }
}

async function lengthOf(input: Input): Promise<number | null> {
  let late: NodeJS.Timeout | undefined;
  const timeout = new Promise<number>((resolve) => {
    late = setTimeout(() => resolve(NaN), lengthTimeoutMs);
  });
  try {
    const seconds = await Promise.race([input.computeDuration(), timeout]);
    return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
  } finally {
    clearTimeout(late);
  }
}

async function headOf(file: string): Promise<Uint8Array> {
  const handle = await open(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read(
      Buffer.alloc(svgHeadBytes),
      0,
    );
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
