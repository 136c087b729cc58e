// Oracle of local time: what a wall clock shows, by Intl at every call, the slow and obvious way.

export interface ShownTime {
  readonly moment: number;
  /** Midnight of the calendar day there, as if that were in UTC. */
  readonly dayAsUtc: number;
  readonly timeMs: number;
  /** 0 Sunday to 6 Saturday. */
  readonly weekday: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();
const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

export function shownBy(zone: string, moment: number): ShownTime {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, value]),
  );
  const field = (name: string): number => Number(parts[name]);
  const seconds = (field("hour") * 60 + field("minute")) * 60 + field("second");
  return {
    moment,
    dayAsUtc: Date.UTC(field("year"), field("month") - 1, field("day")),
    timeMs: seconds * 1000 + field("fractionalSecond"),
    weekday: weekdays.indexOf(parts.weekday ?? ""),
  };
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const cached = formats.get(zone);
  if (cached) return cached;
  const format = new Intl.DateTimeFormat("en-GB", {
    ...{ timeZone: zone, hourCycle: "h23", weekday: "short" },
    ...{ year: "numeric", month: "2-digit", day: "2-digit" },
    ...{ hour: "2-digit", minute: "2-digit", second: "2-digit" },
    fractionalSecondDigits: 3,
  });
  formats.set(zone, format);
  return format;
}

/** Zones with a peculiarity each, and times (UTC) near which it shows. */
export const oddZones: readonly {
  readonly zone: string;
  readonly habit: string;
  readonly near: readonly string[];
}[] = [
  {
    zone: "Europe/Berlin",
    habit: "an hour skipped in spring and repeated in autumn",
    near: ["2026-03-29T01:00Z", "2026-10-25T01:00Z"],
  },
  {
    zone: "America/New_York",
    habit: "behind UTC",
    near: ["2026-03-08T07:00Z", "2026-11-01T06:00Z"],
  },
  {
    zone: "Australia/Lord_Howe",
    habit: "half an hour of summer time",
    near: ["2026-04-04T15:00Z", "2026-10-03T15:30Z"],
  },
  {
    zone: "Asia/Kolkata",
    habit: "half an hour beside the others",
    near: ["2026-07-01T18:30Z"],
  },
  {
    zone: "Pacific/Apia",
    habit: "a day left out",
    near: ["2011-12-30T10:00Z", "2011-12-30T09:00Z"],
  },
  {
    zone: "Pacific/Kwajalein",
    habit: "another day left out",
    near: ["1993-08-21T12:00Z"],
  },
  {
    zone: "Africa/Cairo",
    habit: "days without a midnight, and with two",
    near: ["2026-04-23T22:00Z", "2026-10-29T21:00Z"],
  },
  {
    zone: "Asia/Beirut",
    habit: "days without a midnight, and with two",
    near: ["2026-03-28T22:00Z", "2026-10-24T21:00Z"],
  },
  {
    zone: "America/Sao_Paulo",
    habit: "midnights left out on Sundays",
    near: ["2018-11-04T03:00Z", "2018-02-18T02:00Z"],
  },
  {
    zone: "America/St_Johns",
    habit: "changes a minute after midnight",
    near: ["2010-03-14T03:31Z", "2010-11-07T02:31Z"],
  },
  {
    zone: "Antarctica/Troll",
    habit: "two hours of summer time",
    near: ["2026-03-29T01:00Z", "2026-10-25T01:00Z"],
  },
  {
    zone: "Africa/Casablanca",
    habit: "another time for Ramadan",
    near: ["2026-02-15T02:00Z", "2026-03-22T02:00Z"],
  },
  { zone: "UTC", habit: "no habits", near: ["2026-01-01T00:00Z"] },
];
