// Writes of what the screen showed and met: tried at once, kept in order while the database refuses, never waited for.

import type { Log } from "../../platform/log.ts";
import type { Sqlite } from "../../platform/sqlite/sqlite.ts";
import { createAnnouncement } from "../announcement.ts";
import type { Clock } from "../../platform/clock.ts";

export interface WriteQueue {
  /** Runs it now or later; one that waits under the same key is replaced. */
  put(write: () => void, key?: string): void;
  /** So many in all are lost since the database took something last; told when the first is, and no more. */
  onLost(listener: (lost: number) => void): () => void;
  /** Tries once more; what is refused then is lost. */
  stop(): void;
}

export interface WriteQueueOptions {
  readonly database: Sqlite;
  readonly clock: Pick<Clock, "after">;
  readonly log: Log;
  /** From there on the oldest are lost. */
  readonly maxWaiting?: number;
}

interface Waiting {
  readonly key: string | null;
  readonly write: () => void;
}

/** A week of showings at ten seconds each would be sixty thousand; a disk that is full for an hour costs nothing. */
const defaultMost = 5000;
const retryMs = 1000;
const maxRetryMs = 60_000;
/** At once, a second's worth: a long queue is not to hold the screen up when the disk is back. */
const maxAtOnce = 200;

export function createWriteQueue(options: WriteQueueOptions): WriteQueue {
  const { database, clock, log, maxWaiting = defaultMost } = options;
  const lostSome = createAnnouncement<number>();
  let waiting: readonly Waiting[] = [];
  let lost = 0;
  let pauseMs = retryMs;
  let stopTimer: (() => void) | null = null;

  /** False when it may be taken another time. */
  function isDone({ write }: Waiting): boolean {
    try {
      withoutWaiting(database, write);
      return true;
    } catch (error) {
      if (isPassing(error)) return false;
      // Tried again, it would fail again.
      log.error("write.internal-error", { error });
      return true;
    }
  }

  function flush(): void {
    stopTimer = null;
    for (let count = 0; count < maxAtOnce; count += 1) {
      const [first] = waiting;
      if (!first) break;
      if (!isDone(first)) return plan(Math.min(2 * pauseMs, maxRetryMs));
      waiting = waiting.slice(1);
    }
    pauseMs = retryMs;
    if (waiting.length > 0) return plan(retryMs);
    log.info("write.caught-up", { lost });
    lost = 0;
  }

  function plan(ms: number): void {
    pauseMs = ms;
    stopTimer ??= clock.after(ms, flush);
  }

  function keep(entry: Waiting): void {
    const others = waiting.filter(
      ({ key }) => key === null || key !== entry.key,
    );
    if (waiting.length === 0) log.warn("write.delayed");
    waiting = [...others, entry];
    if (stopTimer === null) plan(retryMs);
    if (waiting.length <= maxWaiting) return;
    waiting = waiting.slice(-maxWaiting);
    lost += 1;
    if (lost > 1) return;
    log.error("write.lost");
    lostSome.emit(lost);
  }

  return {
    put: (write, key) => {
      const entry = { write, key: key ?? null };
      if (waiting.length > 0 || !isDone(entry)) keep(entry);
    },
    onLost: lostSome.on,
    stop: () => {
      stopTimer?.();
      stopTimer = null;
      const unwritten = waiting.filter((entry) => !isDone(entry)).length;
      waiting = [];
      if (unwritten > 0) log.error("write.lost", { unwritten });
    },
  };
}

/** Another process that holds the database is not waited for. */
function withoutWaiting(database: Sqlite, write: () => void): void {
  const usual = Number(database.pragma("busy_timeout", { simple: true }));
  database.pragma("busy_timeout = 0");
  try {
    write();
  } finally {
    database.pragma(`busy_timeout = ${usual}`);
  }
}

/** The database is locked, full, read-only or cannot reach its disk: not the fault of what was to be written. */
function isPassing(error: unknown): boolean {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return (
    typeof code === "string" &&
    /^SQLITE_(?:BUSY|LOCKED|FULL|READONLY|IOERR|CANTOPEN|NOMEM|PROTOCOL)/.test(
      code,
    )
  );
}
