// Encodes pictures of the screen in a media process of its own, so that none waits for a large file that is being judged, and
// nothing is encoded in this process.

import type { PictureJob } from "./media-job.ts";
import type { MediaMessage } from "./media-process.ts";
import { startMediaProcess, type MediaProcess } from "./start-media-process.ts";

export interface PictureEncoder {
  /** As WebP; one after the other. Rejects where there is no result in time. */
  encode(
    picture: Omit<PictureJob, "pixels"> & { readonly pixels: Buffer },
  ): Promise<Uint8Array>;
  stop(): void;
}

export interface PictureEncoderOptions {
  readonly start?: () => MediaProcess;
  readonly timeoutMs?: number;
  /** The process takes memory that the stage can use: it ends this long after the last picture. */
  readonly idleMs?: number;
}

export function createPictureEncoder({
  start = startMediaProcess,
  timeoutMs = 5_000,
  idleMs = 10_000,
}: PictureEncoderOptions = {}): PictureEncoder {
  let running: MediaProcess | null = null;
  let idleTimer: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let finish: ((message: MediaMessage | null) => void) | null = null;

  function end(): void {
    clearTimeout(idleTimer);
    const ended = running;
    running = null;
    ended?.kill();
    finish?.(null);
  }

  function started(): MediaProcess {
    if (running) return running;
    const child = start();
    running = child;
    child.setWaitedFor(false);
    child.onMessage((message) => {
      if (running === child) finish?.(message);
    });
    child.onExit(() => {
      if (running === child) end();
    });
    return child;
  }

  function answerTo(job: PictureJob): Promise<MediaMessage | null> {
    const child = started();
    return new Promise((resolve) => {
      const late = setTimeout(end, timeoutMs);
      late.unref();
      finish = (message) => {
        finish = null;
        clearTimeout(late);
        resolve(message);
      };
      child.post(job);
    });
  }

  async function encode({
    pixels,
    ...size
  }: Parameters<PictureEncoder["encode"]>[0]): Promise<Uint8Array> {
    clearTimeout(idleTimer);
    const answer = await answerTo({
      ...size,
      pixels: pixels.toString("base64"),
    });
    idleTimer = setTimeout(end, idleMs);
    idleTimer.unref();
    if (answer?.kind !== "picture" || answer.picture === null)
      throw new Error("The picture could not be encoded.");
    return Buffer.from(answer.picture, "base64");
  }

  return {
    encode: (picture) => {
      const encoding = last.then(() => encode(picture));
      last = encoding.catch(() => undefined);
      return encoding;
    },
    stop: end,
  };
}
