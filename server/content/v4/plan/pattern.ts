// Translates regular expressions: only the subset with the same meaning in both databases, spelled the same for both.

import { limits } from "../parse/request-limits.ts";
import { refusedValue, tooComplex } from "../../http/v4-errors.ts";

/** Each repetition of a character costs a step per character of the text; more is an attack, not a search. */
const maxSteps = 200;

interface Reader {
  readonly text: string;
  readonly isCaseIgnored: boolean;
  at: number;
}

/**
 * Literals, `.`, classes, groups, alternatives, repetition, `^` and `$` (V4-18). Backreferences, lookaround and word
 * boundaries are rejected: one of the databases lacks them, or gives them another meaning.
 */
export function commonPattern(text: string, isCaseIgnored: boolean): string {
  if (text.length > limits.patternLength)
    throw tooComplex(
      `A pattern may have at most ${limits.patternLength} characters.`,
    );
  const reader: Reader = { text, isCaseIgnored, at: 0 };
  const parsed = alternatives(reader, 0);
  if (reader.at < text.length) throw invalid("parentheses () not balanced");
  if (parsed.size > maxSteps)
    throw tooComplex("The pattern has too many repetitions.");
  return parsed.text;
}

interface Piece {
  readonly text: string;
  /** Approximate number of states needed for matching. */
  readonly size: number;
}

function alternatives(reader: Reader, depth: number): Piece {
  if (depth > limits.logicDepth)
    throw tooComplex("The pattern is nested too deeply.");
  const branches = [sequence(reader, depth)];
  while (reader.text[reader.at] === "|") {
    reader.at += 1;
    branches.push(sequence(reader, depth));
  }
  return {
    text: branches.map(({ text }) => text).join("|"),
    size: branches.reduce((sum, { size }) => sum + size, 0),
  };
}

function sequence(reader: Reader, depth: number): Piece {
  let text = "";
  let size = 1;
  while (
    reader.at < reader.text.length &&
    !/[|)]/.test(currentCharacter(reader))
  ) {
    const piece = repeated(reader, depth);
    text += piece.text;
    size += piece.size;
  }
  return { text, size };
}

function currentCharacter(reader: Reader): string {
  const code = reader.text.codePointAt(reader.at);
  return code === undefined ? "" : String.fromCodePoint(code);
}

function next(reader: Reader): string {
  const character = currentCharacter(reader);
  reader.at += character.length;
  return character;
}

