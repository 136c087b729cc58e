// Watches that the open database is still at the path where the next start looks for it; a file that was removed is restored from
// the open connection (V2-665).

import type { Log } from "../../platform/log.ts";
import {
  identityOf,
  isSameFile,
  putCopyInPlace,
} from "../../platform/sqlite/sqlite-file-watch.ts";
import type { Sqlite } from "../../platform/sqlite/sqlite.ts";
import type { Clock } from "../../platform/clock.ts";

export interface InPlace {
  /** Resolves when the file at the path contains all that was committed until now; true when it had to be restored. */
  keep(): Promise<boolean>;
  /** The same for callers that do not wait: something has just been written. */
  check(): void;
  stop(): void;
}

export interface InPlaceOptions {
  readonly database: Sqlite;
  readonly clock: Pick<Clock, "after">;
  readonly log: Log;
  /** Called before it is restored for the first time, so that this can still be recorded in it. */
  readonly onGone: () => void;
  /** Moves another database out of the way, and keeps it. */
  readonly layAside: () => Promise<unknown>;
  /** Called each time it has been restored, or gives way to another one: the next start opens that file. */
  readonly onNextStore: (next: "own" | "another") => void;
  /** It has been restored, or gives way to another one: only a newly opened connection writes to the file there now. */
  readonly onPutBack: () => void;
}

/** For a database that nothing is written to, or that nobody can remove. */
export const leftAsItIs: InPlace = {
  keep: () => Promise.resolve(false),
  check: () => undefined,
  stop: () => undefined,
};

const endings = ["", "-wal", "-shm"] as const;
/** Writers check immediately; this interval covers times without writes. */
const checkIntervalMs = 30_000;

export function keepInPlace(options: InPlaceOptions): InPlace {
  const { database, clock, log, onGone, layAside, onPutBack } = options;
  const { onNextStore } = options;
  const file = database.name;
  const identities = endings.map((ending) => identityOf(file + ending));
  /** From the first removal on, this connection writes to a file that no longer has a name. */
  let isGone = false;
  let putBackAt: number | null = null;
  let isRestartRequested = false;
  /** The restored file, which may be removed, too. */
  let restored: ReturnType<typeof identityOf> = null;
  let underWay: Promise<boolean> = Promise.resolve(false);
  let immediate: NodeJS.Immediate | undefined;
  let cancel = (): void => undefined;

  const isThere = (): boolean =>
    endings.every((ending, at) =>
      isSameFile(identityOf(file + ending), identities[at] ?? null),
    );
  const changes = (): number =>
    database.prepare<[], number>("SELECT total_changes()").pluck().get() ?? 0;

  const hasContent = (): boolean =>
    database
      .prepare<[], number>(
        "SELECT EXISTS (SELECT 1 FROM assets) OR EXISTS (SELECT 1 FROM playlists)",
      )
      .pluck()
      .get() === 1;
  /** A file that is neither the open one nor the one that was restored from it. */
  function hasAnotherInPlace(): boolean {
    const there = identityOf(file);
    return (
      there !== null &&
      !isSameFile(there, identities[0] ?? null) &&
      !isSameFile(there, restored)
    );
  }

  async function putBack(): Promise<boolean> {
    clearImmediate(immediate);
    immediate = undefined;
    if (!isGone && isThere()) return false;
    if (!isGone) {
      isGone = true;
      log.error("store.missing");
      onGone();
    }
    const count = changes();
    const isRestored =
      restored !== null && isSameFile(identityOf(file), restored);
    if (count === putBackAt && isRestored) {
      onNextStore("own");
      return true;
    }
    if (hasAnotherInPlace()) {
      // A disk that was mounted late: its database is the one that the operator knows (V2-750).
      if (!hasContent()) {
        onNextStore("another");
        requestRestart("store.given-way");
        return true;
      }
      await layAside();
    }
    await putCopyInPlace(database);
    restored = identityOf(file);
    putBackAt = count;
    onNextStore("own");
    requestRestart("store.put-back");
    return true;
  }

  function requestRestart(event: string): void {
    log.warn(event);
    if (!isRestartRequested) onPutBack();
    isRestartRequested = true;
  }

  function keep(): Promise<boolean> {
    underWay = underWay.then(putBack, putBack);
    return underWay;
  }

  /** Runs after the turn of the event loop that wrote: a change that is flushed checks along with its flush, and once is enough. */
  function checkSoon(): void {
    immediate ??= setImmediate(() => (immediate = setImmediate(check)));
  }

  function check(): void {
    immediate = undefined;
    if (!isGone && isThere()) return;
    keep().catch((error: unknown) =>
      log.error("store.put-back-failed", { error }),
    );
  }

  function plan(): void {
    cancel = clock.after(checkIntervalMs, () => {
      check();
      plan();
    });
  }
  plan();

  return {
    ...{ keep, check: checkSoon },
    stop: () => {
      clearImmediate(immediate);
      cancel();
    },
  };
}
