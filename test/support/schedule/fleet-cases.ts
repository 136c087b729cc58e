// Random small fleets with a change of playlists or labels, and a comparison of their simulation with the schedule's oracle, moment
// by moment.

import fc from "fast-check";
import { expect } from "vitest";
import type { Playlist } from "../../../server/core/playlist.ts";
import { inOneGo } from "../../../server/core/slices.ts";
import type { Assertion } from "../../../server/core/what-if/assertion.ts";
import {
  scheduledAsset,
  type FleetAsset,
  type FleetContent,
  type ScreenTraits,
} from "../../../server/core/what-if/fleet.ts";
import { simulate } from "../../../server/core/what-if/what-if.ts";
import { sentenceNear, truthOf, type Sentence } from "./predicate-oracle.ts";
import { verdictAt } from "./schedule-oracle.ts";
import { hourMs, somePlaylist } from "./schedules.ts";
import { oddZones, shownBy } from "./wall-clock-oracle.ts";

const minuteMs = 60_000;
const labels = ["lobby", "canteen", "school"];
const assetIds = ["a", "b", "c", "beer"];

interface NamedPlaylist {
  readonly playlist: Playlist;
  readonly sentence: Sentence;
}

interface FleetSide {
  readonly playlists: readonly NamedPlaylist[];
  /** By screen. */
  readonly screens: readonly ScreenTraits[];
}

export interface FleetCase {
  readonly before: FleetSide;
  readonly after: FleetSide;
  readonly assets: readonly FleetAsset[];
  readonly assertions: readonly {
    readonly assertion: Assertion;
    readonly sentence: Sentence;
  }[];
  readonly from: number;
  readonly until: number;
}

/** Some hours around a change to or from summer time. */
export const fleetCase = (hours: number): fc.Arbitrary<FleetCase> =>
  fc
    .tuple(
      fc.constantFrom(...oddZones),
      fc.integer({ min: 0, max: hours * 60 }),
    )
    .chain(([{ zone, near }, before]) => {
      const from = Date.parse(near[0] ?? "") - before * minuteMs;
      const middle = from + (hours / 2) * hourMs;
      const playlist = playlistNear(middle);
      const screen = fc.record({
        zone: fc.constantFrom(zone, zone, "UTC"),
        labels: fc.subarray(labels),
      });
      return fc.record({
        playlists: fc.array(playlist, { minLength: 1, maxLength: 4 }),
        // Replaces the first; null removes it.
        changed: fc.option(playlist, { nil: null, freq: 4 }),
        screens: fc.array(screen, { minLength: 1, maxLength: 3 }),
        changedScreen: fc.option(screen, { nil: null, freq: 1 }),
        isPlayable: fc.tuple(...assetIds.map(() => rarelyFalse)),
        assertions: fc.array(assertionNear(middle), { maxLength: 2 }),
        ...{
          from: fc.constant(from),
          until: fc.constant(from + hours * hourMs),
        },
      });
    })
    .map(({ playlists, changed, screens, changedScreen, ...rest }) => {
      const [, ...others] = playlists;
      const [, ...otherScreens] = screens;
      const { isPlayable, assertions, from, until } = rest;
      return {
        before: { playlists: playlists.map(named), screens },
        after: {
          playlists: (changed ? [changed, ...others] : [null, ...others])
            .map((one, at) => one && named(one, at))
            .filter((one) => one !== null),
          screens: changedScreen ? [changedScreen, ...otherScreens] : screens,
        },
        assets: assetIds.map((id, at) => ({
          ...{ id, isPlayable: isPlayable[at] ?? true, durationSeconds: 40 },
          folder: id === "beer" ? "Alcohol" : "",
        })),
        assertions: assertions.map(({ sentence, ...assertion }, at) => ({
          sentence,
          assertion: { ...assertion, id: `assertion ${at}` },
        })),
        ...{ from, until },
      };
    });

