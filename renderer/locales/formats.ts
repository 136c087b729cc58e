// Formats numbers, sizes, durations and moments in the operator's language.

export interface Formats {
  /**
   * Sets the time zone of all moments, which is named next to a time where it differs from this computer's; without a call, this
   * computer's own.
   */
  readonly goBy: (zone: string) => void;
  readonly count: (value: number) => string;
  readonly size: (bytes: number) => string;
  /** A duration in a sentence or a list: "10s", "1m 30s"; in German "10 s", "1 min 30 s". */
  readonly length: (seconds: number) => string;
  /** A running clock: "0:07". */
  readonly countdown: (seconds: number) => string;
  readonly day: (moment: number) => string;
  readonly time: (moment: number) => string;
  /** Without seconds: "09:12". */
  readonly clock: (moment: number) => string;
  /** A time of day independent of time zones, in milliseconds since midnight: "11:30". */
  readonly timeOfDay: (timeMs: number) => string;
  /** "Sat, 21 Nov, 14:00", for a moment in the near past or future. */
  readonly dayAndTime: (moment: number) => string;
  /** "14:00" if today, otherwise with its day. */
  readonly near: (moment: number) => string;
  /** "21 Nov 2026, 14:00" */
  readonly moment: (moment: number) => string;
  /** The time of day in that zone. */
  readonly clockIn: (moment: number, zone: string) => string;
  /** "1.5": at most two decimal places. */
  readonly decimal: (value: number) => string;
  /** Always two decimal places: "2.70". */
  readonly twoDigits: (value: number) => string;
  readonly percent: (share: number) => string;
  readonly days: (from: number, to: number) => string;
  /** A calendar day independent of time zones, by its midnight in UTC. */
  readonly calendarDay: (midnight: number) => string;
  readonly calendarDays: (from: number, to: number) => string;
  /** "name, volume and zoom" */
  readonly list: (things: readonly string[]) => string;
  /** "wrong or offline" */
  readonly alternatives: (things: readonly string[]) => string;
  readonly plural: (value: number) => Intl.LDMLPluralRule;
  /** Shortcuts as printed on this language's keyboards: "Ctrl+Shift+E", "Strg+Umschalt+E". */
  readonly keys: (pressed: string) => string;
}

export function formatsFor(language: string): Formats {
  const number = new Intl.NumberFormat(language);
  const lists = new Intl.ListFormat(language, { type: "conjunction" });
  const alternatives = new Intl.ListFormat(language, { type: "disjunction" });
  const plurals = new Intl.PluralRules(language);
  const calendarDay = new Intl.DateTimeFormat(language, {
    ...({ dateStyle: "medium", timeZone: "UTC" } as const),
  });
  let clock = clockOf(language, localZone());
  const decimal = new Intl.NumberFormat(language, {
    maximumFractionDigits: 2,
  });
  const twoDigits = new Intl.NumberFormat(language, {
    ...{ minimumFractionDigits: 2, maximumFractionDigits: 2 },
  });
  const timeOfDay = new Intl.DateTimeFormat(language, {
    ...({ timeStyle: "short", timeZone: "UTC" } as const),
  });
  const percent = new Intl.NumberFormat(language, { style: "percent" });
  const seconds = timeUnit(language, "second");
  const minutes = timeUnit(language, "minute");
  const hours = timeUnit(language, "hour");
  const sizes = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"].map(
    (name, index) => unit(language, name, index > 1 ? 1 : 0),
  );

  return {
    count: (value) => number.format(value),
    size: (bytes) => {
      let index = 0;
      let rest = bytes;
      // 999.5 would be formatted as 1,000.
      while (rest >= 999.5 && index < sizes.length - 1) {
        rest /= 1000;
        index += 1;
      }
      return sizes[index]?.format(rest) ?? number.format(bytes);
    },
    length: (value) => {
      const rounded = Math.round(value);
      const parts: string[] = [];
      if (rounded >= 3600) parts.push(hours.format(Math.floor(rounded / 3600)));
      const rest = rounded % 3600;
      if (rest >= 60) parts.push(minutes.format(Math.floor(rest / 60)));
      if (rest % 60 > 0 || parts.length === 0)
        parts.push(seconds.format(rest % 60));
      return parts.join(" ");
    },
    countdown,
    day: (moment) => clock.day.format(moment),
    time: (moment) => clock.time.format(moment),
    moment: (moment) => clock.moment.format(moment),
    goBy: (requestedZone) => {
      const zone = requestedZone === "" ? localZone() : requestedZone;
      if (zone !== clock.zone) clock = clockOf(language, zone);
    },
    clock: (moment) => clock.clock.format(moment),
    timeOfDay: (timeMs) => timeOfDay.format(timeMs),
    dayAndTime: (moment) => clock.dayAndTime.format(moment),
    near: (moment) =>
      clock.day.format(moment) === clock.day.format(Date.now())
        ? clock.clock.format(moment)
        : clock.dayAndTime.format(moment),
    clockIn: (moment, timeZone) =>
      new Intl.DateTimeFormat(language, {
        timeStyle: "short",
        timeZone,
      }).format(moment),
    decimal: (value) => decimal.format(value),
    twoDigits: (value) => twoDigits.format(value),
    percent: (share) => percent.format(share),
    days: (from, to) => clock.day.formatRange(from, to),
    calendarDay: (midnight) => calendarDay.format(midnight),
    calendarDays: (from, to) => calendarDay.formatRange(from, to),
    list: (things) => lists.format(things),
    alternatives: (things) => alternatives.format(things),
    plural: (value) => plurals.select(value),
    keys: (pressed) => keysIn(language, pressed),
  };
}

