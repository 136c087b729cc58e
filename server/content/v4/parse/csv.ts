// CSV parsing and writing: a body as rows, and rows as an answer.

import {
  charactersInPiece,
  type PieceByPiece,
} from "../../../platform/text/incremental.ts";
import {
  isJsonObject,
  JsonNumber,
  readStoredJson,
  writeJson,
  type Json,
} from "../../../platform/text/json-text.ts";
import { limits } from "./request-limits.ts";
import { badBody, tooComplex } from "../../http/v4-errors.ts";

/** The first line names the columns; the bare word NULL is null, an empty field is the empty text. */
export function* parseCsv(
  text: string,
): PieceByPiece<readonly ReadonlyMap<string, Json>[]> {
  const rows: ReadonlyMap<string, Json>[] = [];
  let names: Line | null = null;
  for (const line of linesOf(text)) {
    if (line === null) yield;
    else if (isEmpty(line)) continue;
    else if (names === null) names = line;
    else rows.push(rowOf(names, line));
  }
  if (names === null)
    throw badBody("The CSV has no header line with column names");
  return rows;
}

function rowOf(names: Line, line: Line): ReadonlyMap<string, Json> {
  if (line.length !== names.length)
    throw badBody("All lines must have same number of fields");
  return new Map(
    names.map((name, at) => [name.text, valueOf(line[at])] as const),
  );
}

interface Field {
  readonly text: string;
  readonly isQuoted: boolean;
}

type Line = readonly Field[];

/** Spreadsheets and editors leave empty lines at the end; a row with one empty text has it in quotes. */
function isEmpty([first, ...others]: Line): boolean {
  return others.length === 0 && first?.text === "" && !first.isQuoted;
}

function valueOf(field: Field | undefined): Json {
  if (!field) return null;
  return field.text === "NULL" && !field.isQuoted ? null : field.text;
}

/** Yields null to let other requests run. */
function* linesOf(text: string): Generator<Line | null, void> {
  let at = 0;
  let pauseAt = charactersInPiece;
  let fields = 0;
  let line: Field[] = [];

  function* pause(): Generator<null, void> {
    yield null;
    pauseAt = at + charactersInPiece;
  }

  /** Starts after the opening quote. */
  function* quotedText(): Generator<null, string> {
    const parts: string[] = [];
    let from = at;
    for (;;) {
      if (text.charCodeAt(at) !== quoteCode) at += 1;
      else if (text.charCodeAt(at + 1) === quoteCode) at += 2;
      else break;
      if (at > text.length) throw misplacedQuote();
      if (at < pauseAt) continue;
      parts.push(unescaped(from, at));
      from = at;
      yield* pause();
    }
    parts.push(unescaped(from, at));
    at += 1;
    return parts.join("");
  }

  function unescaped(from: number, to: number): string {
    return text.slice(from, to).replaceAll('""', '"');
  }

  function* plainText(): Generator<null, string> {
    const from = at;
    while (at < text.length && !endsPlainText(text.charCodeAt(at))) {
      at += 1;
      if (at >= pauseAt) yield* pause();
    }
    return text.slice(from, at);
  }

  /** Returns whether the field is the last of its line. */
  function skipFieldEnd(): boolean {
    const [end] = [",", "\n", "\r\n"].filter((each) =>
      text.startsWith(each, at),
    );
    if (end === undefined && at < text.length) throw misplacedQuote();
    at += end?.length ?? 0;
    return end !== ",";
  }

  while (at < text.length || line.length > 0) {
    fields += 1;
    if (fields > limits.jsonValues)
      throw tooComplex(`A body may have at most ${limits.jsonValues} values.`);
    const isQuoted = text[at] === '"';
    if (isQuoted) at += 1;
    const field = isQuoted ? yield* quotedText() : yield* plainText();
    line.push({ text: field, isQuoted });
    if (skipFieldEnd()) {
      yield line;
      line = [];
    }
    if (at >= pauseAt) yield* pause();
  }
}

const quoteCode = 34;

/** A quote, a comma, or one of the two line breaks. */
function endsPlainText(code: number): boolean {
  return code === quoteCode || code === 44 || code === 10 || code === 13;
}

function misplacedQuote(): Error {
  return badBody("The CSV has a quote in the wrong place");
}

/** The header line, from the first row. */
export function csvHead(row: string): string {
  const json = readStoredJson(row);
  return isJsonObject(json)
    ? `${[...json.keys()].map(quoted).join(",")}\n`
    : "";
}

/** A row's JSON as a line, in PostgreSQL's spelling of values (V4-36). */
export function csvLine(row: string): string {
  const json = readStoredJson(row);
  return isJsonObject(json)
    ? `${[...json.values()].map(fieldOf).join(",")}\n`
    : "";
}

function fieldOf(json: Json): string {
  if (json === null) return "";
  if (typeof json === "boolean") return json ? "t" : "f";
  if (json instanceof JsonNumber) return json.digits;
  return quoted(typeof json === "string" ? json : writeJson(json));
}

function quoted(text: string): string {
  return text === "" || /[\s",()\\]/.test(text)
    ? `"${text.replaceAll('"', '""')}"`
    : text;
}
