// CSS position of something on the axis, in reading direction.

import { lengthOf, type Axis } from "../time-axis.ts";

/** In fractions of the whole axis. */
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
