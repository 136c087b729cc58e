// Records in the activity log what a command line changes, also while the player is running in another process (V2-792).

import os from "node:os";
import type { Sqlite } from "../../platform/sqlite/sqlite.ts";

export function noteCommand(
  database: Sqlite,
  what: "token-added" | "token-revoked" | "password-set" | "password-removed",
  name = "",
): void {
  database
    .prepare(
      `INSERT INTO activity (at, kind, what, name, says, actor_kind, actor_name)
       VALUES (?, 'access', ?, ?, '', 'command-line', ?)`,
    )
    .run(Date.now(), what, name, systemUser());
}

/** Empty where the system does not name it. */
function systemUser(): string {
  try {
    return os.userInfo().username;
  } catch {
    return "";
  }
}
