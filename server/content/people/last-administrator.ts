// A team keeps an administrator: the last one can be neither removed nor disabled, nor given another role.

import type { Kysely } from "kysely";
import { serviceSentences } from "../../contract/sentences/service-sentences.ts";
import { Failure } from "../../core/failure.ts";
import type { ContentTables } from "../tables.ts";

/** With a password, or with an account of a provider. */
export async function couldSignIn(
  transaction: Kysely<ContentTables>,
  {
    id,
    password_hash,
  }: { readonly id: string; readonly password_hash: string | null },
): Promise<boolean> {
  if (password_hash !== null) return true;
  const identity = await transaction
    .selectFrom("person_identities")
    .select("subject")
    .where("person_id", "=", id)
    .executeTakeFirst();
  return identity !== undefined;
}

/**
 * In the transaction of the change: two administrators cannot disable each other at once. One who could sign in leaves another who can:
 * not one whose password was reset, and whose link may never be used (V3-158).
 */
export async function assertAdministratorLeft(
  transaction: Kysely<ContentTables>,
  teamId: string,
  mustSignIn: boolean,
): Promise<void> {
  const admin = await transaction
    .selectFrom("people as p")
    .select("p.id")
    .where("p.team_id", "=", teamId)
    .where("p.role", "=", "admin")
    .where("p.is_disabled", "=", false)
    .$if(mustSignIn, (query) =>
      query.where((eb) =>
        eb.or([
          eb("p.password_hash", "is not", null),
          eb.exists(
            eb
              .selectFrom("person_identities as i")
              .select("i.subject")
              .whereRef("i.person_id", "=", "p.id"),
          ),
        ]),
      ),
    )
    .executeTakeFirst();
  if (!admin)
    throw new Failure("conflict", serviceSentences["last-administrator"]);
}
