// Write queue of playback: each write is tried immediately, queued in order while the database rejects it, and never blocks the
// screen.

import type { Log } from "../../platform/log.ts";
import type { Sqlite } from "../../platform/sqlite/sqlite.ts";
import { createAnnouncement } from "../event-emitter.ts";
import type { Clock } from "../../platform/clock.ts";

export interface WriteQueue {
  /** Runs the write now or later; a queued write with the same key is replaced. */
  put(write: () => void, key?: string): void;
  /** Called with the number of lost writes when the first one is lost; again only after the queue has been written out. */
  onLost(listener: (lost: number) => void): () => void;
  /** Tries once more; whatever fails then is lost. */
  stop(): void;
}

export interface WriteQueueOptions {
  readonly database: Sqlite;
  readonly clock: Pick<Clock, "after">;
  readonly log: Log;
  /** Beyond this, the oldest are lost. */
  readonly maxWaiting?: number;
  /** Pauses between retries grow up to this. */
  readonly maxRetryMs?: number;
}

interface Waiting {
  readonly key: string | null;
  readonly write: () => void;
}

/** A week of showings at ten seconds each would be sixty thousand; a disk that is full for an hour loses nothing. */
const defaultMost = 5000;
const retryMs = 1000;
const defaultMaxRetryMs = 60_000;
/** Per batch, one second's worth: a long queue must not block the screen when the disk is back. */
const maxAtOnce = 200;

export function createWriteQueue(options: WriteQueueOptions): WriteQueue {
  const { database, clock, log, maxWaiting = defaultMost } = options;
  const { maxRetryMs = defaultMaxRetryMs } = options;
  const lostSome = createAnnouncement<number>();
  let waiting: readonly Waiting[] = [];
  let lost = 0;
  let pauseMs = retryMs;
  let stopTimer: (() => void) | null = null;

  /** False when the write may succeed later. */
  function isDone({ write }: Waiting): boolean {
    try {
      withoutWaiting(database, write);
      return true;
    } catch (error) {
      if (isPassing(error)) return false;
      // A retry would fail again.
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

/** Does not wait for another process that has locked the database. */
function withoutWaiting(database: Sqlite, write: () => void): void {
  const usual = Number(database.pragma("busy_timeout", { simple: true }));
  database.pragma("busy_timeout = 0");
  try {
    write();
  } finally {
    database.pragma(`busy_timeout = ${usual}`);
  }
}

/** The database is locked, full, read-only or cannot reach its disk: the write itself is not at fault. */
function isPassing(error: unknown): boolean {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return (
    typeof code === "string" &&
    /^SQLITE_(?:BUSY|LOCKED|FULL|READONLY|IOERR|CANTOPEN|NOMEM|PROTOCOL)/.test(
      code,
    )
  );
}
