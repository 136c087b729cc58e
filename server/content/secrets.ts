// What signs the addresses of files: made once, and the same for all instances of one database.

import { randomBytes } from "node:crypto";
import type { Database } from "../platform/database.ts";
import type { ContentTables } from "./tables.ts";

const name = "file addresses";

export async function addressSecret({
  kysely,
}: Database<ContentTables>): Promise<string> {
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
  return secret;
}