/** Formats moments in the time zone given. */
function clockOf(language: string, zone: string) {
  const time = hoursAndMinutes(language);
  const isLocalZone = zone === localZone();
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, {
      ...{ ...options, timeZone: zone },
      ...(!isLocalZone && { timeZoneName: "short" }),
    });
  const styled = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: zone });
  return {
    zone,
    day: styled({ dateStyle: "medium" }),
    // The long style names the zone.
    time: styled({ timeStyle: isLocalZone ? "medium" : "long" }),
    // A style would add the seconds along with the zone's name.
    moment: isLocalZone
      ? styled({ dateStyle: "medium", timeStyle: "short" })
      : format({
          ...({ day: "numeric", month: "short", year: "numeric" } as const),
          ...time,
        }),
    clock: format(time),
    dayAndTime: format({
      ...({ weekday: "short", day: "numeric", month: "short" } as const),
      ...time,
    }),
  };
}

function localZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The resolution of a display, never broken across two lines. */
export function displaySize(width: number, height: number): string {
  return `${width}\u00a0×\u00a0${height}`;
}

/** "07:00", but "7:00 AM" where the language uses a 12-hour clock: as it formats times alone. */
export function hoursAndMinutes(language: string) {
  const clock = new Intl.DateTimeFormat(language, { hour: "numeric" });
  const is24Hour = clock.resolvedOptions().hourCycle?.startsWith("h2") ?? false;
  const hour = is24Hour ? "2-digit" : "numeric";
  return { hour, minute: "2-digit" } as const;
}

/** By language without its region, what it calls something. */
type NamesByLanguage = Readonly<
  Record<string, Readonly<Record<string, string>>>
>;

function namesIn(language: string, names: NamesByLanguage) {
  return names[language.toLowerCase().split("-")[0] ?? ""] ?? {};
}

/** Key names that differ from English; the player itself writes and reads the English names. */
const keyNames: NamesByLanguage = {
  de: {
    ...{
      Ctrl: "Strg",
      Shift: "Umschalt",
      Enter: "Eingabe",
      Space: "Leertaste",
    },
    ...{ Insert: "Einfg", Home: "Pos1", End: "Ende", Super: "Windows" },
    ...{ PageUp: "Bild auf", PageDown: "Bild ab", Up: "Auf", Down: "Ab" },
    ...{ Left: "Links", Right: "Rechts" },
  },
};

function keysIn(language: string, pressed: string): string {
  const named = namesIn(language, keyNames);
  return pressed
    .replace("mod", "Ctrl")
    .split("+")
    .map((key) => named[key] ?? key)
    .join("+");
}

/**
 * The international symbols, for a language whose own short forms would write "1h 30 Min.": two styles in one duration, and
 * two full stops where it ends a sentence.
 */
const timeSymbols: NamesByLanguage = {
  de: { hour: "h", minute: "min", second: "s" },
};

function timeUnit(
  language: string,
  name: "hour" | "minute" | "second",
): Pick<Intl.NumberFormat, "format"> {
  const symbol = namesIn(language, timeSymbols)[name];
  if (symbol === undefined) return unit(language, name, 0, "narrow");
  const number = new Intl.NumberFormat(language);
  return { format: (value) => `${number.format(value)}\u00a0${symbol}` };
}

function unit(
  language: string,
  name: string,
  maximumFractionDigits: number,
  unitDisplay: "short" | "narrow" = "short",
): Intl.NumberFormat {
  return new Intl.NumberFormat(language, {
    style: "unit",
    unit: name,
    unitDisplay,
    maximumFractionDigits,
  });
}

function countdown(value: number): string {
  const rounded = Math.max(0, Math.ceil(value));
  const two = (part: number) => String(part).padStart(2, "0");
  const hours = Math.floor(rounded / 3600);
  const minutes = Math.floor((rounded % 3600) / 60);
  return hours > 0
    ? `${hours}:${two(minutes)}:${two(rounded % 60)}`
    : `${minutes}:${two(rounded % 60)}`;
}
