// Screens of groups as a condition in SQL: by identifier, All Screens under either of its names (V3-20).

import { sql, trusted, type Sql } from "../../sql.ts";
import type { Dialect } from "../../v4/sql/dialect.ts";
import { isAllScreens } from "./references.ts";

/** Unknown groups have no screens. */
export function inGroups(
  dialect: Dialect,
  team: string,
  screenId: Sql,
  groups: readonly string[],
): Sql {
  if (groups.some(isAllScreens)) return trusted("TRUE");
  return sql`(${screenId} IN (SELECT k.screen_id FROM label_screen k
      WHERE k.team_id = ${team} AND ${dialect.keysOneOf(trusted("k.label_id"), groups)})
    OR EXISTS (SELECT 1 FROM labels l WHERE l.team_id = ${team} AND l.type = 'all-screens'
      AND ${dialect.keysOneOf(trusted("l.id"), groups)}))`;
}
