// A change waits a while for whoever else has the database, and then says so (V2-452).

import type { RequestHandler } from "express";
import { Failure } from "../../../core/failure.ts";
import { untilUnlocked } from "../../../platform/sqlite/sqlite-lock.ts";
import type { Sqlite } from "../../../platform/sqlite/sqlite.ts";

export const lockedSentence =
  "Another program has the database of this player: nothing was changed. Try again.";

/** What is shown before it is kept, or not kept at all, waits for nobody. */
const unkept = new Set([
  ...["/takeover", "/pause", "/reboot", "/shutdown"].map(
    (path) => `/api/v2${path}`,
  ),
]);

export function waitsForDatabase(path: string): boolean {
  return !unkept.has(path);
}

export function waitForDatabase(database: Sqlite): RequestHandler {
  return async (_request, _response, next) => {
    await assertUnlocked(database);
    next();
  };
}

/** Throws `unavailable` where somebody else still has it after a while. */
export async function assertUnlocked(database: Sqlite): Promise<void> {
  if (!(await untilUnlocked(database)))
    throw new Failure("unavailable", lockedSentence);
}
