// Why something plays at a moment, or does not, in the operator's words.

import type { PlayHours } from "../../../server/core/asset.ts";
import type { Reason } from "../../../server/core/schedule/schedule.ts";
import { isOpenEnded } from "../library/asset-state.ts";
import { shortDays } from "../playlists/when/DayChips.tsx";
import { inWords, timeSaid } from "../playlists/when/words.ts";
import { texts } from "../texts/texts.ts";
import { formatIn } from "./formats.ts";

export function sayReason(
  reason: Reason,
  zone: string,
  /** How many others play in turn with it. */
  others: number,
  /** The whole sentence of its playlist. */
  rule: string,
): string {
  const says = texts.schedule.reasons;
  switch (reason.code) {
    case "plays":
      return others > 0 ? says.playsWith(others) : says.plays;
    case "outranked":
      return says.outranked(
        reason.playlistId === null ? texts.schedule.local : reason.name,
        reason.priority,
      );
    case "predicate-false":
      // All of it: the part that fails first may not be the only one.
      return inWords(rule, zone) === ""
        ? says.predicateNever(reason.part)
        : says.predicateFalse(inWords(rule, zone));
    case "disabled":
      return says.disabled;
    case "outside-dates":
      return sayDates(reason, zone);
    case "outside-hours":
      return sayHours(reason.hours);
    case "other-groups":
      return says.groups(reason.groups.join(", "));
    case "not-on-disk":
      return says.notOnDisk;
    case "quarantined":
      return says.quarantined;
    case "playlist-empty":
      return reason.items === 0 ? says.empty : says.noneCan(reason.items);
  }
}

function sayDates(
  reason: Extract<Reason, { code: "outside-dates" }>,
  zone: string,
): string {
  const { startsAt } = reason;
  const isEndless =
    reason.endsAt !== null &&
    startsAt !== null &&
    isOpenEnded(reason.endsAt, startsAt);
  const endsAt = isEndless ? null : reason.endsAt;
  const says = texts.schedule.reasons;
  const { dayAndTime } = formatIn(zone);
  if (startsAt !== null && endsAt !== null)
    return says.dates(dayAndTime(startsAt), dayAndTime(endsAt));
  if (startsAt !== null) return says.datesFrom(dayAndTime(startsAt));
  if (endsAt !== null) return says.datesUntil(dayAndTime(endsAt));
  return says.noDates;
}

/** On which days and between which times, in a sentence. */
export function sayHours({ days, fromMs, untilMs }: PlayHours): string {
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
      : texts.schedule.times(timeSaid(fromMs), timeSaid(untilMs));
  return texts.schedule.reasons.hours(named, times);
}
