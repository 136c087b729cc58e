// Waits a while with a change when another process has locked the database, and then responds `unavailable` (V2-452).

import type { RequestHandler } from "express";
import { playerSentences } from "../../../contract/sentences/player-sentences.ts";
import type { OperationId } from "../../../contract/v2/operations/v2-operations.ts";
import { Failure } from "../../../core/failure.ts";
import { untilUnlocked } from "../../../platform/sqlite/sqlite-lock.ts";
import type { Sqlite } from "../../../platform/sqlite/sqlite.ts";

export const lockedSentence = playerSentences["database-locked"];

const withoutWaiting = new Set<OperationId>([
  // They take effect before they are stored, or store nothing.
  ...(["takeOver", "endTakeover", "pausePlayback", "resumePlayback"] as const),
  ...(["reboot", "shutdown", "examineArchive"] as const),
  // Their one transaction waits by itself.
  ...(["createAsset", "addAsset", "changeAsset", "updateAsset"] as const),
  "orderAssets",
  // Sessions are in memory.
  ...(["signIn", "signOut", "signOutEverywhere"] as const),
]);

/** Whether the operation needs the database to be free before it begins. */
export function waitsForDatabase(id: OperationId): boolean {
  return !withoutWaiting.has(id);
}

export function waitForDatabase(database: Sqlite): RequestHandler {
  return async (_request, _response, next) => {
    await assertUnlocked(database);
    next();
  };
}

/** Throws `unavailable` when another process still holds the lock after a while. */
export async function assertUnlocked(database: Sqlite): Promise<void> {
  if (!(await untilUnlocked(database)))
    throw new Failure("unavailable", lockedSentence);
}
