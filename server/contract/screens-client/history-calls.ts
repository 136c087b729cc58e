// Calls of the manager about what happens on the screens of a content service: their outages and what they played (V3-84 to
// V3-87), and what is due (V3-123).

import { connectionSentences } from "../sentences/connection-sentences.ts";
import type { ScreenHistoryAnswers } from "../ipc/ipc-screen-history.ts";
import { outageTotalV3, screenOutageV3 } from "../v3/v3-outages.ts";
import { playbackTotalV3 } from "../v3/v3-playback-report.ts";
import { screenScheduleV3 } from "../v3/v3-screen-schedule.ts";
import { Failure } from "../../core/failure.ts";
import type { Calls } from "./calls.ts";
import { queryText } from "./query-text.ts";
import { expected, rowsIn } from "./response-rows.ts";
import type { ScreenService } from "./screen-service.ts";

/** A later service may know other causes. */
const outageRow = screenOutageV3.extend({
  cause: screenOutageV3.shape.cause.catch("unknown"),
});

export function screenHistoryCalls(
  serviceOf: (id: string) => ScreenService,
): Calls<keyof ScreenHistoryAnswers> {
  const read = async (
    serviceId: string,
    path: string,
    query: Readonly<
      Record<string, string | null | undefined | readonly string[]>
    >,
  ): Promise<unknown> => {
    const text = queryText(
      Object.entries(query).flatMap(([name, value]) =>
        [value ?? []].flat().map((each) => [name, each] as const),
      ),
    );
    try {
      return await serviceOf(serviceId).request("GET", `${path}?${text}`);
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== "not-found")
        throw error;
      throw new Failure("not-found", connectionSentences["no-report"]);
    }
  };
  return {
    listScreenOutages: async ({ serviceId, limit, offset, ...of }) =>
      rowsIn(
        outageRow,
        await read(serviceId, "/screens/outages/", {
          ...{ since: of.since, group: of.labelId, screen: of.screenId },
          ...{ limit: String(limit), offset: String(offset ?? 0) },
        }),
      ),
    readOutageTotals: async ({ serviceId, since, labelId, by, timezone }) =>
      rowsIn(
        outageTotalV3,
        await read(serviceId, "/screens/outages/totals/", {
          ...{ since, group: labelId, by, timezone },
        }),
      ),
    readPlaybackReport: async ({ serviceId, from, to, by, ...of }) =>
      rowsIn(
        playbackTotalV3,
        await read(serviceId, "/playbacks/report", {
          ...{ from, to, by, group: of.labelId, screen: of.screenId },
        }),
      ),
    readScreenSchedule: async ({ serviceId, screenId, at }) =>
      expected(
        screenScheduleV3,
        await read(
          serviceId,
          `/screens/${encodeURIComponent(screenId)}/schedule/`,
          { at },
        ),
      ),
  };
}
