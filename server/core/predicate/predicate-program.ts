// Compiles a predicate to flat arrays: limits to compare a wall clock with, each with the next step for both outcomes.

import {
  limitsOf,
  type Axis,
  type Limit,
  type PredicateNode,
} from "./predicate-tree.ts";
import type { WallTime } from "../wall-clock.ts";

/** Flat arrays of one number type each: several times faster to walk than a tree. */
export interface Program {
  /** For each step the range its value must lie in: from, until. */
  readonly limits: Float64Array;
  /** For each step its axis, and the next steps for a value inside and outside. */
  readonly ways: Int32Array;
  readonly first: number;
}

/** Steps that end the evaluation. */
const isTrue = -1;
const isFalse = -2;

const axes: Readonly<Record<Axis, number>> = {
  ...{ timeMs: 0, weekday: 1, day: 2, moment: 3 },
};

/** Built from the end, so that each step knows where the next ones are. */
export function programOf(tree: PredicateNode): Program {
  const limits: number[] = [];
  const ways: number[] = [];

  function lay(node: PredicateNode, yes: number, no: number): number {
    switch (node.kind) {
      case "constant":
        return node.value ? yes : no;
      case "not":
        return lay(node.part, no, yes);
      case "and":
        return node.parts.reduceRight((next, part) => lay(part, next, no), yes);
      case "or":
        return node.parts.reduceRight((next, part) => lay(part, yes, next), no);
      case "compare":
      case "between":
        return limitsOf(node).limits.reduceRight(
          (next, limit) => layLimit(limit, next, no),
          yes,
        );
      case "in":
        return layAny(limitsOf(node).limits, yes, no);
    }
  }

  function layLimit(
    { axis, from, until }: Limit,
    yes: number,
    no: number,
  ): number {
    limits.push(from, until);
    return ways.push(axes[axis], yes, no) / 3 - 1;
  }

  /** Days and instants separately. */
  function layAny(members: readonly Limit[], yes: number, no: number): number {
    const inOrder = [...members].sort((a, b) => a.from - b.from);
    const others = inOrder.filter(({ axis }) => axis !== "moment");
    const moments = inOrder.filter(({ axis }) => axis === "moment");
    return layHalves(others, yes, layHalves(moments, yes, no));
  }

  /** Binary search, so that two thousand members take a dozen steps. */
  function layHalves(
    members: readonly Limit[],
    yes: number,
    no: number,
  ): number {
    const [only] = members;
    if (!only) return no;
    if (members.length === 1) return layLimit(only, yes, no);
    const middle = members.length >>> 1;
    const first = members.slice(0, middle);
    const second = members.slice(middle);
    const { axis, from } = second[0] as Limit;
    const below = layHalves(first, yes, no);
    const above = layHalves(second, yes, no);
    return layLimit({ axis, from, until: Infinity }, above, below);
  }

  return {
    first: lay(tree, isTrue, isFalse),
    limits: Float64Array.from(limits),
    ways: Int32Array.from(ways),
  };
}

export function runProgram(
  { limits, ways, first }: Program,
  at: WallTime,
): boolean {
  let step = first;
  while (step >= 0) {
    const value = valueOn(ways[3 * step] as number, at);
    const isInside =
      value >= (limits[2 * step] as number) &&
      value < (limits[2 * step + 1] as number);
    step = ways[3 * step + (isInside ? 1 : 2)] as number;
  }
  return step === isTrue;
}

function valueOn(axis: number, at: WallTime): number {
  if (axis === 0) return at.timeMs;
  if (axis === 1) return at.weekday;
  return axis === 2 ? at.day : at.moment;
}
