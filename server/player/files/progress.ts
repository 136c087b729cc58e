// How far bytes on their way in are, told once a second while they move and once at their end (V2-128).

import type { Clock } from "../../platform/clock.ts";

export interface Progress {
  /** Counts the uploading requests of this start; null for what is none. */
  readonly upload: number | null;
  /** Of an upload in pieces, as a whole. */
  readonly uploadId: string | null;
  /** Whose file is being fetched. */
  readonly assetId: string | null;
  readonly receivedBytes: number;
  /** Null where nobody announced a length. */
  readonly totalBytes: number | null;
  /** Nothing more will come of it. */
  readonly isDone: boolean;
}

export const noProgress: Progress = {
  ...{ upload: null, uploadId: null, assetId: null },
  ...{ receivedBytes: 0, totalBytes: null, isDone: false },
};

const progressIntervalMs = 1000;

/** Looks once a second; the answer ends it. */
export function everySecond(clock: Clock, run: () => void): () => void {
  let stop = (): void => undefined;
  const wait = (): void => {
    stop = clock.after(progressIntervalMs, () => {
      run();
      wait();
    });
  };
  wait();
  return () => stop();
}
