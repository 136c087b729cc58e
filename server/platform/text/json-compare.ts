// Compares JSON values, and tests containment, as PostgreSQL's jsonb does.

import {
  isJsonArray,
  isJsonObject,
  JsonNumber,
  sortedMembers,
  writeJson,
  type Json,
} from "./json-text.ts";

const rank = {
  emptyArray: 0,
  null: 1,
  string: 2,
  number: 3,
  false: 4,
  true: 5,
  array: 6,
  object: 7,
} as const;

/** Sort key: bytes that compare as the values do; equal only for equal values. */
export function sortKeyOf(json: Json): Buffer {
  // An empty top-level array sorts before everything: a quirk that clients may know.
  if (isJsonArray(json) && json.length === 0)
    return Buffer.from([rank.emptyArray]);
  const parts: Buffer[] = [];
  addKey(json, parts);
  return Buffer.concat(parts);
}

function addKey(json: Json, parts: Buffer[]): void {
  if (json === null) parts.push(Buffer.from([rank.null]));
  else if (typeof json === "boolean")
    parts.push(Buffer.from([json ? rank.true : rank.false]));
  else if (typeof json === "string") addText(rank.string, json, parts);
  else if (json instanceof JsonNumber)
    parts.push(Buffer.from([rank.number]), numberKey(json.digits));
  else if (isJsonArray(json)) {
    parts.push(Buffer.from([rank.array]), count(json.length));
    for (const item of json) addKey(item, parts);
  } else {
    parts.push(Buffer.from([rank.object]), count(json.size));
    for (const [key, value] of sortedMembers(json)) {
      addText(rank.string, key, parts);
      addKey(value, parts);
    }
  }
}

function addText(first: number, text: string, parts: Buffer[]): void {
  parts.push(Buffer.from([first]), Buffer.from(text), Buffer.from([0]));
}

function count(size: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(size);
  return bytes;
}

/** Sign, position of the decimal point, digits: inverted for negative numbers. */
function numberKey(digits: string): Buffer {
  const isNegative = digits.startsWith("-");
  const [whole = "", fraction = ""] = digits.replace("-", "").split(".");
  const all = whole + fraction;
  const significant = all.replace(/^0+/, "").replace(/(?<!0)0+$/, "");
  if (significant === "") return Buffer.from([2]);
  const leadingZeros = all.length - all.replace(/^0+/, "").length;
  const place = Buffer.alloc(2);
  place.writeUInt16BE(whole.length - leadingZeros + 0x4000);
  const body = Buffer.concat([
    place,
    Buffer.from(significant),
    Buffer.from([0]),
  ]);
  return isNegative
    ? Buffer.from([1, ...body.map((byte) => 255 - byte)])
    : Buffer.concat([Buffer.from([3]), body]);
}

function areEqual(a: Json, b: Json): boolean {
  return sortKeyOf(a).equals(sortKeyOf(b));
}

/** Everything in `part` is in `whole`; an array also contains a single value, only at the top level. */
export function contains(whole: Json, part: Json): boolean {
  if (isJsonArray(whole) && !isJsonArray(part) && !isJsonObject(part))
    return whole.some((item) => isScalar(item) && areEqual(item, part));
  return holds(whole, part);
}

function holds(whole: Json, part: Json): boolean {
  if (isJsonArray(whole) && isJsonArray(part))
    return part.every((expected) =>
      whole.some((item) => holds(item, expected)),
    );
  if (isJsonObject(whole) && isJsonObject(part))
    return [...part].every(([key, expected]) => {
      const value = whole.get(key);
      return value !== undefined && holds(value, expected);
    });
  return isScalar(whole) && isScalar(part) && areEqual(whole, part);
}

function isScalar(json: Json): boolean {
  return !isJsonArray(json) && !isJsonObject(json);
}

export type JsonStep = string | number;

/** The value at a path; undefined when there is none. */
export function at(json: Json, path: readonly JsonStep[]): Json | undefined {
  let value: Json | undefined = json;
  for (const step of path) {
    if (value === undefined) return undefined;
    if (typeof step === "number")
      value = isJsonArray(value) ? value.at(step) : undefined;
    else value = isJsonObject(value) ? value.get(step) : undefined;
  }
  return value;
}

/** A text as it is, null as nothing, everything else as JSON. */
export function textOf(json: Json | undefined): string | null {
  if (json === undefined || json === null) return null;
  return typeof json === "string" ? json : writeJson(json);
}
