// Adds a person, by an invitation or by the provider that they sign in with (V3-161, V3-209).

import type { Kysely } from "kysely";
import { serviceSentences } from "../../contract/sentences/service-sentences.ts";
import { fieldFailure } from "../../core/failure.ts";
import type { ContentTables } from "../tables.ts";
import type { PersonRow } from "./tables.ts";

/** Being added signs them in. Throws for an email address that a person has. */
export async function insertPerson(
  transaction: Kysely<ContentTables>,
  { id, now }: { readonly id: string; readonly now: number },
  values: Pick<
    PersonRow,
    "team_id" | "role" | "label_ids" | "email" | "name" | "password_hash"
  >,
): Promise<PersonRow> {
  const added = await transaction
    .insertInto("people")
    .values({
      ...{ ...values, id, is_disabled: false },
      ...{ totp_secret: null, totp_pending: null, totp_step: 0 },
      ...{ recovery_codes: "[]", created_at: now, last_sign_in_at: now },
    })
    .onConflict((on) => on.column("email").doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!added) throw emailTaken();
  return added;
}

export function emailTaken(): Error {
  return fieldFailure("email", serviceSentences["person-exists"]);
}
