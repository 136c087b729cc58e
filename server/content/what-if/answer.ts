// The outcome of a simulation as version 3 returns it: exact counts, and the first of everything (V3-100, V3-103).

import type {
  AssertionCheckV3,
  BrokenAssertionV3,
  WhatIfV3,
} from "../../contract/v3/v3-what-if.ts";
import type { Failure } from "../../core/failure.ts";
import type { Period } from "../../core/what-if/periods.ts";
import type {
  BrokenAssertion,
  ClassOutcome,
  ListedPeriods,
} from "../../core/what-if/what-if.ts";
import type { StoredAssertion } from "./assertions.ts";
import type { Fleet, FleetScreen } from "./read-fleet.ts";

/** Screens with the same outcome. */
export interface OutcomeOfScreens {
  readonly outcome: ClassOutcome;
  /** As they are with the change. */
  readonly screens: readonly FleetScreen[];
}

export interface Simulated extends Period {
  readonly before: Fleet;
  readonly after: Fleet;
  readonly outcomes: readonly OutcomeOfScreens[];
  readonly assertions: readonly StoredAssertion[];
}

const listedChanges = 100;
const listedScreens = 50;

export function whatIfAnswer(simulated: Simulated): WhatIfV3 {
  const { before, after, outcomes, from, until } = simulated;
  const changed = outcomes
    .filter(({ outcome }) => outcome.changes.count > 0)
    .sort(byWeight);
  const count = (isIt: (outcome: ClassOutcome) => boolean): number =>
    changed.reduce(
      (sum, { outcome, screens }) =>
        isIt(outcome) ? sum + screens.length : sum,
      0,
    );
  const titles = new Map(
    [...before.content.playlists, ...after.content.playlists].map(
      ({ id, name }) => [id, name],
    ),
  );
  const existing = new Set(before.content.playlists.map(({ id }) => id));
  const named = (ids: readonly string[]) =>
    ids.map((id) => ({
      id: existing.has(id) ? id : null,
      title: titles.get(id) ?? "",
    }));
  return {
    ...{ from: iso(from), until: iso(until) },
    screens: {
      total: outcomes.reduce((sum, { screens }) => sum + screens.length, 0),
      changed: count(() => true),
      emptied: count(({ emptiedMs }) => emptiedMs > 0),
      empty: count(({ isEmpty }) => isEmpty),
    },
    change_count: changed.length,
    changes: changed.slice(0, listedChanges).map(({ outcome, screens }) => ({
      screens: shownScreens(screens),
      timezone: screens[0]?.zone ?? "UTC",
      changed_seconds: outcome.changes.totalMs / 1000,
      emptied_seconds: outcome.emptiedMs / 1000,
      is_empty: outcome.isEmpty,
      periods: {
        count: outcome.changes.count,
        first: outcome.changes.first.map((change) => ({
          ...{ from: iso(change.from), until: iso(change.until) },
          ...{ before: named(change.before), after: named(change.after) },
        })),
      },
    })),
    assertions: brokenAssertions(simulated),
  };
}

/** Screens that end up empty first, then the most screens. */
function byWeight(a: OutcomeOfScreens, b: OutcomeOfScreens): number {
  return (
    Number(b.outcome.emptiedMs > 0) - Number(a.outcome.emptiedMs > 0) ||
    b.screens.length - a.screens.length
  );
}

interface BrokenOnScreens {
  readonly broken: BrokenAssertion;
  readonly screens: readonly FleetScreen[];
}

export function brokenAssertions({
  assertions,
  outcomes,
}: Pick<Simulated, "assertions" | "outcomes">): BrokenAssertionV3[] {
  return assertions.flatMap((assertion): readonly BrokenAssertionV3[] => {
    const all = brokenOn(assertion.id, outcomes);
    const newly = all.filter(({ broken }) => broken.newlyBroken.count > 0);
    const [first] = all;
    const [firstNewly] = newly;
    if (!first) return [];
    return [
      {
        ...{ id: assertion.id, name: assertion.name },
        holds_back: assertion.isHoldingBack,
        is_newly_broken: firstNewly !== undefined,
        screens: shownScreens(all.flatMap(({ screens }) => screens)),
        newly_broken_screens: shownScreens(
          newly.flatMap(({ screens }) => screens),
        ),
        periods: firstNewly
          ? shownPeriods(firstNewly.broken.newlyBroken)
          : shownPeriods(first.broken.broken),
      },
    ];
  });
}

/** What a check found, as it is stored (V3-109). */
export function checkResult(
  id: string,
  outcomes: readonly OutcomeOfScreens[],
  at: number,
): AssertionCheckV3 {
  const all = brokenOn(id, outcomes);
  return {
    checked_at: iso(at),
    is_broken: all.length > 0,
    screens: shownScreens(all.flatMap(({ screens }) => screens)),
    periods: shownPeriods(
      all[0]?.broken.broken ?? { count: 0, totalMs: 0, first: [] },
    ),
  };
}

/** Of a team whose screens could not be simulated (V3-125). */
export function failedCheck(
  { code, message }: Pick<Failure, "code" | "message">,
  at: number,
): AssertionCheckV3 {
  return {
    ...{ checked_at: iso(at), problem: { code, message }, is_broken: false },
    screens: shownScreens([]),
    periods: shownPeriods({ count: 0, totalMs: 0, first: [] }),
  };
}

function brokenOn(
  id: string,
  outcomes: readonly OutcomeOfScreens[],
): readonly BrokenOnScreens[] {
  return outcomes.flatMap(({ outcome, screens }) =>
    outcome.assertions
      .filter((broken) => broken.id === id)
      .map((broken) => ({ broken, screens })),
  );
}

function shownScreens(screens: readonly FleetScreen[]) {
  return {
    count: screens.length,
    first: screens
      .slice(0, listedScreens)
      .map(({ id, name }) => ({ id, name })),
  };
}

function shownPeriods({ count, totalMs, first }: ListedPeriods<Period>) {
  return {
    ...{ count, seconds: totalMs / 1000 },
    first: first.map(({ from, until }) => ({
      ...{ from: iso(from), until: iso(until) },
    })),
  };
}

function iso(moment: number): string {
  return new Date(moment).toISOString();
}
