// Incidents of a rule: examples, and random sequences against a naive model.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  maxSingles,
  nextAlerts,
  noAlerts,
  paceMs,
  type AlertEvent,
  type AlertsState,
  type FailingScreen,
  type Message,
} from "../../../../server/content/alerts/incidents.ts";
import { isQuietAt } from "../../../../server/content/alerts/quiet-hours.ts";

const minuteMs = 60_000;
const startsAt = Date.UTC(2026, 0, 1);

interface Seen {
  readonly isQuiet?: boolean;
  readonly excluded?: readonly string[];
  readonly state?: FailingScreen["state"];
}

/** Observes screens by name; an incident has the name of its screen and a number. */
function watched(afterMs = minuteMs) {
  let state: AlertsState = noAlerts;
  let at = startsAt;
  let made = 0;
  const since = new Map<string, number>();
  const take = (event: AlertEvent): readonly Message[] => {
    const step = nextAlerts(state, event);
    state = step.state;
    return step.messages;
  };
  const see = (
    names: readonly string[],
    {
      isQuiet = false,
      excluded = [],
      state: screenState = "offline",
    }: Seen = {},
  ) => {
    for (const name of since.keys())
      if (!names.includes(name)) since.delete(name);
    const failing = names.map((name): FailingScreen => {
      if (!since.has(name)) since.set(name, at);
      return {
        ...{ screenId: name, screenName: name, state: screenState },
        ...{ reason: "It is.", since: since.get(name) ?? at },
        newId: `${name}${(made += 1)}`,
      };
    });
    return take({
      ...{ kind: "observed", at, isQuiet, afterMs, failing },
      excluded: new Set(excluded),
    });
  };
  return {
    see,
    passed: (ms: number) => {
      at += ms;
    },
    acknowledge: (id: string) =>
      take({ kind: "acknowledged", at, id, by: "Ann" }),
    disable: () => take({ kind: "disabled", at }),
    incidents: () => [...state.incidents.values()],
  };
}

const single = (opened: readonly string[], ended: readonly string[] = []) => ({
  ...{ isDigest: false, opened, ended },
});
const digest = (opened: readonly string[], ended: readonly string[] = []) => ({
  ...{ isDigest: true, opened, ended },
});

describe("an incident", () => {
  it("[V3-93] is opened once the state lasted, with one message, and one when it is over", () => {
    const { see, passed } = watched();
    expect(see(["A"])).toEqual([]);
    passed(minuteMs - 1);
    expect(see(["A"])).toEqual([]);
    passed(1);
    expect(see(["A"])).toEqual([single(["A1"])]);
    passed(10 * minuteMs);
    expect(see(["A"])).toEqual([]);
    expect(see([])).toEqual([single([], ["A1"])]);
    expect(see([])).toEqual([]);
  });

  it("[V3-93] is not opened by a state that ends earlier, and counts a change among the states of the rule as one failure", () => {
    const { see, passed, incidents } = watched();
    see(["A"]);
    passed(minuteMs - 1);
    see([]);
    expect(incidents()).toEqual([]);
    see(["A"], { state: "wrong" });
    passed(minuteMs / 2);
    see(["A"], { state: "offline" });
    passed(minuteMs / 2);
    expect(see(["A"], { state: "offline" })).toHaveLength(1);
    expect(incidents()).toMatchObject([{ state: "offline" }]);
  });

  it("[V3-93] ends with its cause when the rule no longer concerns the screen", () => {
    const { see, incidents } = watched(0);
    see(["A"]);
    expect(see([], { excluded: ["A"] })).toEqual([single([], ["A1"])]);
    expect(incidents()).toMatchObject([{ endCause: "excluded" }]);
  });

  it("[V3-95] that is acknowledged sends nothing more but its end", () => {
    const { see, passed, acknowledge } = watched(0);
    expect(see(["A"])).toEqual([single(["A1"])]);
    expect(acknowledge("A1")).toEqual([]);
    passed(minuteMs);
    expect(see(["A"])).toEqual([]);
    expect(see([])).toEqual([single([], ["A1"])]);
  });

  it("[V3-95] acknowledged before its message was sent sends nothing at all", () => {
    const { see, acknowledge } = watched(0);
    see(["A"], { isQuiet: true });
    acknowledge("A1");
    expect(see(["A"])).toEqual([]);
    expect(see([])).toEqual([]);
  });

  it("[V3-93] of a rule that is disabled ends without a message", () => {
    const { see, disable, incidents } = watched(0);
    see(["A"]);
    see(["A", "B"], { isQuiet: true });
    expect(disable()).toEqual([]);
    expect(incidents()).toMatchObject([
      { endCause: "excluded", opening: "sent", ending: "dropped" },
      { endCause: "excluded", opening: "dropped", ending: "dropped" },
    ]);
    expect(see([])).toEqual([]);
  });
});

