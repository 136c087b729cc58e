// JSON as it lies in a row: whatever somebody wrote there, reading it breaks nothing.

export function jsonFrom(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