const rarelyFalse = fc.integer({ min: 0, max: 5 }).map((one) => one > 0);

type DrawnPlaylist =
  ReturnType<typeof playlistNear> extends fc.Arbitrary<infer Drawn>
    ? Drawn
    : never;

function playlistNear(moment: number) {
  return fc.record({
    sentence: sentenceNear(moment),
    priority: fc.constantFrom(0, 0, 0, 1),
    isEnabled: fc.constantFrom(true, true, true, false),
    groups: fc.subarray(labels, { minLength: 1 }),
    shown: fc.array(fc.constantFrom(...assetIds, "gone"), { maxLength: 4 }),
  });
}

function named(
  { sentence, shown, ...fields }: DrawnPlaylist,
  at: number,
): NamedPlaylist {
  const items = shown.map((assetId, index) => ({
    ...{ id: `i${index}`, assetId, durationSeconds: index === 2 ? 90 : null },
  }));
  return {
    sentence,
    playlist: somePlaylist(`p${at}`, "", {
      ...{ ...fields, predicate: sentence.text, createdAt: at, items },
    }),
  };
}

function assertionNear(moment: number) {
  return fc
    .record({
      sentence: sentenceNear(moment),
      kind: fc.constantFrom("never" as const, "at-least" as const),
      assetIds: fc.constantFrom([], ["a"], ["a", "b"]),
      folders: fc.constantFrom(["Alcohol"], ["Alcohol"], []),
      labels: fc.constantFrom([], ["school"], ["lobby", "canteen"]),
      everyMs: fc.constantFrom(1, 2, 30, 90).map((one) => one * minuteMs),
    })
    .map((drawn) => ({ ...drawn, predicate: drawn.sentence.text }));
}

/** What one screen shows, over a time in which nothing can change. */
interface Sample {
  readonly lengthMs: number;
  readonly before: Naive;
  readonly after: Naive;
}

interface Naive {
  /** Entries with their durations. */
  readonly due: readonly { readonly id: string; readonly seconds: number }[];
  /** By assertion. */
  readonly applies: readonly boolean[];
}

export function compareFleet(given: FleetCase): void {
  const { before, after, assets, from, until } = given;
  const content = ({ playlists }: FleetSide): FleetContent => ({
    assets,
    playlists: playlists.map(({ playlist }) => playlist),
  });
  const assertions = given.assertions.map(({ assertion }) => assertion);
  const outcomes = inOneGo(
    simulate({
      ...{ before: content(before), after: content(after), from, until },
      classes: before.screens.map((was, at) => ({
        before: was,
        after: after.screens[at] ?? was,
      })),
      ...{ assertions, isForChangesOnly: false },
    }),
  );
  for (const [at, outcome] of outcomes.entries()) {
    const samples = samplesOf(given, at);
    const lengthWhere = (isIt: (sample: Sample) => boolean): number =>
      samples.reduce((sum, one) => (isIt(one) ? sum + one.lengthMs : sum), 0);
    const isOther = (one: Sample): boolean =>
      JSON.stringify(one.before.due) !== JSON.stringify(one.after.due);
    expect({
      changedMs: outcome.changes.totalMs,
      emptiedMs: outcome.emptiedMs,
      isEmpty: outcome.isEmpty,
    }).toEqual({
      changedMs: lengthWhere(isOther),
      emptiedMs: lengthWhere(
        (one) => isOther(one) && one.after.due.length === 0,
      ),
      isEmpty: samples.every((one) => one.after.due.length === 0),
    });
    const found = assertions.map(({ id }) => {
      const broken = outcome.assertions.find((each) => each.id === id);
      return [broken?.broken.totalMs ?? 0, broken?.newlyBroken.totalMs ?? 0];
    });
    const expected = assertions.map((assertion, index) => {
      const isSubject = (id: string): boolean =>
        assertion.assetIds.includes(id) ||
        (id === "beer" && assertion.folders.includes("Alcohol"));
      const naive = (side: "before" | "after") =>
        brokenSamples(
          assertion,
          samples.map((one) => ({ ...one[side], lengthMs: one.lengthMs })),
          index,
          isSubject,
        );
      const is = naive("after");
      const was = naive("before");
      const lengthOf = (isIt: (at: number) => boolean): number =>
        samples.reduce(
          (sum, one, place) => (isIt(place) ? sum + one.lengthMs : sum),
          0,
        );
      return [
        lengthOf((place) => is[place] === true),
        lengthOf((place) => is[place] === true && !was[place]),
      ];
    });
    expect(found).toEqual(expected);
  }
}

