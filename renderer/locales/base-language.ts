// The language without its region.

/** `de-AT` returns `de`. */
export function baseOf(language: string): string {
  return language.toLowerCase().split("-")[0] ?? "en";
}
