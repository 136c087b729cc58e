// Deletes incidents and messages that are too old to matter (V3-93).

import type { Kysely } from "kysely";
import type { ContentTables } from "../tables.ts";

/** As long as outages (L-43). */
const keptMs = 400 * 24 * 3_600_000;

/** Those from long after now were written before the database's clock was set back. */
export async function deleteOldAlerts(
  kysely: Kysely<ContentTables>,
  now: number,
): Promise<void> {
  await kysely
    .deleteFrom("alert_incidents")
    .where((eb) =>
      eb.or([
        eb("ended_at", "<=", now - keptMs),
        eb("ended_at", ">", now + keptMs),
      ]),
    )
    .execute();
  await kysely
    .deleteFrom("alert_messages")
    .where((eb) =>
      eb.or([
        eb("created_at", "<=", now - keptMs),
        eb("created_at", ">", now + keptMs),
      ]),
    )
    .execute();
}
