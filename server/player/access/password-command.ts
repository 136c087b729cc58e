// Sets and removes the password from a command line, also while the player is running (V2-782).

import { randomBytes } from "node:crypto";
import path from "node:path";
import { Failure } from "../../core/failure.ts";
import { passwordFault } from "../../core/password.ts";
import { makePrivateFolder } from "../../platform/files/private-folder.ts";
import {
  migrateSqlite,
  openSqlite,
  type SqliteOptions,
} from "../../platform/sqlite/sqlite.ts";
import { noteCommand } from "../logs/command-note.ts";
import { playerMigrations } from "../migrations.ts";
import { createPassword } from "./password.ts";

/** An empty one removes it. Returns what was done, as a sentence. Throws `invalid` for one that is too short or too long. */
export function changePasswordIn(
  dataDir: string,
  next: string,
  options: SqliteOptions = {},
): string {
  const fault = next === "" ? null : passwordFault(next);
  if (fault !== null) throw new Failure("invalid", `The password ${fault}.`);
  makePrivateFolder(dataDir);
  const database = openSqlite(path.join(dataDir, "vitrine.db"), options);
  try {
    migrateSqlite(database, playerMigrations);
    const makeId = (): string => randomBytes(16).toString("hex");
    const password = createPassword({ database, now: Date.now, makeId });
    database.transaction(() => {
      if (next !== "") password.setSync(next);
      else if (!password.remove()) return;
      noteCommand(database, next === "" ? "password-removed" : "password-set");
    })();
  } finally {
    database.close();
  }
  return next === ""
    ? "The password has been removed."
    : "The password is set.";
}
