// Files that this player is downloading, as far as they can be read: other players of the site receive them while they grow.

export interface GrowingFile {
  readonly path: string;
  /** Null until its server has responded. */
  readonly totalBytes: number | null;
  /** The content service's validator, with which another player resumes it there. */
  readonly validator: string | null;
  /** Bytes that are on the disk. */
  readonly bytes: number;
  /** False: it waits, and more may never come. */
  readonly isGrowing: boolean;
  /** Another number when the file starts over: bytes read before are not those of the new file. */
  readonly run: number;
}

export interface GrowingFiles {
  get(md5: string): GrowingFile | null;
  set(md5: string, change: Partial<GrowingFile>): void;
  delete(md5: string): void;
  /** Resolves with the next change of this file, at once when aborted, and after a while at the latest. */
  changed(md5: string, signal: AbortSignal): Promise<void>;
}

const nothing: GrowingFile = {
  ...{ path: "", totalBytes: null, validator: null },
  ...{ bytes: 0, isGrowing: false, run: 0 },
};
const longestWaitMs = 1_000;

export function createGrowingFiles(): GrowingFiles {
  const files = new Map<string, GrowingFile>();
  const waiting = new Map<string, Set<() => void>>();

  function wake(md5: string): void {
    for (const callback of waiting.get(md5) ?? []) callback();
  }

  return {
    get: (md5) => files.get(md5) ?? null,
    set: (md5, change) => {
      files.set(md5, { ...(files.get(md5) ?? nothing), ...change });
      wake(md5);
    },
    delete: (md5) => {
      files.delete(md5);
      wake(md5);
    },
    changed: (md5, signal) =>
      new Promise((resolve) => {
        const callbacks = waiting.get(md5) ?? new Set();
        waiting.set(md5, callbacks);
        const end = (): void => {
          clearTimeout(timer);
          signal.removeEventListener("abort", end);
          callbacks.delete(end);
          if (callbacks.size === 0) waiting.delete(md5);
          resolve();
        };
        const timer = setTimeout(end, longestWaitMs);
        callbacks.add(end);
        if (signal.aborted) end();
        else signal.addEventListener("abort", end, { once: true });
      }),
  };
}
