// A team keeps an administrator: the last one can be neither removed nor disabled, nor given another role.

import type { Kysely } from "kysely";
import { serviceSentences } from "../../contract/sentences/service-sentences.ts";
import { Failure } from "../../core/failure.ts";
import type { ContentTables } from "../tables.ts";

/**
 * In the transaction of the change: two administrators cannot disable each other at once. One who could sign in leaves another who can:
 * not one whose password was reset, and whose link may never be used (V3-158).
 */
export async function assertAdministratorLeft(
  transaction: Kysely<ContentTables>,
  teamId: string,
  couldSignIn: boolean,
): Promise<void> {
  const admin = await transaction
    .selectFrom("people")
    .select("id")
    .where("team_id", "=", teamId)
    .where("role", "=", "admin")
    .where("is_disabled", "=", false)
    .$if(couldSignIn, (query) => query.where("password_hash", "is not", null))
    .executeTakeFirst();
  if (!admin)
    throw new Failure("conflict", serviceSentences["last-administrator"]);
}
