// Detects damage of a database while it is in use: nothing more is written then, and its journal is left to the next start
// (V4-331).

import { copyFileSync, existsSync, rmSync } from "node:fs";
import { DatabaseError } from "../database/database.ts";
import { moveFileSync } from "../files/replace-file.ts";

export interface SqliteDamageWatch {
  isFound(): boolean;
  /** Throws a DatabaseError once damage has been found: what was written from then on would be lost with it. */
  assert(): void;
  /** Runs this, and records whether it found damage. */
  watch<T>(work: () => Promise<T>): Promise<T>;
  note(error: unknown): void;
  /**
   * To be called before the connections are closed, the last of which writes the journal into the database and deletes it; the
   * returned function restores it.
   */
  keepJournal(): () => void;
}

/** `isEmpty`: whether the database seems to have no table at all. */
export function createDamageWatch(
  file: string,
  isEmpty: () => boolean,
): SqliteDamageWatch {
  const journal = `${file}-wal`;
  const journalCopy = `${journal}.kept`;
  let isFound = false;

  function note(error: unknown): void {
    if (!(error instanceof DatabaseError) || error.sqlState !== "XX001") return;
    // A failing disk has the same state, and may recover; so may a single table that was dropped.
    isFound ||=
      /malformed|not a database/.test(error.message) ||
      (/^no such table\b/.test(error.message) && isEmpty());
  }

  return {
    note,
    isFound: () => isFound,
    assert: () => {
      if (isFound)
        throw new DatabaseError(
          "XX001",
          "The database was found damaged.",
          undefined,
        );
    },
    watch: async (work) => {
      try {
        return await work();
      } catch (error) {
        note(error);
        throw error;
      }
    },
    keepJournal: () => {
      if (!isFound || !existsSync(journal)) return () => undefined;
      copyFileSync(journal, journalCopy);
      return () => {
        // Another process that has the database open keeps the journal.
        if (existsSync(journal)) rmSync(journalCopy, { force: true });
        else moveFileSync(journalCopy, journal);
      };
    },
  };
}
