// CSV both ways: a body as rows, and rows as an answer.

import {
  isJsonObject,
  JsonNumber,
  readStoredJson,
  writeJson,
  type Json,
} from "../../platform/json-text.ts";
import { limits } from "./limits.ts";
import { badBody, tooComplex } from "./refusal.ts";

/** The first line names the columns; the bare word NULL is null, nothing at all is the empty text. */
export function parseCsv(text: string): readonly ReadonlyMap<string, Json>[] {
  const [names, ...lines] = linesOf(text).filter((line) => !isEmpty(line));
  if (!names)
    throw badBody("The CSV has no line with the names of the columns");
  return lines.map((line) => {
    if (line.length !== names.length)
      throw badBody("All lines must have same number of fields");
    return new Map(
      names.map((name, at) => [name.text, valueOf(line[at])] as const),
    );
  });
}

interface Field {
  readonly text: string;
  readonly isQuoted: boolean;
}

/** Spreadsheets and editors leave empty lines at the end; an empty text of its own stands in quotes. */
function isEmpty([first, ...others]: readonly Field[]): boolean {
  return others.length === 0 && first?.text === "" && !first.isQuoted;
}

function valueOf(field: Field | undefined): Json {
  if (!field) return null;
  return field.text === "NULL" && !field.isQuoted ? null : field.text;
}

function linesOf(text: string): readonly (readonly Field[])[] {
  const lines: Field[][] = [];
  const pattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;
  let line: Field[] = [];
  let fields = 0;
  while (pattern.lastIndex < text.length || line.length > 0) {
    const found = pattern.exec(text);
    if (!found) throw badBody("The CSV has a quote in the wrong place");
    fields += 1;
    if (fields > limits.jsonValues)
      throw tooComplex(`A body takes ${limits.jsonValues} values.`);
    const [, quoted, plain, end] = found;
    line.push({
      text: quoted?.replaceAll('""', '"') ?? plain ?? "",
      isQuoted: quoted !== undefined,
    });
    if (end === ",") continue;
    lines.push(line);
    line = [];
    if (end === "") break;
  }
  return lines;
}

/** The names of the columns, from the first row. */
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
