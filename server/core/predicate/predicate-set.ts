// Evaluates many predicates for one moment: the moment is located among all their limits once, and then only positions are
// compared.

import type { Program } from "./predicate-program.ts";
import type { WallTime } from "../wall-clock.ts";

export interface PredicateSet {
  /** Evaluates the predicates from one index to before another in the given order; returns 1 for each that is true. */
  evaluateAt(at: WallTime): (from: number, until: number) => Uint8Array;
}

const axesCount = 4;
/** For each step: its axis, the positions its value must lie between, and the next steps inside and outside. */
const stepSize = 5;

export function createPredicateSet(programs: readonly Program[]): PredicateSet {
  const edges = edgesOf(programs);
  const { steps, firsts } = laidOut(programs, edges);
  return {
    evaluateAt: (at) => {
      const places = new Int32Array(axesCount);
      for (const [axis, value] of [
        at.timeMs,
        at.weekday,
        at.day,
        at.moment,
      ].entries())
        places[axis] = placeOf(edges[axis] as Float64Array, value);
      return (from, until) =>
        truthsOf(steps, firsts.subarray(from, until), places);
    },
  };
}

/** Free of branches in the inner loop: a misprediction costs the processor more than computing both. */
function truthsOf(
  steps: Int32Array,
  firsts: Int32Array,
  places: Int32Array,
): Uint8Array {
  const truths = new Uint8Array(firsts.length);
  for (let index = 0; index < firsts.length; index += 1) {
    let step = firsts[index] as number;
    while (step >= 0) {
      const place = places[steps[step] as number] as number;
      const from = steps[step + 1] as number;
      const until = steps[step + 2] as number;
      // The sign of either difference: 1 if the value lies outside.
      const isOutside = ((place - from) | (until - 1 - place)) >>> 31;
      step = steps[step + 3 + isOutside] as number;
    }
    // The two ends are -1 for true and -2 for false.
    truths[index] = step + 2;
  }
  return truths;
}

/** For each axis every limit used by a step, once and in order. */
function edgesOf(programs: readonly Program[]): readonly Float64Array[] {
  const edges = Array.from({ length: axesCount }, () => new Set<number>());
  for (const { limits, ways } of programs)
    for (let step = 0; 2 * step < limits.length; step += 1) {
      const axis = edges[ways[3 * step] as number];
      axis?.add(limits[2 * step] as number);
      axis?.add(limits[2 * step + 1] as number);
    }
  return edges.map((axis) => Float64Array.from(axis).sort());
}

/** How many of the edges lie at or before a value. */
function placeOf(edges: Float64Array, value: number): number {
  let [low, high] = [0, edges.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((edges[middle] as number) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** All steps in one contiguous array, so that evaluating a thousand predicates reads memory sequentially. */
function laidOut(
  programs: readonly Program[],
  edges: readonly Float64Array[],
): { readonly steps: Int32Array; readonly firsts: Int32Array } {
  const count = programs.reduce((sum, { ways }) => sum + ways.length / 3, 0);
  const steps = new Int32Array(stepSize * count);
  const firsts = new Int32Array(programs.length);
  let base = 0;
  for (const [index, { limits, ways, first }] of programs.entries()) {
    const begin = base;
    const moved = (step: number): number =>
      step < 0 ? step : begin + stepSize * step;
    firsts[index] = moved(first);
    for (let step = 0; 3 * step < ways.length; step += 1) {
      const axis = ways[3 * step] as number;
      const placeOfLimit = (side: 0 | 1): number =>
        placeOf(edges[axis] as Float64Array, limits[2 * step + side] as number);
      steps[base] = axis;
      steps[base + 1] = placeOfLimit(0);
      steps[base + 2] = placeOfLimit(1);
      steps[base + 3] = moved(ways[3 * step + 1] as number);
      steps[base + 4] = moved(ways[3 * step + 2] as number);
      base += stepSize;
    }
  }
  return { steps, firsts };
}
