// Filters of outages as conditions in SQL: by screen, group, state, cause and time (V3-85).

import type { OutageFiltersV3 } from "../../../contract/v3/v3-outages.ts";
import { joined, sql, trusted, type Sql } from "../../sql.ts";
import type { Dialect } from "../../v4/sql/dialect.ts";
import { inGroups } from "../operation/group-filter.ts";
import { inTime } from "../operation/views.ts";

/** On `screen_outages` as `o`. */
export function outageConditions(
  dialect: Dialect,
  team: string,
  filters: OutageFiltersV3,
): Sql {
  const { screen, group, state, cause, since, until } = filters;
  const oneOf = (column: string, keys: readonly string[] | undefined): Sql =>
    keys ? sql`AND ${dialect.keysOneOf(trusted(column), keys)}` : sql``;
  const conditions = [
    oneOf("o.screen_id", screen),
    oneOf("o.state", state),
    oneOf("o.cause", cause),
    group
      ? sql`AND ${inGroups(dialect, team, trusted("o.screen_id"), group)}`
      : sql``,
    since === undefined
      ? sql``
      : sql`AND (o.ended_at IS NULL OR o.ended_at >= ${since})`,
    until === undefined ? sql`` : sql`AND o.started_at < ${until}`,
  ];
  return sql`${inTime(dialect, "o")} o.team_id = ${team} ${joined(conditions, " ")}`;
}
