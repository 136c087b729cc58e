// The secret that signs file addresses and app tokens: the same for all instances of one database and key.

import { hkdfSync, randomBytes } from "node:crypto";
import type { Database } from "../../platform/database/database.ts";
import type { ContentTables } from "../tables.ts";

const name = "file addresses";
const purpose = "vitrine addresses of files";

/** `operatorKey`: when set, the content of the database alone signs nothing (V4-310); null without one. */
export async function addressSecret(
  { kysely }: Database<ContentTables>,
  operatorKey: string | null,
): Promise<string> {
  await kysely
    .insertInto("service_secrets")
    .values({ name, secret: randomBytes(32).toString("hex") })
    .onConflict((on) => on.doNothing())
    .execute();
  const { secret } = await kysely
    .selectFrom("service_secrets")
    .select("secret")
    .where("name", "=", name)
    .executeTakeFirstOrThrow();
  if (operatorKey === null) return secret;
  const derived = hkdfSync("sha256", operatorKey, secret, purpose, 32);
  return Buffer.from(derived).toString("hex");
}
