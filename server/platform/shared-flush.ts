// Commits that come close together share one flush of the disk, and nobody is held up while it lasts.

import { open, type FileHandle } from "node:fs/promises";
import type { Sqlite } from "./sqlite.ts";

export interface SharedFlush {
  /** Runs this at once; answers when what it committed would outlive a power cut. */
  after<T>(write: () => T): Promise<T>;
  stop(): Promise<void>;
}

/**
 * A commit goes to the journal beside the database, whole and in order, and is on disk once that journal is
 * flushed. SQLite would do so in the middle of each commit; here one flush in the background serves all
 * commits before it. Whatever else commits meanwhile flushes as ever, and these along with it.
 */
export function createSharedFlush(
  database: Pick<Sqlite, "name" | "exec">,
): SharedFlush {
  let journal: FileHandle | null = null;
  let underWay: Promise<void> = Promise.resolve();
  /** Not yet begun, so that it comes after every commit until then. */
  let next: Promise<void> | null = null;

  async function flushJournal(): Promise<void> {
    // Windows flushes only what may be written. It stays the same file while the database is open.
    journal ??= await open(`${database.name}-wal`, "r+");
    await journal.datasync();
  }

  function flush(): Promise<void> {
    const begin = (): Promise<void> => {
      next = null;
      underWay = flushJournal();
      return underWay;
    };
    next ??= underWay.then(begin, begin);
    return next;
  }

  function commitOnly<T>(write: () => T): T {
    database.exec("PRAGMA synchronous = NORMAL");
    try {
      return write();
    } finally {
      database.exec("PRAGMA synchronous = FULL");
    }
  }

  return {
    after: async (write) => {
      const result = commitOnly(write);
      await flush();
      return result;
    },
    stop: async () => {
      await (next ?? underWay).catch(() => undefined);
      await journal?.close();
      journal = null;
    },
  };
}