describe("a digest", () => {
  it("[V3-94] replaces more than five messages", () => {
    const { see, passed } = watched(0);
    const names = ["A", "B", "C", "D", "E", "F"];
    expect(see(names.slice(0, 5))).toHaveLength(5);
    passed(1000);
    expect(see(names)).toEqual([digest(["F11"])]);
    passed(1000);
    expect(see([])).toEqual([]);
    passed(minuteMs - 2000);
    expect(see([])).toEqual([]);
    passed(1000);
    expect(see([])).toEqual([
      digest([], ["A1", "B2", "C3", "D4", "E5", "F11"]),
    ]);
  });

  it("[V3-94] comes at the end of the quiet hours, about what is still wrong", () => {
    const { see, passed } = watched(0);
    expect(see(["A"])).toEqual([single(["A1"])]);
    const isQuiet = true;
    expect(see(["A", "B", "C"], { isQuiet })).toEqual([]);
    passed(minuteMs);
    expect(see(["B", "D"], { isQuiet })).toEqual([]);
    expect(see(["B", "D"])).toEqual([digest(["B3", "D6"], ["A1"])]);
    expect(see(["B", "D"])).toEqual([]);
  });
});

it("[V3-94] quiet hours follow the wall clock of their zone, past midnight too", () => {
  const hours = { from: "22:00", until: "06:00", timezone: "Europe/Berlin" };
  const at = (text: string) => isQuietAt(hours, Date.parse(text));
  expect(at("2026-01-10T20:59:59Z")).toBe(false);
  expect(at("2026-01-10T21:00:00Z")).toBe(true);
  expect(at("2026-01-11T04:59:59Z")).toBe(true);
  expect(at("2026-01-11T05:00:00Z")).toBe(false);
  // In summer two hours ahead of UTC.
  expect(at("2026-07-10T20:00:00Z")).toBe(true);
  expect(at("2026-07-11T04:00:00Z")).toBe(false);
  const noon = { ...hours, from: "12:00", until: "13:00" };
  expect(isQuietAt(noon, Date.parse("2026-01-10T11:30:00Z"))).toBe(true);
  expect(isQuietAt(noon, Date.parse("2026-01-10T12:00:00Z"))).toBe(false);
  expect(isQuietAt(null, startsAt)).toBe(false);
});

const screens = ["A", "B", "C", "D", "E", "F", "G", "H"] as const;

type Action =
  | { readonly kind: "screens"; readonly down: readonly string[] }
  | { readonly kind: "quiet"; readonly isQuiet: boolean }
  | { readonly kind: "acknowledge"; readonly screen: string }
  | { readonly kind: "disable" }
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "clock"; readonly ms: number };

const aFew = fc.subarray([...screens]);
const actions = (
  kinds: readonly fc.Arbitrary<Action>[],
): fc.Arbitrary<readonly Action[]> =>
  fc.array(fc.oneof(...kinds), { maxLength: 60 });

