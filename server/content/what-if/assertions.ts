// Stored assertions of a team, as the simulation checks them, and what their last check found (V3-104).

import type { Kysely, Selectable } from "kysely";
import type { AssertionCheckV3 } from "../../contract/v3/v3-what-if.ts";
import type { Assertion } from "../../core/what-if/assertion.ts";
import type { Database } from "../../platform/database/database.ts";
import { sql, statementOf } from "../sql.ts";
import type { ContentTables } from "../tables.ts";
import type { WhatIfTables } from "./tables.ts";

export type AssertionRow = Selectable<WhatIfTables["assertions"]>;

export interface StoredAssertion extends Assertion {
  readonly name: string;
  readonly isHoldingBack: boolean;
}

/** Each is checked with every simulation (V3-104). */
export const maxAssertions = 100;
const minuteMs = 60_000;

export function assertionFrom(row: AssertionRow): StoredAssertion {
  const { id, name, kind, predicate } = row;
  return {
    ...{ id, name, kind, predicate },
    isHoldingBack: Boolean(row.holds_back),
    assetIds: JSON.parse(row.asset_ids) as readonly string[],
    folders: JSON.parse(row.folders) as readonly string[],
    labels: JSON.parse(row.label_ids) as readonly string[],
    everyMs: Number(row.every_minutes ?? 0) * minuteMs,
  };
}

export function lastCheckOf({ last_check }: AssertionRow) {
  return last_check === null
    ? null
    : (JSON.parse(last_check) as AssertionCheckV3);
}

export async function enabledAssertions(
  kysely: Kysely<ContentTables>,
  team: string,
): Promise<readonly StoredAssertion[]> {
  const rows = await kysely
    .selectFrom("assertions")
    .selectAll()
    .where("team_id", "=", team)
    .where("is_enabled", "=", true)
    .orderBy("id")
    .limit(maxAssertions)
    .execute();
  return rows.map(assertionFrom);
}

/** Before each write: a prepared statement, which on SQLite waits for no other writer. */
export async function isAnyHoldingBack(
  { kind, read }: Pick<Database<ContentTables>, "kind" | "read">,
  team: string,
): Promise<boolean> {
  const found = await read(
    statementOf(
      sql`SELECT 1 FROM assertions WHERE team_id = ${team} AND is_enabled = ${true} AND holds_back = ${true} LIMIT 1`,
      kind,
    ),
  );
  return found.length > 0;
}
