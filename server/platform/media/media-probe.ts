// Judges media files (type, integrity, renditions) in processes with limits on time, memory and pixels: untrusted bytes are never
// parsed in this one.

import { stat } from "node:fs/promises";
import {
  damaged,
  outOfMemoryCode,
  tooMuchMemory,
  type JudgedMedia,
  type MediaJob,
  type PageExtraction,
} from "./media-job.ts";
import {
  defaultTimeoutMs,
  drawingTimeoutMs,
  pagesTimeoutMs,
} from "./media-limits.ts";
import { startMediaDeadline, type MediaDeadline } from "./media-deadline.ts";
import type { MediaMessage } from "./media-process.ts";
import {
  mediaStartWay,
  startMediaProcess,
  type MediaExit,
  type MediaProcess,
} from "./start-media-process.ts";

export type { JudgedMedia } from "./media-job.ts";

/** The part of a verdict that is stored. */
export interface Media {
  /** For example `image/png`, `video/mp4`. */
  readonly type: string;
  readonly lengthSeconds: number | null;
  /** Why it cannot be played, as a sentence; null if it may be playable. */
  readonly problem: string | null;
  /** What is not as intended although the file plays, as a sentence. */
  readonly remark: string | null;
}

/** The program ends, or the caller has cancelled; not a verdict on the file. */
export class JudgingEnded extends Error {}

interface JudgeOptions {
  readonly start?: () => MediaProcess;
  /** Replaces the default timeouts, for all types. */
  readonly timeoutMs?: number;
  /** Replaces the default pause between two attempts to start a process. */
  readonly startPauseMs?: number;
}

/** No message arrives while a PDF is read or a page is extracted: a process that computes longer than this counts as hung. */
const quietMs = 45_000;
/** Reading the largest one takes a third of this on a slow PC. */
const quietMsPerMebibyte = 250;
/** All bytes that identify a type are within these. */
const headBytes = 4100;
/** One that hangs must not block all others. */
const maxProcesses = 2;
/** Each takes memory that the stage can use. */
const idleMs = 30_000;
/** When a process cannot be started: the missing descriptors or memory may be available again soon. */
const defaultStartPauseMs = 1_000;
/** A minute at the default pause; after that the caller gets the error. */
const maxStarts = 60;

interface Waiting {
  readonly job: MediaJob;
  readonly onPage: (index: number) => Promise<void>;
  /** For a PDF: maximum time without a message between two pages. */
  readonly maxQuietMs: number | null;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (media: JudgedMedia | null) => void;
  readonly reject: (error: Error) => void;
  /** How often no process could be started for it. */
  starts: number;
  /** How often a process ended while judging it. */
  ends: number;
}

/** Its process ended before it ran. */
class NotStarted extends Error {}
/** Its process ended on this file for the first time. */
class ReaderEnded extends Error {}

/** A process with its current listeners. */
interface Worker {
  readonly process: MediaProcess;
  onMessage: (message: MediaMessage) => void;
  onExit: (code: MediaExit) => void;
  readonly way: unknown;
  idleTimer: NodeJS.Timeout | null;
}

export interface MediaJudge {
  /**
   * Null for a file that is not media. Rejects when the file cannot be read, or with `JudgingEnded`; a file that hangs its process,
   * needs too much memory, or ends two processes counts as damaged.
   */
  judge(job: MediaJob, signal?: AbortSignal): Promise<JudgedMedia | null>;
  /**
   * The same for the pages of a PDF, from 0: the next one is written when `onPage` resolves; if that rejects, the extraction ends.
   * A second process starts again with the first page.
   */
  takeApart(
    job: MediaJob & { readonly pages: PageExtraction },
    onPage: (index: number) => Promise<void>,
    signal?: AbortSignal,
  ): Promise<JudgedMedia | null>;
}

