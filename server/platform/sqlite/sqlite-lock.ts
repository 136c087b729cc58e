// Another program writes to the database: whoever is to write waits for it without holding up the thread.

import Database from "better-sqlite3";
import { setTimeout as pause } from "node:timers/promises";
import type { Sqlite } from "./sqlite.ts";

/** The thread that shows pictures waits this long and no longer, in the middle of whatever it does. */
const maxHeldMs = 5;
/** A transaction of the command line, or of a tool that looks into the file, is over by then. */
const maxWaitMs = 2000;
const pauseMs = 20;

export function isBusy(error: unknown): boolean {
  return (
    error instanceof Database.SqliteError &&
    /^SQLITE_(?:BUSY|LOCKED)/.test(error.code)
  );
}

/** From now on a lock of somebody else's is an error at once, nearly. */
export function holdUpNobody(database: Sqlite): void {
  database.pragma(`busy_timeout = ${maxHeldMs}`);
}

/** Whether nobody else writes, be it after a while; what else there is against writing, the writer is told. */
export async function untilUnlocked(database: Sqlite): Promise<boolean> {
  for (const startedAt = performance.now(); ; await pause(pauseMs)) {
    if (!isLocked(database)) return true;
    if (performance.now() - startedAt > maxWaitMs) return false;
  }
}

function isLocked(database: Sqlite): boolean {
  // Ours, then.
  if (database.inTransaction) return false;
  try {
    database.exec("BEGIN IMMEDIATE");
    database.exec("ROLLBACK");
    return false;
  } catch (error) {
    return isBusy(error);
  }
}
