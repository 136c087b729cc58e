// A predicate: parsed once, evaluated often.

import type { Edges } from "../edges.ts";
import { limitsOf, type PredicateNode } from "./predicate-tree.ts";
import { readPredicate, type Precedence } from "./predicate-parser.ts";
import type { PredicateProblem } from "./predicate-problem.ts";
import { programOf, runProgram, type Program } from "./predicate-program.ts";
import { dayMs, type WallTime } from "../wall-clock.ts";

export interface Predicate {
  /** As it was entered. */
  readonly text: string;
  readonly tree: PredicateNode;
  /** Where AND and OR first meet without parentheses; null if they do not. */
  readonly mixedAt: number | null;
  /** Whether it is true when the wall clock shows this. */
  holds(at: WallTime): boolean;
  /** The same, compiled for evaluating many at once. */
  readonly program: Program;
  /** All edges at which its result may change. */
  readonly edges: Edges;
}

export type ParsedPredicate =
  | { readonly predicate: Predicate; readonly problem: null }
  | { readonly predicate: null; readonly problem: PredicateProblem };

/** Parses a predicate: `$WEEKDAY IN {6, 0} AND $TIME >= 28800000`. */
export function parsePredicate(
  text: string,
  precedence: Precedence = "and-first",
): ParsedPredicate {
  const reading = readPredicate(text, precedence);
  if ("message" in reading) return { predicate: null, problem: reading };
  const { tree, mixedAt } = reading;
  return { predicate: predicateOf(text, tree, mixedAt), problem: null };
}

/** Stands in for a predicate that cannot be parsed: never true. */
export function neverPredicate(text: string): Predicate {
  const place = { from: 0, to: text.length };
  return predicateOf(text, { kind: "constant", value: false, ...place }, null);
}

function predicateOf(
  text: string,
  tree: PredicateNode,
  mixedAt: number | null,
): Predicate {
  const program = programOf(tree);
  const holds = (at: WallTime): boolean => runProgram(program, at);
  return { text, tree, mixedAt, holds, program, edges: edgesOf(tree) };
}

function holdsAt(tree: PredicateNode, at: WallTime): boolean {
  return runProgram(programOf(tree), at);
}

/** The smallest part that makes it false; null if it is true. */
export function falsePartAt(
  { text, tree }: Predicate,
  at: WallTime,
): {
  readonly part: string;
  readonly from: number;
  readonly to: number;
} | null {
  if (holdsAt(tree, at)) return null;
  let node = tree;
  // Of parts that all have to be true, the first that is not.
  while (node.kind === "and")
    node = node.parts.find((part) => !holdsAt(part, at)) ?? node;
  const { from, to } = node;
  return { part: text.slice(from, to), from, to };
}

function edgesOf(tree: PredicateNode): Edges {
  const timesMs = new Set<number>();
  const days = new Set<number>();
  const moments = new Set<number>();
  for (const { axis, from, until } of allLimits(tree)) {
    if (axis === "timeMs" || axis === "weekday") timesMs.add(0);
    for (const edge of [from, until])
      if (axis === "timeMs" && edge > 0 && edge < dayMs) timesMs.add(edge);
      else if (axis === "day" && Number.isFinite(edge)) days.add(edge * dayMs);
      else if (axis === "moment" && Number.isFinite(edge)) moments.add(edge);
  }
  return { timesMs: [...timesMs], days: [...days], moments: [...moments] };
}

function allLimits(node: PredicateNode): ReturnType<typeof limitsOf>["limits"] {
  switch (node.kind) {
    case "constant":
      return [];
    case "not":
      return allLimits(node.part);
    case "and":
    case "or":
      return node.parts.flatMap(allLimits);
    case "compare":
    case "between":
    case "in":
      return limitsOf(node).limits;
  }
}
