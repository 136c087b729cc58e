// Predicate text → tree, or what is wrong with it and where.

import type {
  Literal,
  PredicateNode,
  Relation,
  TestNode,
  Variable,
} from "./predicate-tree.ts";
import { dayMs } from "./wall-clock.ts";

/** What is wrong, in a sentence, and where, in UTF-16 units from 0. */
export interface PredicateProblem {
  readonly message: string;
  readonly position: number;
}

export interface PredicateReading {
  readonly tree: PredicateNode;
  /** Where AND and OR first meet without parentheses, which readers may take in two ways; null where they do not. */
  readonly mixedAt: number | null;
}

/** The published grammar has AND and OR on one level; everybody else's has not. */
export type Precedence = "and-first" | "left-to-right";

/** Beyond these a predicate is refused before it is read any further. */
const mostCharacters = 4096;
const mostNesting = 100;

type Token =
  | { kind: "word" | "variable" | "symbol"; text: string; from: number }
  | { kind: "number"; text: string; from: number }
  | { kind: "end"; text: ""; from: number };

interface Term {
  readonly node: PredicateNode;
  /** Parentheses included. */
  readonly from: number;
  readonly to: number;
}

/** Leaves the recursion; caught at the end of `readPredicate`. */
class Stop extends Error {
  readonly position: number;
  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}

export function readPredicate(
  text: string,
  precedence: Precedence,
): PredicateReading | PredicateProblem {
  if (text.length > mostCharacters)
    return {
      message: `A predicate has at most ${mostCharacters} characters.`,
      position: mostCharacters,
    };
  try {
    return createParser(text, precedence).read();
  } catch (error) {
    if (error instanceof Stop)
      return { message: error.message, position: error.position };
    throw error;
  }
}

/** What a word or a number must not run into. */
const runsOn = /[\p{L}\p{N}_.$]/u;
/** What other languages write, and what is written here. */
const foreign: readonly (readonly [string, string])[] = [
  ["!=", "There is no !=; write NOT and =."],
  ["<>", "There is no <>; write NOT and =."],
  ["==", "Equality is a single =."],
  ["&&", "Write AND."],
  ["||", "Write OR."],
  ["!", "Write NOT."],
];
const start = "TRUE, FALSE, NOT, a parenthesis, $DATE, $TIME or $WEEKDAY";

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
    refuseForeign(from);
    const symbol = text[from] as string;
    if (!"<>=(){},".includes(symbol))
      throw new Stop(`${quoted(text, from)} means nothing.`, from);
    const isWide = (first === less || first === more) && text[at + 1] === "=";
    at += isWide ? 2 : 1;
    return { kind: "symbol", text: isWide ? `${symbol}=` : symbol, from };
  }

  /** The first character, and all such behind it. */
  function run(isPart: (character: number) => boolean): string {
    const from = at;
    at += 1;
    while (isPart(text.charCodeAt(at))) at += 1;
    const written = text.slice(from, at);
    const behind = text.charCodeAt(at);
    // Signs and blanks need no second look.
    if (!Number.isNaN(behind) && !isBlank(behind)) refuseRunOn(written);
    return written;
  }

  function refuseRunOn(written: string): void {
    const character = String.fromCodePoint(text.codePointAt(at) as number);
    if (runsOn.test(character))
      throw new Stop(`${character} cannot stand right behind ${written}.`, at);
  }

  function refuseForeign(from: number): void {
    for (const [slip, advice] of foreign)
      if (text.startsWith(slip, from)) throw new Stop(advice, from);
  }

  function take(): Token {
    const taken = next;
    endOfLast = at;
    next = scan();
    return taken;
  }

  const is = (kind: Token["kind"], text: string): boolean =>
    next.kind === kind && next.text === text;

  function expect(symbol: string, expected: string): void {
    if (!is("symbol", symbol)) refuse(expected);
    take();
  }

  function refuse(expected: string): never {
    if (next.kind === "end")
      throw new Stop(`It ends where ${expected} is expected.`, next.from);
    const found = quoted(text, next.from);
    throw new Stop(`${found} stands where ${expected} is expected.`, next.from);
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
      if (depth === mostNesting)
        throw new Stop(
          `Parentheses and NOT go at most ${mostNesting} deep.`,
          from,
        );
      take();
      if (isNot) {
        const { node: part, to } = term(depth + 1);
        return { node: { kind: "not", part, from, to }, from, to };
      }
      const { node } = expression(depth + 1);
      expect(")", "AND, OR or )");
      return { node, from, to: endOfLast };
    }
    const node = next.kind === "variable" ? testOf() : constant();
    return { node, from, to: node.to };
  }

  function constant(): PredicateNode {
    if (!is("word", "TRUE") && !is("word", "FALSE")) refuse(start);
    const { text: written, from } = take();
    return { kind: "constant", value: written === "TRUE", from, to: endOfLast };
  }

  function testOf(): TestNode {
    const { from, text: name } = next;
    if (name !== "$DATE" && name !== "$TIME" && name !== "$WEEKDAY")
      refuse("$DATE, $TIME or $WEEKDAY");
    const variable: Variable = name;
    take();
    if (is("word", "BETWEEN")) {
      const [least, most] = list(2);
      // Both are there: the list counted them.
      const ends = { least: least as Literal, most: most as Literal };
      return { kind: "between", variable, ...ends, from, to: endOfLast };
    }
    if (is("word", "IN")) {
      const members = list(null);
      return { kind: "in", variable, members, from, to: endOfLast };
    }
    if (is("word", "NOT"))
      throw new Stop("NOT stands before the variable.", next.from);
    if (next.kind !== "symbol" || !isRelation(next.text))
      refuse("one of = <= >= < >, BETWEEN or IN");
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
    expect("{", count === null ? "{1, 2, …}" : "{1, 2}");
    const members = [number()];
    while (is("symbol", ",") && members.length !== count) {
      take();
      members.push(number());
    }
    if (count !== null && members.length < count)
      refuse("a comma and a second number");
    expect("}", count === null ? ", or }" : "}");
    return members;
  }

  function number(): Literal {
    if (next.kind !== "number") refuse("a whole number");
    const literal = literalOf(next.text, next.from);
    take();
    return literal;
  }

  return {
    read: (): PredicateReading => {
      if (isEnd())
        throw new Stop(`It is empty; it begins with ${start}.`, next.from);
      const { node } = expression(0);
      if (!isEnd()) refuse("AND, OR or the end");
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
  // -0 is 0.
  const near = Number(text) + 0;
  if (Number.isSafeInteger(near)) {
    const day = near % dayMs === 0 ? near / dayMs : null;
    return { digits: String(near), value: near, day };
  }
  const exact = BigInt(text);
  if (BigInt.asIntN(64, exact) !== exact)
    throw new Stop(`${text} is beyond 64 bits.`, from);
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

/** The word or sign at a place, for a sentence about it. */
function quoted(text: string, from: number): string {
  const word = /^[\p{L}\p{N}_.$-]+/u.exec(text.slice(from, from + 40))?.[0];
  return word ?? String.fromCodePoint(text.codePointAt(from) ?? 0);
}
