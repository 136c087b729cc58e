// Copy of the database next to it, updated soon after each change: the source for rebuilding a damaged one (V2-327).

import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import type { Log } from "../../platform/log.ts";
import { copySqlite } from "../../platform/sqlite/sqlite-copy.ts";
import type { Sqlite } from "../../platform/sqlite/sqlite.ts";
import type { Clock } from "../../platform/clock.ts";
import { putInPlace } from "../../platform/files/replace-file.ts";
import type { InPlace } from "./database-file-watch.ts";

export interface DatabaseCopy {
  /** Requests that a write be copied soon. */
  request(): void;
  /** Writes what is not yet in the copy. */
  stop(): Promise<void>;
}

/** On a disk that rejects writes. */
export const noDatabaseCopy: DatabaseCopy = {
  request: () => undefined,
  stop: () => Promise.resolve(),
};

export interface DatabaseCopyOptions {
  readonly dataDir: string;
  readonly database: Sqlite;
  readonly binding: string | undefined;
  readonly inPlace: Pick<InPlace, "keep" | "check">;
  readonly clock: Clock;
  readonly log: Log;
}

/** Several changes in a row cause one copy. */
const soonMs = 5000;
/** A store that changes all the time is copied at this interval. */
const maxOftenMs = 60_000;
/** Large, written all the time, and not needed for playback: what can be read of them is taken from the damaged file. */
export const historyTables: ReadonlySet<string> = new Set([
  ...["activity", "plays", "play_days"],
]);

export function databaseCopyFile(dataDir: string): string {
  return path.join(dataDir, "spare", "vitrine.db");
}

export function createDatabaseCopy(options: DatabaseCopyOptions): DatabaseCopy {
  const { database, inPlace, clock, log } = options;
  const file = databaseCopyFile(options.dataDir);
  let copiedAt = -Infinity;
  let cancel: (() => void) | null = null;
  let copying: Promise<void> = Promise.resolve();
  let isRequested = false;

  async function copy(): Promise<void> {
    isRequested = false;
    copiedAt = clock.monotonic();
    try {
      // The copy reads the database by its path.
      await inPlace.keep();
      await mkdir(path.dirname(file), { recursive: true });
      await rm(`${file}.part`, { force: true });
      await copySqlite(database.name, `${file}.part`, {
        ...{ binding: options.binding, emptyTables: historyTables },
      });
      await putInPlace(`${file}.part`, file);
    } catch (error) {
      // A full disk leaves the previous copy in place.
      await rm(`${file}.part`, { force: true }).catch(() => undefined);
      log.warn("store.copy-failed", { error });
    }
  }

  function plan(): void {
    if (cancel !== null) return;
    const ms = Math.max(soonMs, copiedAt + maxOftenMs - clock.monotonic());
    cancel = clock.after(ms, () => {
      cancel = null;
      copying = copying.then(copy);
    });
  }

  return {
    request: () => {
      isRequested = true;
      inPlace.check();
      plan();
    },
    stop: async () => {
      cancel?.();
      await copying;
      if (isRequested) await copy();
    },
  };
}