const ordinary: readonly fc.Arbitrary<Action>[] = [
  aFew.map((down) => ({ kind: "screens", down })),
  aFew.map((down) => ({ kind: "screens", down })),
  fc.boolean().map((isQuiet) => ({ kind: "quiet", isQuiet })),
  fc
    .constantFrom(...screens)
    .map((screen) => ({ kind: "acknowledge", screen })),
  fc.constant({ kind: "disable" }),
  fc
    .constantFrom(0, 1000, 5000, 20_000, 60_000, 300_000)
    .map((ms) => ({ kind: "wait", ms })),
];
const clockSteps = fc
  .constantFrom(-86_400_000, -3_600_000, -30_000, 30_000, 3_600_000)
  .map((ms): Action => ({ kind: "clock", ms }));

/** One failure of one screen in the naive model, kept for ever. */
interface Failure {
  readonly id: string;
  readonly screen: string;
  since: number;
  isOpen: boolean;
  isOver: boolean;
  isAcknowledged: boolean;
  openedSent: number;
  endedSent: number;
}

/** Every failure since the beginning is looked at in every step. */
function naiveModel(afterMs: number) {
  const failures: Failure[] = [];
  let sent: { at: number; isDigest: boolean }[] = [];
  let held = new Set<string>();
  const mustOpen = (one: Failure) =>
    one.isOpen && !one.isOver && !one.isAcknowledged && one.openedSent === 0;
  const mustEnd = (one: Failure) =>
    one.isOver && one.openedSent === 1 && one.endedSent === 0;
  const silenced = new Set<Failure>();
  return {
    observe: (
      at: number,
      isQuiet: boolean,
      failing: readonly FailingScreen[],
    ): readonly Message[] => {
      // Ahead of the clock if it was set back: nothing about the minute before now.
      sent = sent.filter((one) => one.at <= at && one.at > at - paceMs);
      for (const one of failures) {
        if (one.isOver) continue;
        if (failing.some(({ screenId }) => screenId === one.screen)) {
          if (one.since > at) one.since = at;
        } else one.isOver = true;
      }
      for (const { screenId, since, newId } of failing)
        if (!failures.some((one) => one.screen === screenId && !one.isOver))
          failures.push({
            ...{ id: newId, screen: screenId, since: Math.min(since, at) },
            ...{ isOpen: false, isOver: false, isAcknowledged: false },
            ...{ openedSent: 0, endedSent: 0 },
          });
      for (const one of failures)
        if (!one.isOver && at - one.since >= afterMs) one.isOpen = true;
      const opened = failures.filter(mustOpen);
      const ended = failures.filter(
        (one) => mustEnd(one) && !silenced.has(one),
      );
      const all = [...ended, ...opened];
      if (isQuiet) {
        held = new Set([...held, ...all.map(({ id }) => id)]);
        return [];
      }
      const singles = sent.filter(({ isDigest }) => !isDigest).length;
      const isOneByOne =
        all.length === 1
          ? singles < maxSingles
          : singles + all.length <= maxSingles &&
            !all.some(({ id }) => held.has(id));
      if (all.length === 0) return [];
      if (!isOneByOne && sent.some(({ isDigest }) => isDigest)) return [];
      for (const one of opened) one.openedSent += 1;
      for (const one of ended) one.endedSent += 1;
      for (const { id } of all) held.delete(id);
      if (!isOneByOne) {
        sent.push({ at, isDigest: true });
        return [
          digest(
            opened.map(({ id }) => id),
            ended.map(({ id }) => id),
          ),
        ];
      }
      sent.push(...all.map(() => ({ at, isDigest: false })));
      return [
        ...opened.map(({ id }) => single([id])),
        ...ended.map(({ id }) => single([], [id])),
      ];
    },
    acknowledge: (screen: string): string => {
      const one = failures.find(
        (each) => each.screen === screen && each.isOpen && !each.isOver,
      );
      if (one) one.isAcknowledged = true;
      return one?.id ?? "none";
    },
    disable: () => {
      for (const one of failures) {
        one.isOver = true;
        silenced.add(one);
      }
    },
    isWaiting: () =>
      failures.some(
        (one) => mustOpen(one) || (mustEnd(one) && !silenced.has(one)),
      ),
  };
}

