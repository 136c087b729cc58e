// Checks that the open database is still at the path where the next start looks for it; a file that was removed is restored, and
// nothing more is written (V4-323).

import { statSync } from "node:fs";
import { mkdir, open, rm } from "node:fs/promises";
import path from "node:path";
import { DatabaseError } from "../database/database.ts";
import { putInPlace } from "../files/replace-file.ts";
import type { Sqlite } from "./sqlite.ts";

export interface SqlitePlace {
  /** Throws a DatabaseError when the file was removed: what is written now would be lost. */
  assert(): void;
  /** False from the first removal until the next start: the open file is not the one at the path. */
  isKept(): boolean;
  /** Resolves when a restore under way is done. */
  whenRestored(): Promise<void>;
}

/** Windows neither deletes nor moves a file that SQLite has open, so there is nothing to check. */
export const isHeldBySystem = process.platform === "win32";

const alwaysInPlace: SqlitePlace = {
  assert: () => undefined,
  isKept: () => true,
  whenRestored: () => Promise.resolve(),
};

/** The connection that writes, while it is idle: `assert` is called between two transactions. */
export function watchPlace(database: Sqlite): SqlitePlace {
  if (isHeldBySystem) return alwaysInPlace;
  const file = database.name;
  const journal = `${file}-wal`;
  const ownFile = identityOf(file);
  // Created by the first write.
  let ownJournal = identityOf(journal);
  let isGone = false;
  let isPutBack = false;
  let underWay: Promise<void> | null = null;

  function isThere(): boolean {
    ownJournal ??= identityOf(journal);
    return (
      isSameFile(identityOf(file), ownFile) &&
      (ownJournal === null || isSameFile(identityOf(journal), ownJournal))
    );
  }

  /** A file that another process has put there meanwhile is left alone. */
  async function putBack(): Promise<void> {
    const identity = identityOf(file);
    if (identity === null || isSameFile(identity, ownFile))
      await putCopyInPlace(database);
  }

  function isKept(): boolean {
    isGone ||= !isThere();
    if (isGone && !isPutBack)
      underWay ??= putBack()
        .then(
          () => (isPutBack = true),
          // Retried on the next check.
          () => undefined,
        )
        .then(() => (underWay = null))
        .then(() => undefined);
    return !isGone;
  }

  return {
    isKept,
    assert: () => {
      if (!isKept())
        throw new DatabaseError(
          "58030",
          "The database file was removed.",
          undefined,
        );
    },
    whenRestored: async () => underWay ?? undefined,
  };
}

/** Puts a copy of an open database at its path; the connection keeps the old file, which has no name any more. */
export async function putCopyInPlace(database: Sqlite): Promise<void> {
  const file = database.name;
  const part = `${file}.part`;
  // It may have been removed together with its folder.
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await rm(part, { force: true });
  await (await open(part, "wx", 0o600)).close();
  // Through the open connection: neither its file nor its journal needs a name for that.
  await database.backup(part);
  // Next to another database, the journal would be applied to that one.
  for (const ending of ["-wal", "-shm"])
    await rm(file + ending, { force: true });
  await putInPlace(part, file);
}

/** Which file it is, whatever is in it. */
interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
}

/** Which file lies there; null where there is nothing of this name. */
export function identityOf(file: string): FileIdentity | null {
  return statSync(file, { bigint: true, throwIfNoEntry: false }) ?? null;
}

/** After each write: compared as numbers, without a text of either. */
export function isSameFile(
  one: FileIdentity | null,
  other: FileIdentity | null,
): boolean {
  return one?.dev === other?.dev && one?.ino === other?.ino;
}
