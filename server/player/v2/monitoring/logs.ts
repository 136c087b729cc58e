// activity and plays: activity log and playback log, as JSON and as CSV for other programs (V2-284 to V2-288).

import type { Request, Response } from "express";
import {
  activityKinds,
  type ActivityKind,
  type ActivityV2,
  type PlaybackDayV2,
  type PlaybackV2,
} from "../../../contract/v2/v2-logs.ts";
import { got, sentenceFor } from "../../../contract/field-error.ts";
import {
  momentToText,
  readMoment,
  readOneOf,
  readText,
  readInteger,
  reader,
  type Reader,
} from "../../../contract/v2/v2-values.ts";
import { fieldFailure } from "../../../core/failure.ts";
import { dayMs } from "../../../core/wall-clock.ts";
import { csvOf } from "../../../contract/csv.ts";
import {
  dayOf,
  type Activity,
  type History,
  type Playback,
  type PlaybackDay,
} from "../../logs/logs.ts";
import type { Handlers } from "../request/handlers.ts";

export interface HistoryOperationsOptions {
  readonly history: History;
  readonly now: () => number;
  readonly zone: () => string;
}

const defaultLimit = 200;
const maxLimit = 10_000;
/** A month, plus what a calendar view adds to it. */
const defaultDays = 31;
/** A year, plus what a calendar view adds to it: the totals are kept permanently, and the response is not paged (V2-358). */
const maxDays = 400;

export function historyOperations(options: HistoryOperationsOptions) {
  const { history, now, zone } = options;
  return {
    listActivity: async (request, response) => {
      const rows = await history.activity({
        kind: query(request, "kind", readOneOf<ActivityKind>(...activityKinds)),
        ...period(request),
        search: query(request, "search", readText(200)),
        before: query(request, "before", readNumber),
        limit: query(request, "limit", readLimit) ?? defaultLimit,
      });
      send(request, response, rows.map(activityToV2), "activity");
    },
    listPlaybacks: async (request, response) => {
      const rows = await history.playbacks({
        assetId: query(request, "asset_id", readText(100)),
        ...period(request),
        before: query(request, "before", readNumber),
        limit: query(request, "limit", readLimit) ?? defaultLimit,
      });
      send(request, response, rows.map(playbackToV2), "playbacks");
    },
    reportPlaybacks: (request, response) => {
      const today = now();
      const from =
        query(request, "from", readDay) ??
        dayOf(today - (defaultDays - 1) * dayMs, zone());
      const to = query(request, "to", readDay) ?? dayOf(today, zone());
      if (Date.parse(to) - Date.parse(from) >= maxDays * dayMs)
        throw fieldFailure(
          "from",
          `from must be at most ${maxDays} days before to.`,
        );
      const rows = history.days(from, to);
      send(request, response, rows.map(dayToV2), "playbacks-per-day");
    },
  } satisfies Partial<Handlers>;
}

const readNumber = readInteger(0, Number.MAX_SAFE_INTEGER);
const readLimit = readInteger(1, maxLimit);

const readDay = reader<string>({ type: "string", format: "date" }, (raw) =>
  typeof raw === "string" &&
  /^\d{4}-\d\d-\d\d$/.test(raw) &&
  !Number.isNaN(Date.parse(raw))
    ? { value: raw }
    : { sentence: `must be a day such as 2026-01-31${got(raw)}` },
);

function period(request: Request): { from: number | null; to: number | null } {
  return {
    from: query(request, "from", readMoment),
    to: query(request, "to", readMoment),
  };
}

/** Null when the parameter is missing. */
function query<T>(request: Request, name: string, read: Reader<T>): T | null {
  const raw = request.query[name];
  if (raw === undefined || raw === "") return null;
  const reading = read(raw);
  if ("sentence" in reading)
    throw fieldFailure(name, sentenceFor(name, reading.sentence));
  return reading.value;
}

type HistoryEntryV2 = ActivityV2 | PlaybackV2 | PlaybackDayV2;

function send(
  request: Request,
  response: Response,
  rows: readonly HistoryEntryV2[],
  name: string,
): void {
  response.setHeader("Cache-Control", "no-store");
  const format = query(request, "format", readOneOf("json", "csv"));
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
  return {
    ...{
      activity_id: number,
      time: momentToText(at),
      kind,
      action: what,
      name,
    },
    ...{ asset_id: assetId, details: says },
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