const inOrder = (messages: readonly Message[]) =>
  messages
    .map(({ isDigest, opened, ended }) =>
      JSON.stringify([isDigest, [...opened].sort(), [...ended].sort()]),
    )
    .sort();

/** Runs both side by side and returns all messages of the reducer with their moments. */
function run(all: readonly Action[], afterMs: number) {
  const model = naiveModel(afterMs);
  let state: AlertsState = noAlerts;
  let at = startsAt;
  let isQuiet = false;
  let made = 0;
  const since = new Map<string, number>();
  const messages: (Message & { readonly at: number })[] = [];
  const observe = (): void => {
    const failing = [...since].map(([name, moment]): FailingScreen => ({
      ...{ screenId: name, screenName: name, state: "wrong", reason: "" },
      ...{ since: moment, newId: `${name}${(made += 1)}` },
    }));
    const event = {
      at,
      isQuiet,
      afterMs,
      failing,
      excluded: new Set<string>(),
    };
    // A restart between any two steps: only what is stored continues.
    const stored = structuredClone(state);
    const step = nextAlerts(stored, { kind: "observed", ...event });
    state = step.state;
    expect(inOrder(step.messages)).toEqual(
      inOrder(model.observe(at, isQuiet, failing)),
    );
    messages.push(...step.messages.map((one) => ({ ...one, at })));
    if (isQuiet) expect(step.messages).toEqual([]);
  };
  for (const action of all) {
    if (action.kind === "screens") {
      for (const name of since.keys())
        if (!action.down.includes(name)) since.delete(name);
      for (const name of action.down) if (!since.has(name)) since.set(name, at);
    } else if (action.kind === "quiet") isQuiet = action.isQuiet;
    else if (action.kind === "acknowledge")
      state = nextAlerts(state, {
        ...{ kind: "acknowledged", at, by: "Ann" },
        id: model.acknowledge(action.screen),
      }).state;
    else if (action.kind === "disable") {
      model.disable();
      state = nextAlerts(state, { kind: "disabled", at }).state;
    } else at += action.ms;
    observe();
  }
  isQuiet = false;
  for (let more = 0; more < 3; more += 1) {
    at += Math.max(paceMs, afterMs);
    observe();
  }
  return { messages, model };
}

const seeded = { seed: 31, numRuns: 2000 };
const afters = fc.constantFrom(0, 20_000, 60_000);

describe("any sequence of events", () => {
  it("[V3-93] [V3-94] [V3-95] has the messages of the naive model: none twice, none lost", () => {
    fc.assert(
      fc.property(
        actions([...ordinary, clockSteps]),
        afters,
        (sequence, afterMs) => {
          const { messages, model } = run(sequence, afterMs);
          const opened = messages.flatMap((message) => message.opened);
          const ended = messages.flatMap((message) => message.ended);
          expect(new Set(opened).size).toBe(opened.length);
          expect(new Set(ended).size).toBe(ended.length);
          expect(ended.filter((id) => !opened.includes(id))).toEqual([]);
          expect(model.isWaiting()).toBe(false);
        },
      ),
      seeded,
    );
  });

  it("[V3-94] has at most five single messages and one digest in any minute", () => {
    fc.assert(
      fc.property(actions(ordinary), afters, (sequence, afterMs) => {
        const { messages } = run(sequence, afterMs);
        for (const { at } of messages) {
          const within = messages.filter(
            (one) => one.at >= at && one.at < at + paceMs,
          );
          const digests = within.filter(({ isDigest }) => isDigest).length;
          expect(digests).toBeLessThanOrEqual(1);
          expect(within.length - digests).toBeLessThanOrEqual(maxSingles);
        }
      }),
      seeded,
    );
  });
});
