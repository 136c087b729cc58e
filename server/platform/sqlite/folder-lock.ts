// Lock between processes that use one folder: shared by all that use it, exclusive for one that replaces something in it.

import Database from "better-sqlite3";
import { rmSync, statSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { isBusy } from "./sqlite-lock.ts";
import type { SqliteOptions } from "./sqlite.ts";

export interface FolderLock {
  /** Returns whether no other process holds it; then none can until it is shared or closed. */
  tryExclusive(): boolean;
  /** Takes the shared lock once no process holds it exclusively; false when that takes longer than the timeout. */
  share(timeoutMs: number): Promise<boolean>;
  close(): void;
}

const pauseMs = 20;

/** The system releases it with the process, however that ends. Nothing is ever written to the file. */
export function openFolderLock(
  file: string,
  { binding }: SqliteOptions,
): FolderLock {
  // The file has other content: SQLite would reject it.
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0) rmSync(file);
  const database = new Database(file, {
    ...(binding ? { nativeBinding: binding } : {}),
    timeout: 0,
  });

  function tryTo(lock: () => void): boolean {
    if (database.inTransaction) database.exec("ROLLBACK");
    try {
      lock();
      return true;
    } catch (error) {
      if (database.inTransaction) database.exec("ROLLBACK");
      if (isBusy(error)) return false;
      throw error;
    }
  }

  // A transaction that has read holds SQLite's shared lock until it ends.
  const tryShared = (): boolean =>
    tryTo(() => {
      database.exec("BEGIN");
      database.prepare("SELECT count(*) FROM sqlite_schema").get();
    });

  return {
    tryExclusive: () => tryTo(() => database.exec("BEGIN EXCLUSIVE")),
    share: async (timeoutMs) => {
      for (const startedAt = performance.now(); ; await pause(pauseMs)) {
        if (tryShared()) return true;
        if (performance.now() - startedAt > timeoutMs) return false;
      }
    },
    close: () => database.close(),
  };
}