/** With processes of its own, which are started for the first file and reused for the next ones. */
export function createMediaJudge({
  start = startMediaProcess,
  timeoutMs,
  startPauseMs = defaultStartPauseMs,
}: JudgeOptions = {}): MediaJudge {
  const queue: Waiting[] = [];
  const idle: Worker[] = [];
  let busyCount = 0;
  let startTimer: NodeJS.Timeout | null = null;

  function runNext(): void {
    if (busyCount >= maxProcesses || startTimer) return;
    const next = queue.shift();
    if (!next) return;
    let worker: Worker;
    try {
      worker = takeIdle() ?? startWorker();
    } catch (error) {
      startLater(next, error as Error);
      return runNext();
    }
    busyCount += 1;
    run(worker, next)
      .then(next.resolve, (error: Error) => {
        if (error instanceof NotStarted) startLater(next, error);
        else if (error instanceof ReaderEnded) queue.unshift(next);
        else next.reject(error);
      })
      .finally(() => {
        busyCount -= 1;
        runNext();
      });
  }

  /** Nothing is known about the file: it stays first in the queue. */
  function startLater(waiting: Waiting, error: Error): void {
    waiting.starts += 1;
    if (waiting.signal?.aborted) return waiting.reject(new JudgingEnded());
    if (waiting.starts >= maxStarts) return waiting.reject(error);
    queue.unshift(waiting);
    startTimer ??= setTimeout(() => {
      startTimer = null;
      runNext();
    }, startPauseMs);
  }

  function startWorker(): Worker {
    const process = start();
    const worker: Worker = {
      ...{ process, way: mediaStartWay(), idleTimer: null },
      ...{ onMessage: () => undefined, onExit: () => undefined },
    };
    process.onMessage((message) => worker.onMessage(message));
    process.onExit((code) => worker.onExit(code));
    return worker;
  }

  function takeIdle(): Worker | undefined {
    const taken = idle.pop();
    if (taken?.idleTimer) clearTimeout(taken.idleTimer);
    if (!taken || taken.way === mediaStartWay()) return taken;
    taken.process.kill();
    return takeIdle();
  }

  function rest(worker: Worker): void {
    const forget = (): void => {
      const at = idle.indexOf(worker);
      if (at >= 0) idle.splice(at, 1);
    };
    worker.idleTimer = setTimeout(() => {
      forget();
      worker.process.kill();
    }, idleMs);
    worker.idleTimer.unref();
    // A process may also end after it has responded.
    worker.onExit = forget;
    worker.onMessage = () => undefined;
    idle.push(worker);
  }

  function run(worker: Worker, waiting: Waiting): Promise<JudgedMedia | null> {
    const { job, onPage, maxQuietMs, signal } = waiting;
    const { process } = worker;
    // The program does not end while a file is being judged; idle processes do not keep it running.
    process.setWaitedFor(true);
    return new Promise((resolve, reject) => {
      let type: string | null = null;
      let isOver = false;
      const end = (isReusable: boolean): void => {
        isOver = true;
        deadline.cancel();
        quiet?.cancel();
        signal?.removeEventListener("abort", abort);
        worker.onExit = () => undefined;
        worker.onMessage = () => undefined;
        process.setWaitedFor(false);
        if (isReusable) rest(worker);
        else process.kill();
      };
      const giveUp = (reason?: string): void => {
        end(false);
        resolve(type === null ? null : damaged(type, reason));
      };
      const abort = (): void => {
        end(false);
        reject(new JudgingEnded());
      };
      const giveUpLate = (): void =>
        giveUp("This file is damaged, or takes too long to read.");
      const startDeadline = (ms: number): MediaDeadline =>
        startMediaDeadline(ms, () => process.processorMs(), giveUpLate);
      let quiet: MediaDeadline | undefined;
      const expectPage = (): void => {
        if (maxQuietMs !== null) quiet = startDeadline(maxQuietMs);
      };
      let pages = 0;
      let taking: Promise<void> = Promise.resolve();
      const takePage = (): void => {
        // The time that the caller takes for a page does not count against the file.
        quiet?.cancel();
        taking = onPage(pages++).then(
          () => {
            if (isOver) return;
            process.post({ isPageTaken: true });
            expectPage();
          },
          (error: Error) => {
            if (!isOver) end(false);
            reject(error);
          },
        );
      };
      let deadline = startDeadline(
        timeoutMs ?? (job.pages ? pagesTimeoutMs : defaultTimeoutMs),
      );
      if (signal?.aborted) return abort();
      signal?.addEventListener("abort", abort, { once: true });
      worker.onExit = (code) => {
        if (code === outOfMemoryCode) return giveUp(tooMuchMemory);
        if (code === "not-started") {
          end(false);
          return reject(
            new NotStarted(
              "The process that reads media files cannot be started.",
            ),
          );
        }
        waiting.ends += 1;
        if (waiting.ends > 1) return giveUp();
        // The system may have ended the process because others used up the memory: an audio file is read by the next process.
        end(false);
        taking.then(() => reject(new ReaderEnded())).catch(reject);
      };
      worker.onMessage = (message) => {
        if (message.kind === "page") return takePage();
        // Not requested by this one.
        if (message.kind === "picture") return;
        if (message.kind === "type") {
          type = message.type;
          if (type !== "image/svg+xml") return;
          deadline.cancel();
          deadline = startDeadline(timeoutMs ?? drawingTimeoutMs);
          return;
        }
        end(message.kind === "unreadable" || !message.isSpent);
        if (message.kind === "unreadable") {
          const { reason, code } = message;
          const ofDisk = code && { code, syscall: "read" };
          reject(Object.assign(new Error(reason), ofDisk));
        } else resolve(message.media);
      };
      process.post(job);
      expectPage();
    });
  }

  function queued(
    waiting: Omit<Waiting, "resolve" | "reject" | "starts" | "ends">,
  ): Promise<JudgedMedia | null> {
    return new Promise((resolve, reject) => {
      queue.push({ ...waiting, resolve, reject, starts: 0, ends: 0 });
      runNext();
    });
  }

  return {
    judge: (job, signal) =>
      queued({
        ...{ job, signal, maxQuietMs: null },
        onPage: async () => undefined,
      }),
    takeApart: async (job, onPage, signal) => {
      const maxQuietMs = timeoutMs ?? (await quietMsOf(job.file));
      return queued({ job, onPage, maxQuietMs, signal });
    },
  };
}

async function quietMsOf(file: string): Promise<number> {
  // The process reports a missing file.
  const size = await stat(file).then(
    (fileStat) => fileStat.size,
    () => 0,
  );
  return quietMs + (size / 1024 ** 2) * quietMsPerMebibyte;
}

/** Default instance of the program. */
const { judge } = createMediaJudge();
export const judgeMedia = judge;

/** Type of a file that begins with these bytes; null when they do not identify one. */
export async function typeOfBeginning(
  bytes: Uint8Array,
  signal?: AbortSignal,
): Promise<string | null> {
  const head = Buffer.from(bytes.subarray(0, headBytes)).toString("base64");
  const media = await judgeMedia({ file: "", head }, signal);
  return media && media.type;
}

/** The part of the verdict that is stored. */
export function mediaOf(media: JudgedMedia): Media {
  const { type, lengthSeconds, problem, remark } = media;
  return { type, lengthSeconds, problem, remark };
}

/** Null when the bytes are not a known image, video, audio or PDF. */
export async function probeMedia(file: string): Promise<Media | null> {
  const media = await judgeMedia({ file });
  return media && mediaOf(media);
}
