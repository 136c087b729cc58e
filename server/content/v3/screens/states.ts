// All screens with their states, answered 304 while nothing changed (V3-81).

import { hash } from "node:crypto";
import type { Response } from "express";
import type {
  ScreenReport,
  ScreenState,
} from "../../../contract/link/screen-report.ts";
import {
  screenStatesQueryV3,
  type ScreenStateV3,
} from "../../../contract/v3/v3-screens.ts";
import type { Row } from "../../../platform/database/database.ts";
import { teamOf } from "../../access/access.ts";
import { shownAddress } from "../../files/address-columns.ts";
import { mark } from "../../files/signed-addresses.ts";
import { judged } from "../../http/json-body.ts";
import type { Methods } from "../../http/routes.ts";
import { neverSeenReason } from "../../link/screen-state.ts";
import { sql, statementOf, trusted, type Sql } from "../../sql.ts";
import { sendText } from "../operation/responses.ts";
import type { V3 } from "../operation/v3.ts";
import { inTime } from "../operation/views.ts";

export function createScreenStates({ database, dialect, now }: V3): Methods {
  return {
    GET: async (request, response) => {
      const { state: states } = judged(screenStatesQueryV3, {
        ...request.query,
      });
      const team = teamOf(response);
      const only = states
        ? sql`AND ${dialect.keysOneOf(shownState, states)}`
        : sql``;
      const [screens = [], groups = []] = await database.readTogether(
        [
          sql`SELECT s.id, s.name, s.is_enabled, s.timezone, s.location, ${shownState} AS state, t.since, t.reason,
            t.report, t.reported_at, s.item_counts, s.last_ping, s.software_version,
            ${shownAddress(trusted("s.last_screenshot"))} AS last_screenshot, s.last_screenshot_time
            FROM screens s LEFT JOIN screen_states t ON t.screen_id = s.id
            WHERE ${inTime(dialect, "s")} s.team_id = ${team} ${only} ORDER BY s.id`,
          sql`SELECT k.screen_id, l.id, l.name FROM label_screen k JOIN labels l ON l.id = k.label_id
            WHERE ${inTime(dialect, "k")} k.team_id = ${team} AND l.type = 'manual' ORDER BY l.id`,
        ].map((of: Sql) => statementOf(of, dialect.kind)),
      );
      const groupsOf = new Map<string, Row[]>();
      for (const row of groups) {
        const screenId = String(row["screen_id"]);
        const others = groupsOf.get(screenId);
        if (others) others.push(row);
        else groupsOf.set(screenId, [row]);
      }
      const shown = screens.map((row) =>
        screenFrom(row, groupsOf.get(String(row["id"])) ?? []),
      );
      endUnlessUnchanged(response, shown, now());
    },
  };
}

const shownState = trusted("coalesce(t.state, 'never-seen')");

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
    reason: state === "never-seen" ? neverSeenReason : text("reason"),
    report: json("report") as ScreenReport | null,
    reported_at: moment("reported_at"),
    item_counts: json("item_counts") as ScreenStateV3["item_counts"],
    last_ping: moment("last_ping"),
    software_version: text("software_version"),
    screenshot: url && taken_at ? { url, taken_at } : null,
  };
}

/**
 * The moment of the last contact changes with every heartbeat and counts only where there is no contact any more: otherwise the
 * list would never be unchanged.
 */
function endUnlessUnchanged(
  response: Response,
  screens: readonly ScreenStateV3[],
  now: number,
): void {
  // Addresses of screenshots are resolved in the response, and change every hour.
  const hour = Math.floor(now / 3_600_000);
  const compared = screens.map((screen) =>
    screen.state === "offline" ? screen : { ...screen, last_ping: null },
  );
  // The mark differs in every process, while the same list must have the same tag in all of them.
  const plain = JSON.stringify(compared).replaceAll(mark, "");
  const tag = `W/"${hour.toString(36)}-${hash("sha256", plain, "base64url")}"`;
  response.setHeader("ETag", tag);
  response.setHeader("Cache-Control", "no-cache");
  const ifNoneMatch = response.req.headers["if-none-match"] ?? "";
  const isUnchanged = ifNoneMatch
    .split(",")
    .some((one) => one.trim().replace(/^W\//, "") === tag.slice(2));
  if (isUnchanged) response.status(304).end();
  else sendText(response, 200, JSON.stringify(screens));
}
