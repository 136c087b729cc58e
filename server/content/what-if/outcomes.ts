// Groups screens into classes with the same labels and time zone, simulates each class once, and returns the outcomes with
// their screens.

import type { ScreenClass } from "../../core/what-if/fleet.ts";
import type { ClassOutcome, WhatIfInput } from "../../core/what-if/what-if.ts";
import type { OutcomeOfScreens } from "./answer.ts";
import type { Fleet, FleetScreen } from "./read-fleet.ts";
import type { Simulations } from "./simulations.ts";

/** Screens that the change removes are left out. */
export async function outcomesOf(
  simulations: Pick<Simulations, "run">,
  before: Fleet,
  after: Fleet,
  input: Omit<WhatIfInput, "before" | "after" | "classes">,
): Promise<readonly OutcomeOfScreens[]> {
  // A label without playlists and assertions makes no difference; most screens' own labels are such.
  const relevant = new Set([
    ...[before, after].flatMap(({ content }) =>
      content.playlists.flatMap(({ groups }) => groups),
    ),
    ...input.assertions.flatMap(({ labels }) => labels),
  ]);
  const traitsOf = ({ zone, labels }: FleetScreen) => ({
    zone,
    labels: labels.filter((label) => relevant.has(label)).sort(),
  });
  const classes = new Map<string, ScreenClass & { screens: FleetScreen[] }>();
  for (const screen of after.screens.values()) {
    const now = traitsOf(screen);
    // A screen that was disabled shows nothing until then.
    const old = before.screens.get(screen.id);
    const was = old ? traitsOf(old) : { zone: screen.zone, labels: [] };
    const key = [was.zone, ...was.labels, "|", now.zone, ...now.labels].join();
    const known = classes.get(key);
    if (known) known.screens.push(screen);
    else classes.set(key, { before: was, after: now, screens: [screen] });
  }
  const list = [...classes.values()];
  const outcomes = await simulations.run({
    ...{ before: before.content, after: after.content, ...input },
    classes: list.map((each) => ({ before: each.before, after: each.after })),
  });
  const byOutcome = new Map<ClassOutcome, FleetScreen[]>();
  for (const [at, { screens }] of list.entries()) {
    const outcome = outcomes[at];
    if (!outcome) throw new Error("a class was not simulated");
    const known = byOutcome.get(outcome);
    if (known) known.push(...screens);
    else byOutcome.set(outcome, [...screens]);
  }
  return [...byOutcome].map(([outcome, screens]) => ({ outcome, screens }));
}
