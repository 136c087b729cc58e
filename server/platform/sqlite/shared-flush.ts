// Group commit: commits in quick succession share one flush of the disk, which blocks nothing.

import { fdatasyncSync } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import type { Sqlite } from "./sqlite.ts";

export interface SharedFlush {
  /** Runs this immediately; resolves when what it committed would survive a power cut. */
  after<T>(write: () => T): Promise<T>;
  /** The parts of `after`, for a write in several steps: between the two a commit only goes to the journal. */
  loosen(): void;
  tighten(): void;
  /** Resolves when everything committed until now would survive a power cut. */
  flushed(): Promise<void>;
  stop(): Promise<void>;
}

/** A disk this fast is flushed synchronously: passing the flush to a thread takes three times as long. A fraction of a frame. */
const quickMs = 1;

/**
 * A commit goes to the journal next to the database, complete and in order, and is on disk once that journal is flushed. SQLite
 * would flush within each commit; here one flush in the background serves all commits before it. Any other commit in between
 * flushes as usual, and these along with it. If `isWrittenElsewhere` has stored them on disk in another way, the journal does not
 * matter.
 */
export function createSharedFlush(
  database: Pick<Sqlite, "name" | "exec">,
  isWrittenElsewhere: () => Promise<boolean> = () => Promise.resolve(false),
): SharedFlush {
  let journal: FileHandle | null = null;
  let underWay: Promise<void> = Promise.resolve();
  /** Not started yet, so that it comes after every commit until then. */
  let next: Promise<void> | null = null;
  /** Number of commits that the next flush will serve. */
  let waiting = 0;
  let lastTookMs = Infinity;

  async function flushJournal(): Promise<void> {
    // Changes that arrived together are committed before their flush starts.
    await new Promise((resolve) => setImmediate(resolve));
    const isAlone = waiting === 1;
    next = null;
    waiting = 0;
    if (await isWrittenElsewhere()) return;
    // Windows flushes only files opened for writing. It stays the same file while the database is open.
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
