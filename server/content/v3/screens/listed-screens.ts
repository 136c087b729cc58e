// Screens as `GET /screens/states/` lists them, from the rows of the database (V3-81).

import type {
  ScreenReport,
  ScreenState,
} from "../../../contract/link/screen-report.ts";
import type { AdoptedV3 } from "../../../contract/v3/v3-adopted.ts";
import type { ScreenStateV3 } from "../../../contract/v3/v3-screens.ts";
import type { Row } from "../../../platform/database/database.ts";
import { noFacts } from "../../adopted/player-rows.ts";
import { shownAddress } from "../../files/address-columns.ts";
import { neverSeenReason } from "../../link/screen-state.ts";
import { sql, trusted } from "../../sql.ts";
import { lastContact } from "../operation/last-contact.ts";

export const shownState = trusted("coalesce(t.state, 'never-seen')");

/** The lowest is the one that needs somebody most. */
export const urgencyRank = sql`CASE ${shownState} WHEN 'wrong' THEN 0 WHEN 'incomplete' THEN 1 WHEN 'offline' THEN 2
  WHEN 'never-seen' THEN 3 ELSE 4 END`;

/** Joins and conditions may follow. */
export const listedScreens = sql`SELECT s.id, s.name, s.is_enabled, s.timezone, s.location, ${shownState} AS state, t.since, t.reason,
  t.report, t.reported_at, s.item_counts, ${lastContact} AS last_ping, s.software_version,
  ${shownAddress(trusted("s.last_screenshot"))} AS last_screenshot, s.last_screenshot_time,
  p.address, p.username, p.problem, p.facts, ${urgencyRank} AS urgency_rank
  FROM screens s LEFT JOIN screen_states t ON t.screen_id = s.id LEFT JOIN adopted_players p ON p.screen_id = s.id`;

export const groupsOfScreens = sql`SELECT k.screen_id, l.id, l.name FROM label_screen k JOIN labels l ON l.id = k.label_id`;

/** In the order of their rows. */
export function screensFrom(
  rows: readonly Row[],
  groups: readonly Row[],
): readonly ScreenStateV3[] {
  const groupsOf = new Map<string, Row[]>();
  for (const row of groups) {
    const screenId = String(row["screen_id"]);
    const others = groupsOf.get(screenId);
    if (others) others.push(row);
    else groupsOf.set(screenId, [row]);
  }
  return rows.map((row) =>
    screenFrom(row, groupsOf.get(String(row["id"])) ?? []),
  );
}

function screenFrom(row: Row, groups: readonly Row[]): ScreenStateV3 {
  const isNull = (name: string): boolean => row[name] === null;
  const text = (name: string): string | null =>
    isNull(name) ? null : String(row[name]);
  const moment = (name: string): string | null =>
    isNull(name) ? null : new Date(Number(row[name])).toISOString();
  const json = (name: string): unknown =>
    isNull(name) ? null : JSON.parse(String(row[name]));
  const state = String(row["state"]) as ScreenState;
  const url = text("last_screenshot");
  const taken_at = moment("last_screenshot_time");
  return {
    ...{ id: String(row["id"]), name: String(row["name"]) },
    is_enabled: Boolean(row["is_enabled"]),
    timezone: text("timezone") || "UTC",
    location: text("location") ?? "",
    groups: groups.map(({ id, name }) => ({
      ...{ id: String(id), name: String(name) },
    })),
    state,
    state_since: moment("since"),
    reason: reasonOf(state, text("problem"), text("reason")),
    report: json("report") as ScreenReport | null,
    reported_at: moment("reported_at"),
    item_counts: json("item_counts") as ScreenStateV3["item_counts"],
    last_ping: moment("last_ping"),
    software_version: text("software_version"),
    screenshot: url && taken_at ? { url, taken_at } : null,
    ...(isNull("address") ? {} : { adopted: adoptedFrom(row) }),
  };
}

/** The service knows why an adopted player cannot be reached (V3-113). */
function reasonOf(
  state: ScreenState,
  problem: string | null,
  reason: string | null,
): string | null {
  if (state === "never-seen") return problem ?? neverSeenReason;
  return state === "offline" ? (problem ?? reason) : reason;
}

function adoptedFrom(row: Row): AdoptedV3 {
  const { kept_assets = null, ...facts } = JSON.parse(
    String(row["facts"]),
  ) as Partial<AdoptedV3["facts"]> & { readonly kept_assets?: number };
  const { username, problem } = row as Readonly<
    Record<"username" | "problem", string | null>
  >;
  return {
    address: String(row["address"]),
    ...{ username, problem },
    ...{ facts: { ...noFacts, ...facts }, kept_assets },
  };
}
