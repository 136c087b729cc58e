// Request headers as people write them: a name, a colon and a value to a line. Pure.

export function showHeaderLines(
  headers: Readonly<Record<string, string>>,
): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

/** Null for what is none. */
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
