// Predicate parser: text → tree, or what is wrong and where.

import {
  predicateFaultText,
  type Expected,
  type PredicateFault,
  type PredicateProblem,
  type Slip,
} from "./predicate-problem.ts";
import type {
  Literal,
  PredicateNode,
  Relation,
  TestNode,
  Variable,
} from "./predicate-tree.ts";
import { dayMs } from "../wall-clock.ts";

export interface PredicateReading {
  readonly tree: PredicateNode;
  /** Where AND and OR first meet without parentheses, which readers may understand in two ways; null if they do not. */
  readonly mixedAt: number | null;
}

/** In the published grammar AND and OR have the same precedence; everywhere else they do not. */
export type Precedence = "and-first" | "left-to-right";

/** Beyond these limits a predicate is rejected without further parsing. */
const maxCharacters = 4096;
const maxNesting = 100;

type Token =
  | { kind: "word" | "variable" | "symbol"; text: string; from: number }
  | { kind: "number"; text: string; from: number }
  | { kind: "end"; text: ""; from: number };

interface Term {
  readonly node: PredicateNode;
  /** Includes parentheses. */
  readonly from: number;
  readonly to: number;
}

/** Leaves the recursion; caught at the end of `readPredicate`. */
class Stop extends Error {
  readonly fault: PredicateFault;
  readonly position: number;
  constructor(fault: PredicateFault, position: number) {
    super(fault.kind);
    this.fault = fault;
    this.position = position;
  }
}

export function readPredicate(
  text: string,
  precedence: Precedence,
): PredicateReading | PredicateProblem {
  if (text.length > maxCharacters)
    return problemOf({ kind: "too-long", most: maxCharacters }, maxCharacters);
  try {
    return createParser(text, precedence).read();
  } catch (error) {
    if (error instanceof Stop) return problemOf(error.fault, error.position);
    throw error;
  }
}

function problemOf(fault: PredicateFault, position: number): PredicateProblem {
  return { message: predicateFaultText(fault), fault, position };
}

/** Characters that must not follow a word or a number directly. */
const runsOn = /[\p{L}\p{N}_.$]/u;
/** Operators of other languages, longer ones first. */
const slips: readonly Slip[] = ["!=", "<>", "==", "&&", "||", "!"];

function createParser(text: string, precedence: Precedence) {
  let at = 0;
  let mixedAt: number | null = null;
  let next = scan();
  /** Where the token before `next` ended. */
  let endOfLast = 0;

  function scan(): Token {
    while (isBlank(text.charCodeAt(at))) at += 1;
    const from = at;
    if (from === text.length) return { kind: "end", text: "", from };
    const first = text.charCodeAt(from);
    if (isLetter(first) || first === dollar) {
      const kind = first === dollar ? "variable" : "word";
      return { kind, text: run(isLetter).toUpperCase(), from };
    }
    if (isDigit(first) || (first === minus && isDigit(text.charCodeAt(at + 1))))
      return { kind: "number", text: run(isDigit), from };
    refuseSlips(from);
    const symbol = text[from] as string;
    if (!"<>=(){},".includes(symbol))
      throw new Stop({ kind: "meaningless", found: quoted(text, from) }, from);
    const isWide = (first === less || first === more) && text[at + 1] === "=";
    at += isWide ? 2 : 1;
    return { kind: "symbol", text: isWide ? `${symbol}=` : symbol, from };
  }

  /** The first character and all following ones of the same kind. */
  function run(isPart: (character: number) => boolean): string {
    const from = at;
    at += 1;
    while (isPart(text.charCodeAt(at))) at += 1;
    const written = text.slice(from, at);
    const behind = text.charCodeAt(at);
    // Signs and blanks need no further check.
    if (!Number.isNaN(behind) && !isBlank(behind)) refuseRunOn(written);
    return written;
  }

  function refuseRunOn(behind: string): void {
    const character = String.fromCodePoint(text.codePointAt(at) as number);
    if (runsOn.test(character))
      throw new Stop({ kind: "runs-on", found: character, behind }, at);
  }

  function refuseSlips(from: number): void {
    for (const slip of slips)
      if (text.startsWith(slip, from))
        throw new Stop({ kind: "slip", slip }, from);
  }

  function take(): Token {
    const taken = next;
    endOfLast = at;
    next = scan();
    return taken;
  }

  const is = (kind: Token["kind"], text: string): boolean =>
    next.kind === kind && next.text === text;

  function expect(symbol: string, expected: Expected): void {
    if (!is("symbol", symbol)) refuse(expected);
    take();
  }

  function refuse(expected: Expected): never {
    const tokenText = next.kind === "end" ? null : quoted(text, next.from);
    throw new Stop(
      { kind: "unexpected", found: tokenText, expected },
      next.from,
    );
  }

  const isEnd = (): boolean => next.kind === "end";

  function expression(depth: number): Term {
    const terms = [term(depth)];
    const joins: ("AND" | "OR")[] = [];
    while (
      next.kind === "word" &&
      (next.text === "AND" || next.text === "OR")
    ) {
      if (joins.length > 0 && joins[0] !== next.text) mixedAt ??= next.from;
      joins.push(next.text);
      take();
      terms.push(term(depth));
    }
    return precedence === "and-first"
      ? andFirst(terms, joins)
      : leftToRight(terms, joins);
  }

  function term(depth: number): Term {
    const { from } = next;
    const isNot = is("word", "NOT");
    if (isNot || is("symbol", "(")) {
      if (depth === maxNesting)
        throw new Stop({ kind: "too-deep", most: maxNesting }, from);
      take();
      if (isNot) {
        const { node: part, to } = term(depth + 1);
        return { node: { kind: "not", part, from, to }, from, to };
      }
      const { node } = expression(depth + 1);
      expect(")", "join-or-parenthesis");
      return { node, from, to: endOfLast };
    }
    const node = next.kind === "variable" ? testOf() : constant();
    return { node, from, to: node.to };
  }

  function constant(): PredicateNode {
    if (!is("word", "TRUE") && !is("word", "FALSE")) refuse("start");
    const { text: written, from } = take();
    return { kind: "constant", value: written === "TRUE", from, to: endOfLast };
  }

  function testOf(): TestNode {
    const { from, text: name } = next;
    if (name !== "$DATE" && name !== "$TIME" && name !== "$WEEKDAY")
      refuse("variable");
    const variable: Variable = name;
    take();
    if (is("word", "BETWEEN")) {
      const [least, most] = list(2);
      // Both exist: the length of the list was checked.
      const ends = { least: least as Literal, most: most as Literal };
      return { kind: "between", variable, ...ends, from, to: endOfLast };
    }
    if (is("word", "IN")) {
      const members = list(null);
      return { kind: "in", variable, members, from, to: endOfLast };
    }
    if (is("word", "NOT"))
      throw new Stop({ kind: "not-behind-variable" }, next.from);
    if (next.kind !== "symbol" || !isRelation(next.text)) refuse("relation");
    const relation = next.text;
    take();
    const literal = number();
    return {
      kind: "compare",
      variable,
      relation,
      literal,
      from,
      to: endOfLast,
    };
  }

  function list(count: number | null): readonly Literal[] {
    take();
    expect("{", count === null ? "list" : "pair");
    const members = [number()];
    while (is("symbol", ",") && members.length !== count) {
      take();
      members.push(number());
    }
    if (count !== null && members.length < count) refuse("second-number");
    expect("}", count === null ? "member-or-end" : "end-of-list");
    return members;
  }

  function number(): Literal {
    if (next.kind !== "number") refuse("number");
    const literal = literalOf(next.text, next.from);
    take();
    return literal;
  }

  return {
    read: (): PredicateReading => {
      if (isEnd()) throw new Stop({ kind: "empty" }, next.from);
      const { node } = expression(0);
      if (!isEnd()) refuse("join-or-end");
      return { tree: node, mixedAt };
    },
  };
}

