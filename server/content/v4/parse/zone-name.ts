// The name of a zone that a client wishes for, as the time zone database spells it (V4-50).

/** A name of the time zone database as it is spelled there, in whatever case it is given; null for another. */
export function zoneNamed(name: string): string | null {
  try {
    // An offset is no zone, though the language takes it for one.
    return /^[+-]/.test(name)
      ? null
      : new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions()
          .timeZone;
  } catch {
    return null;
  }
}
