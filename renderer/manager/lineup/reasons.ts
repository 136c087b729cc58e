// Why something plays at a moment, or does not, in the operator's words.

import type { PlayHours } from "../../../server/core/play-hours.ts";
import type { Reason } from "../../../server/core/schedule/schedule.ts";
import { isOpenEnded } from "../components/no-end-date.ts";
import { shortDays } from "../predicates/DayChips.tsx";
import { inWords, timeText } from "../predicates/predicate-text.ts";
import { can } from "../place/abilities.ts";
import { t } from "../../locales/messages.ts";
import { formatIn } from "../components/screen-time/screen-time-formats.ts";

export function reasonText(
  reason: Reason,
  zone: string,
  /** How many others are in the lineup with it. */
  others: number,
  /** The whole predicate of its playlist. */
  rule: string,
): string {
  switch (reason.code) {
    case "plays":
      return others > 0
        ? t("schedule.reasons.playsInTurn", { count: others })
        : t("schedule.reasons.plays");
    case "outranked":
      if (!can("player"))
        return t("schedule.service.outranked", { name: reason.name });
      return t("schedule.reasons.outranked", {
        name:
          reason.playlistId === null ? t("schedule.localAssets") : reason.name,
        priority: reason.priority,
      });
    case "predicate-false":
      // All of it: the part that fails first may not be the only one.
      return inWords(rule, zone) === ""
        ? t("schedule.reasons.predicatePart", { part: reason.part })
        : t("schedule.reasons.predicateFalse", { times: inWords(rule, zone) });
    case "disabled":
      return t("schedule.reasons.disabled");
    case "outside-dates":
      return datesText(reason, zone);
    case "outside-hours":
      return hoursText(reason.hours);
    case "other-groups":
      // At a content service, one without labels plays on no screen.
      if (reason.groups.length === 0) return t("schedule.reasons.noGroups");
      return t("schedule.reasons.groups", { groups: reason.groups.join(", ") });
    case "not-on-disk":
      return t("schedule.reasons.notOnDisk");
    case "quarantined":
      return t("schedule.reasons.quarantined");
    case "playlist-empty":
      return reason.items === 0
        ? t("schedule.reasons.empty")
        : t("schedule.reasons.noItemPlays", { count: reason.items });
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
  const { dayAndTime } = formatIn(zone);
  if (startsAt !== null && endsAt !== null)
    return t("schedule.reasons.dates", {
      from: dayAndTime(startsAt),
      until: dayAndTime(endsAt),
    });
  if (startsAt !== null)
    return t("schedule.reasons.datesFrom", { from: dayAndTime(startsAt) });
  if (endsAt !== null)
    return t("schedule.reasons.datesUntil", { until: dayAndTime(endsAt) });
  return t("schedule.reasons.noDates");
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
      : t("schedule.timeRange", {
          from: timeText(fromMs),
          until: timeText(untilMs),
        });
  return t("schedule.reasons.hours", {
    times: [named, times].filter((part) => part !== "").join(", "),
  });
}
