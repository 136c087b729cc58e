// activity and plays: activity log and playback log, as JSON and as CSV for other programs (V2-284 to V2-288).

import type { Response } from "express";
import type * as z from "zod";
import { playerSentences } from "../../../contract/sentences/player-sentences.ts";
import { composeSentence } from "../../../contract/sentence-templates.ts";
import {
  activityQueryV2,
  defaultEntries,
  playbackDaysQueryV2,
  playbacksQueryV2,
  type ActivityV2,
  type PlaybackDayV2,
  type PlaybackV2,
} from "../../../contract/v2/v2-logs.ts";
import { momentToText } from "../../../contract/v2/v2-values.ts";
import { fieldFailure } from "../../../core/failure.ts";
import { dayMs } from "../../../core/wall-clock.ts";
import { activityRow } from "../../../contract/v2/activity-changes.ts";
import { csvOf } from "../../../contract/csv.ts";
import {
  dayOf,
  type Activity,
  type History,
  type Playback,
  type PlaybackDay,
} from "../../logs/logs.ts";
import { parseQuery } from "../request/body.ts";
import type { Handlers } from "../request/handlers.ts";

export interface HistoryOperationsOptions {
  readonly history: History;
  readonly now: () => number;
  readonly zone: () => string;
}

/** A month, plus what a calendar view adds to it. */
const defaultDays = 31;
/** A year, plus what a calendar view adds to it: the totals are kept permanently, and the response is not paged (V2-358). */
const maxDays = 400;

export function historyOperations(options: HistoryOperationsOptions) {
  const { history, now, zone } = options;
  return {
    listActivity: async (request, response) => {
      const query = parseQuery(request, activityQueryV2);
      const { kind = null, actor = null, search = null } = query;
      const rows = await history.activity({
        ...{ kind, actor, search, ...pageOf(query) },
      });
      send(response, query, rows.map(activityToV2), "activity");
    },
    listPlaybacks: async (request, response) => {
      const query = parseQuery(request, playbacksQueryV2);
      const { asset_id: assetId = null } = query;
      const rows = await history.playbacks({ assetId, ...pageOf(query) });
      send(response, query, rows.map(playbackToV2), "playbacks");
    },
    reportPlaybacks: (request, response) => {
      const query = parseQuery(request, playbackDaysQueryV2);
      const today = now();
      const {
        from = dayOf(today - (defaultDays - 1) * dayMs, zone()),
        to = dayOf(today, zone()),
      } = query;
      if (Date.parse(to) - Date.parse(from) >= maxDays * dayMs)
        throw fieldFailure(
          "from",
          composeSentence(playerSentences["log-days"], { days: maxDays }),
        );
      const rows = history.days(from, to);
      send(response, query, rows.map(dayToV2), "playbacks-per-day");
    },
  } satisfies Partial<Handlers>;
}

type Query = z.infer<typeof playbacksQueryV2>;

function pageOf(query: Pick<Query, "from" | "to" | "before" | "limit">) {
  const { from, to, before, limit = defaultEntries } = query;
  return {
    ...{ from: from ?? null, to: to ?? null, before: before ?? null },
    limit,
  };
}

type HistoryEntryV2 = ActivityV2 | PlaybackV2 | PlaybackDayV2;

function send(
  response: Response,
  { format }: Pick<Query, "format">,
  rows: readonly HistoryEntryV2[],
  name: string,
): void {
  response.setHeader("Cache-Control", "no-store");
  if (format !== "csv") {
    response.json(rows);
    return;
  }
  response
    .attachment(`${name}.csv`)
    .type("text/csv; charset=utf-8")
    .send(csvOf(rows.map(flat)));
}

/** A cell holds no object: its fields become columns of their own. */
function flat(
  row: HistoryEntryV2,
): Readonly<Record<string, string | number | null>> {
  if ("changes" in row) return activityRow(row);
  if (!("playlist" in row)) return row;
  const { playlist, ...others } = row;
  return {
    ...others,
    playlist_id: playlist?.playlist_id ?? null,
    playlist_name: playlist?.name ?? null,
  };
}

function activityToV2(activity: Activity): ActivityV2 {
  const { number, at, kind, what, name, assetId, says } = activity;
  const { actor, changes } = activity;
  return {
    ...{
      activity_id: number,
      time: momentToText(at),
      kind,
      action: what,
      name,
    },
    ...{ asset_id: assetId, details: says, actor, changes: [...changes] },
  };
}

function playbackToV2(play: Playback): PlaybackV2 {
  const { id, number, assetId, name, playlist, reason } = play;
  return {
    ...{ playback_id: id, number, asset_id: assetId, name },
    playlist: playlist && { playlist_id: playlist.id, name: playlist.name },
    reason,
    started: momentToText(play.startedAt),
    ended: momentToText(play.endedAt),
  };
}

function dayToV2({
  day,
  assetId,
  name,
  playbacks,
  ...row
}: PlaybackDay): PlaybackDayV2 {
  const seconds = Math.round(row.milliseconds) / 1000;
  return { ...{ day, asset_id: assetId, name, playbacks }, seconds };
}
