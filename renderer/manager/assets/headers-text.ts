// Request headers as text: a name, a colon and a value per line. Pure.

import { mergeEntries } from "../undo/three-way-merge.ts";

export function showHeaderLines(
  headers: Readonly<Record<string, string>>,
): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

/** Null for text that is not a list of headers. */
export function readHeaderLines(
  text: string,
): Readonly<Record<string, string>> | null {
  const headers: Record<string, string> = {};
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).trim();
    if (colon === -1 || name === "") return null;
    headers[name] = line.slice(colon + 1).trim();
  }
  return headers;
}

/** Merges both changes of `base` line by line; null where both changed the same line differently. */
export function mergeHeaderLines(
  base: string,
  mine: string,
  theirs: string,
): string | null {
  const [was, here, there] = [base, mine, theirs].map(linesByName);
  if (!was || !here || !there) return null;
  const { entries, conflicts } = mergeEntries(was, here, there);
  return conflicts.length > 0
    ? null
    : showHeaderLines(Object.fromEntries(entries.values()));
}

/** Header names are case-insensitive. */
function linesByName(
  text: string,
): ReadonlyMap<string, readonly [string, string]> | null {
  const headers = readHeaderLines(text);
  return (
    headers &&
    new Map(
      Object.entries(headers).map(([name, value]) => [
        name.toLowerCase(),
        [name, value],
      ]),
    )
  );
}
