// Normalises the name of a requested time zone to its spelling in the time zone database (V4-50).

/** The name as spelled in the time zone database, from any case; null for an unknown one. */
export function zoneNamed(name: string): string | null {
  try {
    // An offset is not a zone, although Intl accepts it as one.
    return /^[+-]/.test(name)
      ? null
      : new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions()
          .timeZone;
  } catch {
    return null;
  }
}
