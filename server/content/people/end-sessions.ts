// Ends sessions of a person in the transaction of the change that ends them (V4-373).

import type { Kysely } from "kysely";
import type { ContentTables } from "../tables.ts";

export async function endSessions(
  transaction: Kysely<ContentTables>,
  personId: string,
  exceptId = "",
): Promise<void> {
  await transaction
    .deleteFrom("person_sessions")
    .where("person_id", "=", personId)
    .where("id", "<>", exceptId)
    .execute();
}
