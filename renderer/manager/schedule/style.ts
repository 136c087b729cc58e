// Where something on the axis is drawn, in the direction that is read.

import { lengthOf, type Axis } from "./axis.ts";

/** In parts of the whole axis. */
export function styleOf(
  { from, until }: { readonly from: number; readonly until: number },
  axis: Axis,
): { readonly insetInlineStart: string; readonly inlineSize: string } {
  const axisLength = lengthOf(axis);
  return {
    insetInlineStart: `${(from / axisLength) * 100}%`,
    inlineSize: `${((until - from) / axisLength) * 100}%`,
  };
}
