// Why something plays or does not, as a sentence for people.

import { playerSentences } from "../../contract/sentences/player-sentences.ts";
import {
  dayNames,
  hoursPhrases,
  playlistPhrases,
} from "../../contract/sentences/schedule-phrases.ts";
import { composeSentence } from "../../contract/sentence-templates.ts";
import { momentToText } from "../../contract/v2/v2-values.ts";
import type { PlayHours } from "../../core/play-hours.ts";
import type {
  Candidate,
  Reason,
  ReasonCode,
  Schedule,
} from "../../core/schedule/schedule.ts";
import type { ShowingStatus } from "./showing-status.ts";
import type { Playlists } from "../playlists/playlists.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Takeovers } from "./takeover.ts";

export function sentenceOf(reason: Reason): string {
  switch (reason.code) {
    case "plays":
      return "It plays.";
    case "outranked":
      return composeSentence(playerSentences.outranked, {
        playlist: playlistNamed(reason),
        priority: reason.priority,
      });
    case "predicate-false":
      return composeSentence(playerSentences["predicate-false"], {
        rule: reason.part,
      });
    case "disabled":
      return playerSentences.disabled;
    case "outside-dates":
      return outsideDates(reason.startsAt, reason.endsAt);
    case "outside-hours":
      return composeSentence(playerSentences["outside-hours"], {
        hours: hoursText(reason.hours),
      });
    case "other-groups":
      return composeSentence(playerSentences["other-groups"], {
        groups: reason.groups.join(", "),
      });
    case "not-on-disk":
      return playerSentences["file-downloading"];
    case "quarantined":
      return reason.until === null
        ? playerSentences.quarantined
        : composeSentence(playerSentences["quarantined-until"], {
            time: momentToText(reason.until),
          });
    case "playlist-empty":
      return reason.items === 0
        ? playerSentences["playlist-empty"]
        : composeSentence(playerSentences["playlist-unplayable"], {
            count: reason.items,
          });
  }
}

/** As part of a sentence: `the playlist Menu`. */
function playlistNamed(playlist: {
  readonly playlistId: string | null;
  readonly name: string;
}): string {
  return playlist.playlistId === null
    ? playlistPhrases["local-assets"]
    : composeSentence(playlistPhrases.playlist, { name: playlist.name });
}

function outsideDates(startsAt: number | null, endsAt: number | null): string {
  if (startsAt === null || endsAt === null)
    return playerSentences["dates-missing"];
  if (endsAt <= startsAt) return playerSentences["dates-reversed"];
  const [start, end] = [momentToText(startsAt), momentToText(endsAt)];
  return composeSentence(playerSentences["outside-dates"], { start, end });
}

function hoursText({ days, fromMs, untilMs }: PlayHours): string {
  const named = [...days]
    .sort()
    .map((day) => dayNames[day - 1] ?? "")
    .join(", ");
  const isDaily = days.length === dayNames.length;
  if (fromMs === null || untilMs === null)
    return isDaily
      ? hoursPhrases["every-day"]
      : composeSentence(hoursPhrases.days, { days: named });
  const times = { from: timeText(fromMs), until: timeText(untilMs) };
  return isDaily
    ? composeSentence(hoursPhrases.times, times)
    : composeSentence(hoursPhrases["days-and-times"], {
        ...times,
        days: named,
      });
}

function timeText(ms: number): string {
  return new Date(ms).toISOString().slice(11, 19).replace(/:00$/, "");
}

export interface BecauseOptions {
  readonly director: { schedule(): Schedule };
  readonly playlists: Playlists;
  readonly takeovers: Takeovers;
  readonly clock: Clock;
}

/** Why the screen shows what it shows (V2-147). */
export function becauseOf(
  status: ShowingStatus,
  options: BecauseOptions,
): string {
  const { director, playlists, takeovers, clock } = options;
  switch (status.reason) {
    case "schedule": {
      const { playlistId } = status;
      const playlist = playlists.all().find(({ id }) => id === playlistId);
      return `Scheduled in ${playlistNamed({ playlistId, name: playlist?.name ?? "" })}.`;
    }
    case "command":
      return "Started by a command; the schedule continues afterwards.";
    case "takeover": {
      const takeover = takeovers.current();
      const until = takeover?.until ?? null;
      const ends =
        until === null ? "until stopped" : `until ${momentToText(until)}`;
      return [`A takeover is on the screen ${ends}.`, takeover?.reason ?? ""]
        .join(" ")
        .trim();
    }
    case "not-ready":
      return "Everything that is scheduled failed to play or is not ready.";
    case "nothing-due":
      return whyNothing(director.schedule().candidatesAt(clock.now()));
  }
}

function whyNothing(candidates: readonly Candidate[]): string {
  const assets = candidates.filter(({ kind }) => kind === "asset");
  if (assets.length === 0) return "There is no content yet.";
  const counts = new Map<ReasonCode, number>();
  for (const { reason } of assets)
    counts.set(reason.code, (counts.get(reason.code) ?? 0) + 1);
  const parts = [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([code, count]) => `${count} ${stateTexts[code]}`);
  return `Nothing is scheduled: ${parts.join(", ")}.`;
}

/** For several assets, placed after their number. */
const stateTexts: Readonly<Record<ReasonCode, string>> = {
  plays: "due",
  outranked: "without priority",
  "predicate-false": "in playlists whose schedule rule does not apply",
  disabled: "disabled",
  "outside-dates": "outside their dates",
  "outside-hours": "outside their hours",
  "other-groups": "for other screens",
  "not-on-disk": "still downloading",
  quarantined: "paused after failures",
  "playlist-empty": "in playlists that cannot play",
};
