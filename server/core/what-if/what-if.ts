// Simulates a change of content or labels over a whole fleet: which screens show what differently, and which assertions break.

import type { Playlist } from "../playlist.ts";
import {
  compileSchedule,
  type LineupEntry,
  type Span,
} from "../schedule/schedule.ts";
import type { Sliced } from "../slices.ts";
import {
  brokenPeriods,
  isAbout,
  periodsOfPredicate,
  subjectOf,
  type Assertion,
} from "./assertion.ts";
import {
  changesBetween,
  contentComparison,
  type Change,
} from "./compare-lineups.ts";
import {
  playlistFinder,
  scheduledAsset,
  type FleetContent,
  type ScreenClass,
  type ScreenTraits,
} from "./fleet.ts";
import { difference, lengthOf, type Period } from "./periods.ts";

export interface WhatIfInput extends Period {
  readonly before: FleetContent;
  readonly after: FleetContent;
  readonly classes: readonly ScreenClass[];
  readonly assertions: readonly Assertion[];
  /** Assertions are only checked where something changes. */
  readonly isForChangesOnly: boolean;
}

/** Periods that are listed of each kind; all of them are counted. */
export interface ListedPeriods<T extends Period> {
  readonly count: number;
  readonly totalMs: number;
  readonly first: readonly T[];
}

export interface BrokenAssertion {
  readonly id: string;
  readonly broken: ListedPeriods<Period>;
  /** Of these, what isn't broken without the change. */
  readonly newlyBroken: ListedPeriods<Period>;
}

export interface ClassOutcome {
  readonly changes: ListedPeriods<Change>;
  /** When nothing is due any more, although something was. */
  readonly emptiedMs: number;
  /** Nothing is due at any time. */
  readonly isEmpty: boolean;
  /** Only those that are broken. */
  readonly assertions: readonly BrokenAssertion[];
}

const listedPeriods = 20;

/** The outcome of each class, by its index; a slice is the work for one class. */
export function* simulate(input: WhatIfInput): Sliced<readonly ClassOutcome[]> {
  const { classes, isForChangesOnly, assertions } = input;
  const contentIds = new Map<string, number>();
  const before = sideOf(input.before, input, contentIds);
  const after = sideOf(input.after, input, contentIds);
  const isSameContent = contentComparison();
  const outcomes = new Map<string, ClassOutcome>();
  const list: ClassOutcome[] = [];
  for (const { before: old, after: now } of classes) {
    const was = before.screen(old);
    const will = after.screen(now);
    const key = `${was.key} ${was.assertions} ${will.key} ${will.assertions}`;
    const known = outcomes.get(key);
    if (known) {
      list.push(known);
      continue;
    }
    const isSame = was.key === will.key && was.assertions === will.assertions;
    const outcome =
      isSame && isForChangesOnly
        ? unchanged
        : outcomeOf(was, isSame ? was : will);
    outcomes.set(key, outcome);
    list.push(outcome);
    yield;
  }
  return list;

  function outcomeOf(
    was: SimulatedScreen,
    will: SimulatedScreen,
  ): ClassOutcome {
    const spans = will.spans();
    const changes =
      was.key === will.key
        ? []
        : changesBetween(was.spans(), spans, isSameContent);
    const emptied = changes.filter((change) => change.after.length === 0);
    return {
      changes: listed(changes),
      emptiedMs: lengthOf(emptied),
      isEmpty: spans.every(({ playlists }) => playlists.length === 0),
      assertions: assertions.flatMap(
        (assertion): readonly BrokenAssertion[] => {
          const broken = will.broken(assertion);
          if (broken.length === 0) return [];
          const newlyBroken =
            was === will ? [] : difference(broken, was.broken(assertion));
          return [
            {
              id: assertion.id,
              broken: listed(broken),
              newlyBroken: listed(newlyBroken),
            },
          ];
        },
      ),
    };
  }
}

function listed<T extends Period>(periods: readonly T[]): ListedPeriods<T> {
  return {
    count: periods.length,
    totalMs: lengthOf(periods),
    first: periods.slice(0, listedPeriods),
  };
}

const unchanged: ClassOutcome = {
  ...{ changes: listed<Change>([]), emptiedMs: 0, isEmpty: false },
  assertions: [],
};

/** A screen with certain traits, before or after the change. */
interface SimulatedScreen {
  /** The same for the same zone and the same playlists with the same content. */
  readonly key: string;
  /** The assertions that are about it, by their indexes. */
  readonly assertions: string;
  spans(): readonly Span[];
  broken(assertion: Assertion): readonly Period[];
}

/** `contentIds`: the same number for playlists that are due at the same times with the same content. */
function sideOf(
  content: FleetContent,
  { from, until, assertions }: WhatIfInput,
  contentIds: Map<string, number>,
) {
  const assets = new Map(content.assets.map((asset) => [asset.id, asset]));
  const scheduled = new Map(
    content.assets.map((asset) => [asset.id, scheduledAsset(asset)]),
  );
  const playlistsFor = playlistFinder(content);
  const keys = new Map(
    content.playlists.map((playlist) => {
      const text = contentKey(playlist);
      const id = contentIds.get(text) ?? contentIds.size;
      contentIds.set(text, id);
      return [playlist, id];
    }),
  );
  const subjects = new Map(
    assertions.map((assertion) => [assertion, subjectOf(assertion, assets)]),
  );
  const windows = new Map<string, readonly Period[]>();
  const secondsOf = ({ asset, durationSeconds }: LineupEntry): number =>
    durationSeconds ?? asset.durationSeconds;

  function appliesIn(predicate: string, zone: string): readonly Period[] {
    const key = `${zone} ${predicate}`;
    const known = windows.get(key);
    if (known) return known;
    const found = periodsOfPredicate(predicate, zone, { from, until });
    windows.set(key, found);
    return found;
  }

  function contentKey(playlist: Playlist): string {
    const { id, predicate, priority, isEnabled, createdAt } = playlist;
    const { transition, items } = playlist;
    return JSON.stringify([
      ...[id, predicate, priority, isEnabled, createdAt, transition],
      items.map((item) => {
        const asset = assets.get(item.assetId);
        return [
          ...[item.assetId, item.durationSeconds, asset?.durationSeconds],
          ...[asset?.isPlayable, asset?.folder],
        ];
      }),
    ]);
  }

  function screen({ zone, labels }: ScreenTraits): SimulatedScreen {
    const playlists = playlistsFor(labels);
    const labelSet = new Set(labels);
    const concerned = assertions.filter((each) => isAbout(each, labelSet));
    let spans: readonly Span[] | null = null;
    const timeline = (): readonly Span[] => {
      const ids = new Set(
        playlists.flatMap(({ items }) => items.map(({ assetId }) => assetId)),
      );
      return compileSchedule({
        assets: [...ids].flatMap((id) => scheduled.get(id) ?? []),
        playlists: playlists.map((playlist) => ({ ...playlist, groups: [] })),
        ...{ zone, groups: [] },
      }).timeline(from, until);
    };
    return {
      key: `${zone} ${playlists.map((playlist) => keys.get(playlist)).join()}`,
      assertions: concerned.map(({ id }) => id).join(),
      spans: () => (spans ??= timeline()),
      broken: (assertion) =>
        concerned.includes(assertion)
          ? brokenPeriods(assertion, {
              spans: (spans ??= timeline()),
              applies: appliesIn(assertion.predicate, zone),
              isSubject: subjects.get(assertion) ?? (() => false),
              secondsOf,
            })
          : [],
    };
  }

  return { screen };
}
