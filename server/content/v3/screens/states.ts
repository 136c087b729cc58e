// All screens with their states, answered 304 while nothing changed, or only those that changed (V3-81, V3-120).

import { hash } from "node:crypto";
import type { Response } from "express";
import {
  screenStatesQueryV3,
  type ScreenStateV3,
} from "../../../contract/v3/v3-screens.ts";
import { teamOf } from "../../access/access.ts";
import { mark } from "../../files/signed-addresses.ts";
import { judged } from "../../http/json-body.ts";
import type { Methods } from "../../http/routes.ts";
import { joined, sql, statementOf, trusted, type Sql } from "../../sql.ts";
import { sendText } from "../operation/responses.ts";
import type { V3 } from "../operation/v3.ts";
import { inTime } from "../operation/views.ts";
import {
  groupsOfScreens,
  listedScreens,
  screensFrom,
  shownState,
} from "./listed-screens.ts";
import { screenChangesSince } from "./state-changes.ts";

export function createScreenStates(v3: V3): Methods {
  const { dialect, now } = v3;
  return {
    GET: async (request, response) => {
      const query = judged(screenStatesQueryV3, { ...request.query });
      const { state: states, screen: ids, since } = query;
      if (since !== undefined) {
        const changes = await screenChangesSince(v3, teamOf(response), query);
        response.setHeader("Cache-Control", "no-store");
        sendText(response, 200, JSON.stringify(changes));
        return;
      }
      const only = [
        ...(states ? [dialect.keysOneOf(shownState, states)] : []),
        ...(ids ? [dialect.keysOneOf(trusted("s.id"), ids)] : []),
      ].map((condition) => sql` AND ${condition}`);
      const team = teamOf(response);
      const ofScreens = ids
        ? sql` AND ${dialect.keysOneOf(trusted("k.screen_id"), ids)}`
        : sql``;
      const [rows = [], groups = []] = await v3.database.readTogether(
        [
          sql`${listedScreens} WHERE ${inTime(dialect, "s")} s.team_id = ${team}${joined(only, "")} ORDER BY s.id`,
          sql`${groupsOfScreens} WHERE ${inTime(dialect, "k")} k.team_id = ${team}${ofScreens} AND l.type = 'manual' ORDER BY l.id`,
        ].map((of: Sql) => statementOf(of, dialect.kind)),
      );
      endUnlessUnchanged(response, screensFrom(rows, groups), now());
    },
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
