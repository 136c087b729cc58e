// Parses a form (application/x-www-form-urlencoded) into fields, decoding each in pieces (V4-315).

import {
  charactersInPiece,
  type PieceByPiece,
} from "../../platform/text/incremental.ts";
import { bodyLimits } from "./body-limits.ts";

export interface FormField {
  readonly name: string;
  /** Null where there is no `=`. */
  readonly value: string | null;
}

/** Values are still encoded; `tooMany` creates the error for a form with too many fields. */
export function fieldsOfForm(
  text: string,
  tooMany: (sentence: string) => Error,
): readonly FormField[] {
  const parts = text.split("&", bodyLimits.formFields + 1);
  if (parts.length > bodyLimits.formFields)
    throw tooMany(`A form may have at most ${bodyLimits.formFields} fields.`);
  return parts.map((part) => {
    const equals = part.indexOf("=");
    return equals < 0
      ? { name: part, value: null }
      : { name: part.slice(0, equals), value: part.slice(equals + 1) };
  });
}

/** `decode` receives parts whose decoded concatenation equals the decoded whole. */
export function* decodedInPieces(
  text: string,
  decode: (part: string) => string,
): PieceByPiece<string> {
  if (text.length <= charactersInPiece) return decode(text);
  const parts: string[] = [];
  for (let from = 0; from < text.length;) {
    const to = cutBefore(text, from + charactersInPiece);
    parts.push(decode(text.slice(from, to)));
    from = to;
    yield;
  }
  return parts.join("");
}

/** The last position up to `at` that splits neither an escape nor a character. */
function cutBefore(text: string, at: number): number {
  if (at >= text.length) return text.length;
  if (isLowSurrogate(text.charCodeAt(at))) return at - 1;
  const ofEscape = [at - 1, at - 2].find((each) => byteAt(text, each) !== null);
  const start = ofEscape ?? at;
  let first = start;
  // A character has at most three bytes after its first.
  for (let behind = 0; behind < 3; behind += 1)
    if (isInside(byteAt(text, first)) && byteAt(text, first - 3) !== null)
      first -= 3;
  return isInside(byteAt(text, first)) ? start : first;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}

/** The byte escaped at this position. */
function byteAt(text: string, at: number): number | null {
  const escape = text.slice(at, at + 3);
  return /^%[0-9a-f]{2}$/i.test(escape) ? parseInt(escape.slice(1), 16) : null;
}

/** A UTF-8 continuation byte, with which no character begins. */
function isInside(byte: number | null): boolean {
  return byte !== null && byte >= 0x80 && byte < 0xc0;
}
