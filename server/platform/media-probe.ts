// Detects what a file is by its bytes, on threads with limits of time and memory: foreign bytes are never parsed on the main thread.

import { Worker } from "node:worker_threads";
import type {
  MediaProbeJob,
  MediaProbeMessage,
  MediaTracks,
  MovingMedia,
} from "./media-probe-thread.ts";

export interface Media {
  /** e.g. `image/png`, `video/mp4`. */
  readonly type: string;
  readonly lengthSeconds: number | null;
  /** Why no PC of this kind can play it, in a sentence; null where it is worth a try. */
  readonly problem: string | null;
}

export interface MeasuredMedia extends Media {
  /** Null for what has no tracks, and where they cannot be read. */
  readonly tracks: MediaTracks | null;
}

/** Null when the bytes are no image, video, audio or PDF that is known; they are read from the file unless they are given. */
type Measure = (
  file: string,
  bytes?: Uint8Array,
) => Promise<MeasuredMedia | null>;

/** A file that keeps a thread busy for longer than this is treated as damaged. */
const usualTimeoutMs = 20_000;
const maxHeapMb = 512;
/** One that hangs must not hold up all others. */
const maxThreads = 2;

interface Waiting {
  readonly job: MediaProbeJob;
  readonly resolve: (media: MeasuredMedia | null) => void;
  readonly reject: (error: Error) => void;
}

/** With threads of its own, which begin with the first file and stay for the next ones. */
export function createMediaProbe({ timeoutMs = usualTimeoutMs } = {}): Measure {
  const queue: Waiting[] = [];
  const idle: Worker[] = [];
  let busyCount = 0;

  function runNext(): void {
    if (busyCount >= maxThreads) return;
    const next = queue.shift();
    if (!next) return;
    busyCount += 1;
    run(idle.pop() ?? startThread(), next.job)
      .then(next.resolve, next.reject)
      .finally(() => {
        busyCount -= 1;
        runNext();
      });
  }

  function startThread(): Worker {
    const worker = new Worker(
      new URL("./media-probe-thread.ts", import.meta.url),
      { resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } },
    );
    // One may also die after it has answered.
    const forget = (): void => {
      const at = idle.indexOf(worker);
      if (at >= 0) idle.splice(at, 1);
    };
    return worker.on("error", forget).on("exit", forget);
  }

  /** Rejects only when the file cannot be read; a thread that dies or hangs over a file is a fault of that file. */
  function run(
    worker: Worker,
    job: MediaProbeJob,
  ): Promise<MeasuredMedia | null> {
    // A process with a file under way does not end; one with idle threads does.
    worker.ref();
    return new Promise((resolve, reject) => {
      let type: string | null = null;
      const end = (isReusable: boolean): void => {
        clearTimeout(deadline);
        worker.off("error", giveUp).off("exit", giveUp);
        worker.off("message", receive);
        worker.unref();
        if (isReusable) idle.push(worker);
        else worker.terminate().catch(() => undefined);
      };
      const giveUp = (): void => {
        end(false);
        resolve(type === null ? null : damaged(type));
      };
      const deadline = setTimeout(giveUp, timeoutMs);
      worker.once("error", giveUp);
      worker.once("exit", giveUp);
      const receive = (message: MediaProbeMessage): void => {
        if (message.kind === "type") {
          type = message.type;
          return;
        }
        end(true);
        if (message.kind === "unreadable") reject(new Error(message.reason));
        else resolve(message.media && playable(message.media));
      };
      worker.on("message", receive);
      worker.postMessage(job);
    });
  }

  return (file, bytes) =>
    new Promise((resolve, reject) => {
      queue.push({ job: { file, bytes }, resolve, reject });
      runNext();
    });
}

/** The type with its tracks. */
export const measureMedia = createMediaProbe();

/** The same without its tracks. */
export async function probeMedia(
  file: string,
  bytes?: Uint8Array,
): Promise<Media | null> {
  const measured = await measureMedia(file, bytes);
  if (!measured) return null;
  const { type, lengthSeconds, problem } = measured;
  return { type, lengthSeconds, problem };
}

function damaged(type: string): MeasuredMedia {
  return {
    ...{ type, lengthSeconds: null, tracks: null },
    problem: "This file is damaged: it cannot be read to its end.",
  };
}

/** What Chromium opens; the codecs inside decide the rest. */
const containers = new Set([
  "video/mp4",
  "video/x-m4v",
  "video/quicktime",
  "video/3gpp",
  "video/webm",
  "video/matroska",
  "video/x-matroska",
  "video/ogg",
]);

function playable({ type, lengthSeconds, tracks }: MovingMedia): MeasuredMedia {
  return { type, lengthSeconds, tracks, problem: problemOf(type, tracks) };
}

function problemOf(type: string, tracks: MediaTracks | null): string | null {
  if (type.startsWith("video/") && !containers.has(type))
    return `Files of type ${type} cannot be played here.`;
  // A track whose codec has no name here is one that Chromium does not know either.
  return tracks?.video && !tracks.video.isCodecKnown
    ? "This video's codec cannot be played here; H.264, VP9 and AV1 can."
    : null;
}
