// Oracle of predicates: their meaning as a tree next to their text, evaluated in the slow and obvious way.

import fc from "fast-check";
import type { ShownTime } from "./wall-clock-oracle.ts";

type Name = "$DATE" | "$TIME" | "$WEEKDAY";

/** Its meaning, each part with its text. */
export type Sentence = { readonly text: string } & (
  | { readonly is: "constant"; readonly value: boolean }
  | { readonly is: "not"; readonly part: Sentence }
  | { readonly is: "and" | "or"; readonly parts: readonly Sentence[] }
  | {
      readonly is: "test";
      readonly name: Name;
      /** One way of being true: all of these comparisons; any such way will do. */
      readonly ways: readonly (readonly (readonly [string, number])[])[];
    }
);

const dayMs = 86_400_000;

export function truthOf(sentence: Sentence, shown: ShownTime): boolean {
  if (sentence.is === "constant") return sentence.value;
  if (sentence.is === "not") return !truthOf(sentence.part, shown);
  if (sentence.is !== "test") {
    const truths = sentence.parts.map((part) => truthOf(part, shown));
    return sentence.is === "and"
      ? !truths.includes(false)
      : truths.includes(true);
  }
  return sentence.ways.some((way) =>
    way.every(([relation, literal]) =>
      compares(valueOf(sentence.name, literal, shown), relation, literal),
    ),
  );
}

/** Compared with $DATE, a literal that is a UTC midnight names a calendar day, any other an instant. */
function valueOf(name: Name, literal: number, shown: ShownTime): number {
  if (name === "$TIME") return shown.timeMs;
  if (name === "$WEEKDAY") return shown.weekday;
  return literal % dayMs === 0 ? shown.dayAsUtc : shown.moment;
}

function compares(value: number, relation: string, literal: number): boolean {
  if (relation === "=") return value === literal;
  if (relation === "<") return value < literal;
  if (relation === ">") return value > literal;
  return relation === "<=" ? value <= literal : value >= literal;
}

/** Every part, itself included. */
export function partsOf(sentence: Sentence): readonly Sentence[] {
  if (sentence.is === "not") return [sentence, ...partsOf(sentence.part)];
  if (sentence.is === "and" || sentence.is === "or")
    return [sentence, ...sentence.parts.flatMap(partsOf)];
  return [sentence];
}

const relation = fc.constantFrom("=", "<", ">", "<=", ">=");
const blank = fc.constantFrom(" ", "  ", "\n", "\t ");

/** Predicates about the hours and days around a time; their edges are on minutes, or a millisecond off. */
export function sentenceNear(moment: number): fc.Arbitrary<Sentence> {
  const offset = fc.constantFrom(0, 0, 0, -1);
  const time = fc
    .tuple(fc.integer({ min: 0, max: 1440 }), offset)
    .map(([minute, by]) => Math.max(0, minute * 60_000 + by));
  const today = Math.floor(moment / dayMs);
  const day = fc
    .integer({ min: today - 2, max: today + 2 })
    .map((one) => one * dayMs);
  const minute = Math.floor(moment / 60_000);
  const instant = fc
    .tuple(fc.integer({ min: minute - 1600, max: minute + 1600 }), offset)
    .map(([one, by]) => one * 60_000 + by);
  const date = fc.oneof(day, instant);
  const weekday = fc.integer({ min: -1, max: 7 });
  const test = fc.oneof(
    testOf("$TIME", time),
    testOf("$DATE", date),
    testOf("$WEEKDAY", weekday),
  );
  const constant = fc.boolean().map((value): Sentence => ({
    ...{ is: "constant", value, text: value ? "TRUE" : "False" },
  }));
  return fc.letrec<{ sentence: Sentence }>((tie) => ({
    sentence: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      { arbitrary: test, weight: 6 },
      { arbitrary: constant, weight: 1 },
      { arbitrary: tie("sentence").map(negated), weight: 1 },
      { arbitrary: joined("and", tie("sentence")), weight: 3 },
      { arbitrary: joined("or", tie("sentence")), weight: 3 },
    ),
  })).sentence;
}

function testOf(
  name: Name,
  literal: fc.Arbitrary<number>,
): fc.Arbitrary<Sentence> {
  return fc.oneof(
    fc.tuple(relation, literal, blank).map(([sign, value, gap]): Sentence => ({
      ...{ is: "test", name, ways: [[[sign, value]]] },
      text: `${name}${gap}${sign}${value}`,
    })),
    fc.tuple(literal, literal, blank).map(([least, most, gap]): Sentence => ({
      ...{ is: "test", name },
      ways: [
        [
          [">=", least],
          ["<=", most],
        ],
      ],
      text: `${name.toLowerCase()} BETWEEN${gap}{${least},${gap}${most}}`,
    })),
    fc
      .tuple(fc.array(literal, { minLength: 1, maxLength: 6 }), blank)
      .map(([members, gap]): Sentence => ({
        ...{ is: "test", name },
        ways: members.map((member) => [["=", member] as const]),
        text: `${name} in ${gap}{${members.join()}}`,
      })),
  );
}

function negated(part: Sentence): Sentence {
  return { is: "not", part, text: `NOT ${inside(part)}` };
}

function joined(
  kind: "and" | "or",
  sentence: fc.Arbitrary<Sentence>,
): fc.Arbitrary<Sentence> {
  return fc
    .tuple(fc.array(sentence, { minLength: 2, maxLength: 3 }), blank)
    .map(([parts, gap]): Sentence => ({
      ...{ is: kind, parts },
      text: parts
        .map(inside)
        .join(`${gap}${kind === "and" ? "AND" : "or"}${gap}`),
    }));
}

function inside(part: Sentence): string {
  const isJoined = part.is === "and" || part.is === "or";
  return isJoined ? `(${part.text} )` : part.text;
}
