// JSON read without loss: numbers stay their digits, keys are plain data, and equal values are written alike.

/** A number as decimal digits, without exponent, as long as it was sent. */
export class JsonNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }
}

export type Json =
  | null
  | boolean
  | string
  | JsonNumber
  | readonly Json[]
  | ReadonlyMap<string, Json>;

export type JsonFault = "syntax" | "depth" | "values" | "number" | "character";

export class JsonError extends Error {
  readonly fault: JsonFault;
  readonly position: number;

  constructor(fault: JsonFault, position: number, message: string) {
    super(message);
    this.name = "JsonError";
    this.fault = fault;
    this.position = position;
  }
}

export function isJsonObject(json: Json): json is ReadonlyMap<string, Json> {
  return json instanceof Map;
}

export function isJsonArray(json: Json): json is readonly Json[] {
  return Array.isArray(json);
}

/** A number spelt out longer than this is no number anybody counts with. */
const longestNumber = 1000;

/** Longer than any that was ever taken, an exponent of it spelt out. */
const longestStored = 10 * longestNumber;

/** What was stored was judged when it came, by whatever bounds there were then. */
export function readStoredJson(text: string, deepest = Infinity): Json {
  return readJson(text, deepest, longestStored);
}

/** `mostValues`: of all levels together, since a value costs more than its letters do. */
export function readJson(
  text: string,
  deepest: number,
  longest = longestNumber,
  mostValues = Infinity,
): Json {
  let at = 0;
  let values = 0;

  const fail = (fault: JsonFault, message: string): never => {
    throw new JsonError(fault, at, message);
  };
  const skipBlanks = (): void => {
    for (;;) {
      const code = text.charCodeAt(at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
      at += 1;
    }
  };
  const expect = (character: string): void => {
    if (text[at] !== character) fail("syntax", `"${character}" is missing`);
    at += 1;
  };

  function value(depth: number): Json {
    values += 1;
    if (values > mostValues)
      fail("values", `The JSON has more than ${mostValues} values`);
    skipBlanks();
    const character = text[at];
    if (character === '"') return string();
    if (character === "{" || character === "[") {
      if (depth >= deepest) fail("depth", "The JSON is nested too deeply");
      return character === "{" ? object(depth + 1) : array(depth + 1);
    }
    return word("true", true) ?? word("false", false) ?? nullOrNumber();
  }

  function word<T>(spelling: string, meaning: T): T | undefined {
    if (!text.startsWith(spelling, at)) return undefined;
    at += spelling.length;
    return meaning;
  }

  function nullOrNumber(): null | JsonNumber {
    if (text.startsWith("null", at)) {
      at += 4;
      return null;
    }
    numberPattern.lastIndex = at;
    const found = numberPattern.exec(text);
    if (!found) return fail("syntax", "A value is missing");
    const digits = spelledOut(found[0], longest);
    if (digits === null) return fail("number", "The number is too long");
    at += found[0].length;
    return new JsonNumber(digits);
  }

  function string(): string {
    const start = at;
    let hasEscapes = false;
    for (at += 1; ; at += 1) {
      const code = text.charCodeAt(at);
      if (code === 34) break;
      if (code === 92) {
        hasEscapes = true;
        at += 1;
      } else if (code < 32 || Number.isNaN(code))
        fail("syntax", "A text does not end");
    }
    at += 1;
    const found = hasEscapes
      ? unescaped(text.slice(start, at))
      : text.slice(start + 1, at - 1);
    if (!isStorable(found))
      fail("character", "A text has a character that cannot be stored");
    return found;
  }

  function unescaped(literal: string): string {
    try {
      return JSON.parse(literal) as string;
    } catch {
      return fail("syntax", "A text is escaped wrongly");
    }
  }

  function array(depth: number): readonly Json[] {
    const items: Json[] = [];
    at += 1;
    skipBlanks();
    if (text[at] === "]") {
      at += 1;
      return items;
    }
    for (;;) {
      items.push(value(depth));
      skipBlanks();
      if (text[at] !== ",") break;
      at += 1;
    }
    expect("]");
    return items;
  }

  function object(depth: number): ReadonlyMap<string, Json> {
    const members = new Map<string, Json>();
    at += 1;
    skipBlanks();
    if (text[at] === "}") {
      at += 1;
      return members;
    }
    for (;;) {
      skipBlanks();
      if (text[at] !== '"') fail("syntax", "A key is missing");
      const key = string();
      skipBlanks();
      expect(":");
      members.set(key, value(depth));
      skipBlanks();
      if (text[at] !== ",") break;
      at += 1;
    }
    expect("}");
    return members;
  }

  const json = value(0);
  skipBlanks();
  if (at < text.length) fail("syntax", "Something follows the JSON");
  return json;
}

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** A database keeps neither NUL nor half a character. */
export function isStorable(text: string): boolean {
  return !/[\0\p{Cs}]/u.test(text);
}

/** Without exponent and negative zero, as PostgreSQL keeps it; null where that is too long. */
function spelledOut(literal: string, longest: number): string | null {
  const [mantissa = "", exponentText] = literal.split(/[eE]/);
  const exponent = Number(exponentText ?? 0);
  if (Math.abs(exponent) > longest) return null;
  const isNegative = mantissa.startsWith("-");
  const [whole = "", fraction = ""] = mantissa
    .slice(isNegative ? 1 : 0)
    .split(".");
  const all = whole + fraction;
  const point = whole.length + exponent;
  const front = all
    .slice(0, Math.max(point, 0))
    .padEnd(Math.max(point, 0), "0");
  const back = point < 0 ? "0".repeat(-point) + all : all.slice(point);
  const digits = `${front.replace(/^0+(?=\d)/, "") || "0"}${back ? `.${back}` : ""}`;
  if (digits.length > longest) return null;
  return isNegative && /[1-9]/.test(digits) ? `-${digits}` : digits;
}

/** One spelling for equal values: keys by length, then by bytes; spaces as PostgreSQL writes them. */
export function writeJson(json: Json): string {
  if (json === null || typeof json === "boolean") return String(json);
  if (typeof json === "string") return JSON.stringify(json);
  if (json instanceof JsonNumber) return json.digits;
  if (isJsonArray(json)) return `[${json.map(writeJson).join(", ")}]`;
  return `{${sortedMembers(json)
    .map(([key, value]) => `${JSON.stringify(key)}: ${writeJson(value)}`)
    .join(", ")}}`;
}

/** As it was sent, without blanks: the members in their own order. */
export function writeJsonInOrder(json: Json): string {
  if (isJsonArray(json)) return `[${json.map(writeJsonInOrder).join(",")}]`;
  if (!isJsonObject(json)) return writeJson(json);
  return `{${[...json].map(([key, value]) => `${JSON.stringify(key)}:${writeJsonInOrder(value)}`).join(",")}}`;
}

export function sortedMembers(
  json: ReadonlyMap<string, Json>,
): readonly (readonly [string, Json])[] {
  if (json.size < 2) return [...json];
  return [...json]
    .map(([key, value]) => ({ bytes: Buffer.from(key), key, value }))
    .sort(
      (a, b) =>
        a.bytes.length - b.bytes.length || Buffer.compare(a.bytes, b.bytes),
    )
    .map(({ key, value }) => [key, value] as const);
}
