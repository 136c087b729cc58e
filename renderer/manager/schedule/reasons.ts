// Why something plays at a moment, or does not, in the operator's words.

import type { PlayHours } from "../../../server/core/asset.ts";
import type { Reason } from "../../../server/core/schedule/schedule.ts";
import { isOpenEnded } from "../library/asset-state.ts";
import { shortDays } from "../playlists/predicate-editor/DayChips.tsx";
import {
  inWords,
  timeText,
} from "../playlists/predicate-editor/predicate-text.ts";
import { texts } from "../texts/texts.ts";
import { formatIn } from "./formats.ts";

export function reasonText(
  reason: Reason,
  zone: string,
  /** How many others are in the lineup with it. */
  others: number,
  /** The whole predicate of its playlist. */
  rule: string,
): string {
  const messages = texts.schedule.reasons;
  switch (reason.code) {
    case "plays":
      return others > 0 ? messages.playsWith(others) : messages.plays;
    case "outranked":
      return messages.outranked(
        reason.playlistId === null ? texts.schedule.local : reason.name,
        reason.priority,
      );
    case "predicate-false":
      // All of it: the part that fails first may not be the only one.
      return inWords(rule, zone) === ""
        ? messages.predicateNever(reason.part)
        : messages.predicateFalse(inWords(rule, zone));
    case "disabled":
      return messages.disabled;
    case "outside-dates":
      return datesText(reason, zone);
    case "outside-hours":
      return hoursText(reason.hours);
    case "other-groups":
      return messages.groups(reason.groups.join(", "));
    case "not-on-disk":
      return messages.notOnDisk;
    case "quarantined":
      return messages.quarantined;
    case "playlist-empty":
      return reason.items === 0
        ? messages.empty
        : messages.noneCan(reason.items);
  }
}

function datesText(
  reason: Extract<Reason, { code: "outside-dates" }>,
  zone: string,
): string {
  const { startsAt } = reason;
  const isEndless =
    reason.endsAt !== null &&
    startsAt !== null &&
    isOpenEnded(reason.endsAt, startsAt);
  const endsAt = isEndless ? null : reason.endsAt;
  const messages = texts.schedule.reasons;
  const { dayAndTime } = formatIn(zone);
  if (startsAt !== null && endsAt !== null)
    return messages.dates(dayAndTime(startsAt), dayAndTime(endsAt));
  if (startsAt !== null) return messages.datesFrom(dayAndTime(startsAt));
  if (endsAt !== null) return messages.datesUntil(dayAndTime(endsAt));
  return messages.noDates;
}

/** Days and times in one sentence. */
export function hoursText({ days, fromMs, untilMs }: PlayHours): string {
  const named =
    days.length === 7
      ? ""
      : [...days]
          .sort((a, b) => a - b)
          .map((day) => shortDays[day % 7] ?? "")
          .join(", ");
  const times =
    fromMs === null || untilMs === null
      ? ""
      : texts.schedule.times(timeText(fromMs), timeText(untilMs));
  return texts.schedule.reasons.hours(named, times);
}