/** At every minute, and a millisecond before and after it: nothing changes anywhere else. */
function samplesOf(
  { before, after, assets, assertions, from, until }: FleetCase,
  screen: number,
): readonly Sample[] {
  const moments: number[] = [from, from + 1];
  for (let minute = from + minuteMs; minute < until; minute += minuteMs)
    moments.push(minute - 1, minute, minute + 1);
  moments.push(until - 1);
  const shown = assets.map(scheduledAsset);
  const naive = (side: FleetSide, moment: number): Naive => {
    const traits = side.screens[screen];
    if (!traits) throw new Error("there is no such screen");
    const { due } = verdictAt(
      {
        playlists: side.playlists,
        input: {
          ...{ assets: shown, zone: traits.zone, groups: traits.labels },
          playlists: side.playlists.map(({ playlist }) => playlist),
        },
      },
      moment,
    );
    const wall = shownBy(traits.zone, moment);
    return {
      due: due.map((text) => {
        const [, item, id = ""] = text.split(" ");
        return { id, seconds: item === "i2" ? 90 : 40 };
      }),
      applies: assertions.map(
        ({ assertion, sentence }) =>
          (assertion.labels.length === 0 ||
            assertion.labels.some((one) => traits.labels.includes(one))) &&
          truthOf(sentence, wall),
      ),
    };
  };
  return moments.map((moment, at) => ({
    lengthMs: (moments[at + 1] ?? until) - moment,
    before: naive(before, moment),
    after: naive(after, moment),
  }));
}

/** For each sample whether the assertion is broken in it. */
function brokenSamples(
  { kind, everyMs }: Assertion,
  samples: readonly (Naive & { readonly lengthMs: number })[],
  index: number,
  isSubject: (id: string) => boolean,
): readonly boolean[] {
  const applies = (at: number): boolean => samples[at]?.applies[index] === true;
  if (kind === "never")
    return samples.map(
      ({ due }, at) => applies(at) && due.some(({ id }) => isSubject(id)),
    );
  const isShown = samples.map(({ due }) => waitOf(due, isSubject) <= everyMs);
  const broken = samples.map(() => false);
  for (let at = 0; at < samples.length; at += 1) {
    if (!applies(at)) continue;
    let end = at;
    while (end < samples.length && applies(end)) end += 1;
    const isWhole = at > 0 && end < samples.length;
    for (let first = at; first < end; first += 1) {
      if (isShown[first]) continue;
      let last = first;
      let length = 0;
      while (last < end && !isShown[last])
        length += samples[last++]?.lengthMs ?? 0;
      const isAll = first === at && last === end;
      if (length > everyMs || (isWhole && isAll))
        broken.fill(true, first, last);
      first = last;
    }
    at = end;
  }
  return broken;
}

/** The longest wait for the subject, along two rounds of the lineup. */
function waitOf(due: Naive["due"], isSubject: (id: string) => boolean): number {
  if (!due.some(({ id }) => isSubject(id))) return Infinity;
  let longest = 0;
  let wait = 0;
  for (const { id, seconds } of [...due, ...due]) {
    wait = isSubject(id) ? 0 : wait + seconds;
    longest = Math.max(longest, wait);
  }
  return longest * 1000;
}