function repeated(reader: Reader, depth: number): Piece {
  const piece = atom(reader, depth);
  const sticky = /\*|\+|\?|\{(\d+)(?:(,)(\d*))?\}/y;
  sticky.lastIndex = reader.at;
  const match = sticky.exec(reader.text);
  if (!match) return piece;
  reader.at += match[0].length;
  if (piece.text === "^" || piece.text === "$")
    throw invalid("quantifier operand invalid");
  // A question mark after it changes only which match is found, not whether there is one.
  if (reader.text[reader.at] === "?") reader.at += 1;
  if (/^[*+?{]/.test(reader.text.slice(reader.at)))
    throw invalid("quantifier operand invalid");
  if (match[1] === undefined)
    return { text: piece.text + match[0], size: piece.size };
  const from = Number(match[1]);
  const to = match[2] ? (match[3] ? Number(match[3]) : from) : from;
  if (to < from) throw invalid("invalid repetition count(s)");
  const size = piece.size * Math.max(to, 1);
  if (size > maxSteps)
    throw tooComplex("The pattern has too many repetitions.");
  return { text: piece.text + match[0], size };
}

function atom(reader: Reader, depth: number): Piece {
  const character = next(reader);
  switch (character) {
    case "(": {
      if (reader.text.startsWith("?:", reader.at)) reader.at += 2;
      else if (currentCharacter(reader) === "?")
        throw invalid("lookaround and options are not supported");
      const inside = alternatives(reader, depth + 1);
      if (next(reader) !== ")") throw invalid("parentheses () not balanced");
      return { text: `(?:${inside.text})`, size: inside.size };
    }
    case "[":
      return { text: bracket(reader), size: 1 };
    case ".":
    case "^":
    case "$":
      return { text: character, size: 1 };
    case "\\":
      return { text: escaped(reader), size: 1 };
    case "*":
    case "+":
    case "?":
      throw invalid("quantifier operand invalid");
    case "{":
      if (/^\d/.test(reader.text.slice(reader.at)))
        throw invalid("quantifier operand invalid");
      return { text: literal(reader, character), size: 1 };
    default:
      return { text: literal(reader, character), size: 1 };
  }
}

/** Letters that differ only in case are spelled out, so that the result does not depend on an engine's own table. */
function literal(reader: Reader, character: string): string {
  const spellings = spellingsOf(reader, character);
  return spellings.length === 1
    ? quoted(character)
    : `[${spellings.map(quoted).join("")}]`;
}

function spellingsOf(reader: Reader, character: string): readonly string[] {
  if (!reader.isCaseIgnored) return [character];
  const all = [character, character.toLowerCase(), character.toUpperCase()];
  return [...new Set(all)].filter((each) => [...each].length === 1);
}

function quoted(character: string): string {
  return /[[\](){}.*+?^$|\\-]/.test(character) ? `\\${character}` : character;
}

const classes: Readonly<Record<string, string>> = {
  d: "0-9",
  w: "0-9A-Za-z_",
  s: " \\t\\n\\r\\f\\v",
};

const controls: Readonly<Record<string, string>> = {
  t: "\\t",
  n: "\\n",
  r: "\\r",
  f: "\\f",
  v: "\\v",
};

function escaped(reader: Reader): string {
  const character = next(reader);
  const members = classes[character.toLowerCase()];
  if (members !== undefined)
    return character === character.toLowerCase()
      ? `[${members}]`
      : `[^${members}]`;
  const control = controls[character];
  if (control !== undefined) return control;
  if (character === "" || /[\p{L}\p{N}]/u.test(character))
    throw invalid("invalid escape \\ sequence");
  return literal(reader, character);
}

function bracket(reader: Reader): string {
  const isNegated = currentCharacter(reader) === "^";
  if (isNegated) reader.at += 1;
  let members = "";
  for (let isFirst = true; ; isFirst = false) {
    if (currentCharacter(reader) === "]" && !isFirst) break;
    if (currentCharacter(reader) === "")
      throw invalid("brackets [] not balanced");
    members += member(reader);
  }
  reader.at += 1;
  return `[${isNegated ? "^" : ""}${members}]`;
}

const named: Readonly<Record<string, string>> = {
  alpha: "A-Za-z",
  digit: "0-9",
  alnum: "0-9A-Za-z",
  upper: "A-Z",
  lower: "a-z",
  space: " \\t\\n\\r\\f\\v",
  xdigit: "0-9A-Fa-f",
};

function member(reader: Reader): string {
  const sticky = /\[:([a-z]+):\]/y;
  sticky.lastIndex = reader.at;
  const match = sticky.exec(reader.text);
  if (match) {
    const members = named[match[1] ?? ""];
    if (members === undefined) throw invalid("invalid character class");
    reader.at += match[0].length;
    return reader.isCaseIgnored && /^(upper|lower)$/.test(match[1] ?? "")
      ? "A-Za-z"
      : members;
  }
  const first = single(reader);
  if (first.length > 1) return first.join("");
  const [from = ""] = first;
  const isRange =
    currentCharacter(reader) === "-" &&
    !/^-?\]/.test(reader.text.slice(reader.at));
  if (!isRange) return spellingsOf(reader, from).map(quoted).join("");
  reader.at += 1;
  const [to = ""] = single(reader);
  if ((to.codePointAt(0) ?? 0) < (from.codePointAt(0) ?? 0))
    throw invalid("invalid character range");
  return rangeText(reader, from, to);
}

/** One character, or several pieces of text where an escape stands for a class. */
function single(reader: Reader): readonly string[] {
  const character = next(reader);
  if (character !== "\\") return [character];
  const name = next(reader);
  const members = classes[name];
  if (members !== undefined) return [members, ""];
  const control = controls[name];
  if (control !== undefined) return [control, ""];
  if (name === "" || /[\p{L}\p{N}]/u.test(name))
    throw invalid("invalid escape \\ sequence");
  return [name];
}

function rangeText(reader: Reader, from: string, to: string): string {
  const range = `${quoted(from)}-${quoted(to)}`;
  if (!reader.isCaseIgnored) return range;
  const part = (low: string, high: string, shift: number): string => {
    const start = Math.max(code(from), code(low));
    const end = Math.min(code(to), code(high));
    return start > end
      ? ""
      : `${String.fromCodePoint(start + shift)}-${String.fromCodePoint(end + shift)}`;
  };
  return range + part("a", "z", -32) + part("A", "Z", 32);
}

function code(character: string): number {
  return character.codePointAt(0) ?? 0;
}

function invalid(message: string): Error {
  return refusedValue("2201B", `invalid regular expression: ${message}`);
}
