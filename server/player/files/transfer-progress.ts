// Progress of uploads and downloads: reported once a second while bytes move and once at the end (V2-128).

import type { Clock } from "../../platform/clock.ts";

export interface Progress {
  /** Number of the upload request since the start; null for other transfers. */
  readonly upload: number | null;
  /** For a resumable upload, as a whole. */
  readonly uploadId: string | null;
  /** The asset whose file is being downloaded. */
  readonly assetId: string | null;
  readonly receivedBytes: number;
  /** Null when no length was declared. */
  readonly totalBytes: number | null;
  /** No further progress follows. */
  readonly isDone: boolean;
}

export const noProgress: Progress = {
  ...{ upload: null, uploadId: null, assetId: null },
  ...{ receivedBytes: 0, totalBytes: null, isDone: false },
};

const progressIntervalMs = 1000;

/** Calls `run` once a second; the returned function ends it. */
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
