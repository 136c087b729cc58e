// Whether the open database still lies where the next start looks for it; one that was taken away is put back as it was, and nothing more is written (V4-323).

import { statSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { DatabaseError } from "../database/database.ts";
import { putInPlace } from "../files/replace-file.ts";
import type { Sqlite } from "./sqlite.ts";

export interface SqlitePlace {
  /** Throws a DatabaseError where it was taken away: nobody would find again what is written now. */
  assert(): void;
  /** From the first loss on false until the next start: what is open here is not what lies there. */
  isKept(): boolean;
  /** Resolves when whatever is being put back is there. */
  whenRestored(): Promise<void>;
}

/** The connection that writes, while nobody uses it: `assert` is asked between two transactions. */
export function watchPlace(database: Sqlite): SqlitePlace {
  const file = database.name;
  const journal = `${file}-wal`;
  const ownFile = identityOf(file);
  // The first write makes it.
  let ownJournal = identityOf(journal);
  let isGone = false;
  let isPutBack = false;
  let underWay: Promise<void> | null = null;

  function isThere(): boolean {
    ownJournal ??= identityOf(journal);
    return (
      identityOf(file) === ownFile &&
      (ownJournal === null || identityOf(journal) === ownJournal)
    );
  }

  /** What somebody else has put there meanwhile is left alone. */
  async function putBack(): Promise<void> {
    const found = identityOf(file);
    if (found === null || found === ownFile) await putCopyInPlace(database);
  }

  function isKept(): boolean {
    isGone ||= !isThere();
    if (isGone && !isPutBack)
      underWay ??= putBack()
        .then(
          () => (isPutBack = true),
          // Tried again by whoever asks next.
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
          "The file of the database was taken away.",
          undefined,
        );
    },
    whenRestored: async () => underWay ?? undefined,
  };
}

/** Puts a copy of an open database where its file was; the connection keeps the old file, which has no name any more. */
export async function putCopyInPlace(database: Sqlite): Promise<void> {
  const file = database.name;
  const part = `${file}.part`;
  await rm(part, { force: true });
  await (await open(part, "wx", 0o600)).close();
  // By the open connection: neither its file nor its journal needs a name for that.
  await database.backup(part);
  // Beside another database, a journal would be taken for that one's.
  for (const ending of ["-wal", "-shm"])
    await rm(file + ending, { force: true });
  await putInPlace(part, file);
}

/** Which file lies there, whatever is in it; null where there is nothing of this name. */
export function identityOf(file: string): string | null {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.dev}:${found.ino}` : null;
}
