// What a watchdog's policy did while its timer drove it.

import { expect } from "vitest";

interface Moment<Kind extends string> {
  readonly atMs: number;
  readonly effects: readonly { readonly kind: Kind }[];
}

/** When it had an effect of this kind. */
export function momentsOf<Kind extends string>(
  moments: readonly Moment<Kind>[],
  expectedKind: NoInfer<Kind>,
): readonly number[] {
  return moments
    .filter(({ effects }) => effects.some(({ kind }) => kind === expectedKind))
    .map(({ atMs }) => atMs);
}

/** What hangs is killed within 15 s, and later each time that does not help. */
export function expectPatientKills(moments: readonly Moment<string>[]): void {
  const kills = momentsOf(moments, "kill");
  expect(kills[0]).toBeLessThanOrEqual(15_000);
  const pauses = kills.slice(1).map((at, index) => at - (kills[index] ?? 0));
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
  expect(pauses.at(-1)).toBeGreaterThan(60_000);
}