const [dollar, minus, less, more] = [0x24, 0x2d, 0x3c, 0x3e];

function isBlank(character: number): boolean {
  return (
    character === 0x20 ||
    character === 0x09 ||
    character === 0x0a ||
    character === 0x0d
  );
}

function isLetter(character: number): boolean {
  const lower = character | 0x20;
  return lower >= 0x61 && lower <= 0x7a && character < 0x80;
}

function isDigit(character: number): boolean {
  return character >= 0x30 && character <= 0x39;
}

const relations: readonly string[] = ["<=", ">=", "<", ">", "="];

function isRelation(text: string): text is Relation {
  return relations.includes(text);
}

function literalOf(text: string, from: number): Literal {
  // Turns -0 into 0.
  const near = Number(text) + 0;
  if (Number.isSafeInteger(near)) {
    const day = near % dayMs === 0 ? near / dayMs : null;
    return { digits: String(near), value: near, day };
  }
  const exact = BigInt(text);
  if (BigInt.asIntN(64, exact) !== exact)
    throw new Stop({ kind: "too-large", found: text }, from);
  const isDay = exact % BigInt(dayMs) === 0n;
  return {
    digits: exact.toString(),
    value: Number(exact),
    day: isDay ? Number(exact / BigInt(dayMs)) : null,
  };
}

type Joins = readonly ("AND" | "OR")[];

function andFirst(terms: readonly Term[], joins: Joins): Term {
  const choices: Term[] = [];
  let run: Term[] = [];
  for (const [index, one] of terms.entries()) {
    run.push(one);
    if (joins[index] === "AND") continue;
    choices.push(joined("and", run));
    run = [];
  }
  return joined("or", choices);
}

function leftToRight(terms: readonly Term[], joins: Joins): Term {
  let run: Term[] = [];
  for (const [index, one] of terms.entries()) {
    run.push(one);
    const join = joins[index];
    if (join !== undefined && index > 0 && join !== joins[index - 1])
      run = [joined(joins[index - 1] === "AND" ? "and" : "or", run)];
  }
  return joined(joins.at(-1) === "AND" ? "and" : "or", run);
}

function joined(kind: "and" | "or", terms: readonly Term[]): Term {
  const first = terms[0] as Term;
  if (terms.length === 1) return first;
  const { from } = first;
  const { to } = terms.at(-1) as Term;
  const parts = terms.map(({ node }) => node);
  return { node: { kind, parts, from, to }, from, to };
}

/** The word or sign at a position, quoted for a sentence about it. */
function quoted(text: string, from: number): string {
  const word = /^[\p{L}\p{N}_.$-]+/u.exec(text.slice(from, from + 40))?.[0];
  return word ?? String.fromCodePoint(text.codePointAt(from) ?? 0);
}
