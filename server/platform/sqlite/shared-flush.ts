// Commits that come close together share one flush of the disk, and nobody is held up while it lasts.

import { fdatasyncSync } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import type { Sqlite } from "./sqlite.ts";

export interface SharedFlush {
  /** Runs this at once; answers when what it committed would outlive a power cut. */
  after<T>(write: () => T): Promise<T>;
  /** What `after` is made of, for a write in steps: between the two a commit only goes to the journal. */
  loosen(): void;
  tighten(): void;
  /** When all that was committed until now would outlive a power cut. */
  flushed(): Promise<void>;
  stop(): Promise<void>;
}

/** A disk this quick is flushed on the spot: handing a flush over takes a third as long. A fraction of a frame. */
const quickMs = 1;

/**
 * A commit goes to the journal beside the database, whole and in order, and is on disk once that journal is
 * flushed. SQLite would do so in the middle of each commit; here one flush in the background serves all
 * commits before it. Whatever else commits meanwhile flushes as ever, and these along with it. Where
 * `isWrittenElsewhere` has them on disk in another way, the journal is of no importance.
 */
export function createSharedFlush(
  database: Pick<Sqlite, "name" | "exec">,
  isWrittenElsewhere: () => Promise<boolean> = () => Promise.resolve(false),
): SharedFlush {
  let journal: FileHandle | null = null;
  let underWay: Promise<void> = Promise.resolve();
  /** Not yet begun, so that it comes after every commit until then. */
  let next: Promise<void> | null = null;
  /** Commits that the next flush will serve. */
  let waiting = 0;
  let lastTookMs = Infinity;

  async function flushJournal(): Promise<void> {
    // What came in together is committed before its flush begins.
    await new Promise((resolve) => setImmediate(resolve));
    const isAlone = waiting === 1;
    next = null;
    waiting = 0;
    if (await isWrittenElsewhere()) return;
    // Windows flushes only what may be written. It stays the same file while the database is open.
    journal ??= await open(`${database.name}-wal`, "r+");
    const startedAt = performance.now();
    if (isAlone && lastTookMs < quickMs) fdatasyncSync(journal.fd);
    else await journal.datasync();
    lastTookMs = performance.now() - startedAt;
  }

  function flush(): Promise<void> {
    waiting += 1;
    next ??= underWay = underWay.then(flushJournal, flushJournal);
    return next;
  }

  let isLoose = false;
  const loosen = (): void => {
    if (!isLoose) database.exec("PRAGMA synchronous = NORMAL");
    isLoose = true;
  };
  const tighten = (): void => {
    if (isLoose) database.exec("PRAGMA synchronous = FULL");
    isLoose = false;
  };

  function commitOnly<T>(write: () => T): T {
    loosen();
    try {
      return write();
    } finally {
      tighten();
    }
  }

  return {
    after: async (write) => {
      const result = commitOnly(write);
      await flush();
      return result;
    },
    ...{ loosen, tighten, flushed: flush },
    stop: async () => {
      await underWay.catch(() => undefined);
      await journal?.close();
      journal = null;
    },
  };
}
