// Error sentences about a field: `duration must be a whole number from 0 to 10; got "abc"`.

/** Puts the field's name in front: `name is required`, `items[2].name is required`. */
export function sentenceFor(field: string, sentence: string): string {
  return /^[[.]/.test(sentence)
    ? `${field}${sentence}`
    : `${field} ${sentence}`;
}

const maxQuoted = 60;

/** The offending value as the end of a sentence: `; got "abc"`. */
export function got(raw: unknown): string {
  if (raw === undefined) return "";
  if (raw === null) return "; got null";
  if (Array.isArray(raw)) return "; got an array";
  if (typeof raw === "number" || typeof raw === "boolean")
    return `; got ${raw}`;
  if (typeof raw !== "string") return `; got an ${typeof raw}`;
  return raw.length > maxQuoted
    ? `; got ${JSON.stringify(`${raw.slice(0, maxQuoted)}…`)}`
    : `; got ${JSON.stringify(raw)}`;
}

/** The sentence without what `got` added. */
export function withoutValue(sentence: string): string {
  const end = sentence.indexOf("; got ");
  return end === -1 ? sentence : sentence.slice(0, end);
}
