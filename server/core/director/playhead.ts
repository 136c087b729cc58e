// Playhead: decides what comes next on the screen from the lineup, the place in it and the request.

import {
  placeOf,
  startPlace,
  step,
  entryAt,
  type Place,
  type OrderedLineup,
} from "../schedule/ordered-lineup.ts";
import type { LineupEntry } from "../schedule/schedule.ts";
import { contentKey, isLooping } from "../showing.ts";
import type { PlannedShowing } from "./planned-showing.ts";

/** What comes after the current showing: that many steps forward, unless something else was requested. */
export type ScreenRequest =
  | { readonly kind: "step"; readonly by: number }
  /** Once: the place does not change. */
  | { readonly kind: "show"; readonly assetId: string }
  /** The stage was lost: what was on it is restored. */
  | {
      readonly kind: "put-back";
      readonly entryId: string;
      readonly isExtra: boolean;
    }
  | { readonly kind: "card" };

/** The default, without a request. */
export const onward: ScreenRequest = { kind: "step", by: 1 };

/** Position in the lineup, and its playlist; undefined before the first entry. */
export interface Playhead {
  readonly place: Place;
  readonly playlistId: string | null | undefined;
  /** Entries that were cut short because their whole playlist was replaced; newest last. */
  readonly cuts: readonly Cut[];
}

interface Cut {
  readonly place: Place;
  /** It had just reached its end: it is not started again. */
  readonly isOver: boolean;
  readonly playlistId: string | null;
}

export const atStart: Playhead = {
  ...{ place: startPlace, playlistId: undefined, cuts: [] },
};

export interface Situation {
  readonly lineup: OrderedLineup;
  readonly playhead: Playhead;
  readonly request: ScreenRequest;
  readonly visible: PlannedShowing | null;
}

/** An entry, and the place of the playhead with it. */
export interface Target {
  readonly entry: LineupEntry;
  readonly place: Place;
  /** Shown on request, without moving the playhead. */
  readonly isExtra: boolean;
}

/** Null for the idle screen. */
export function targetOf(situation: Situation): Target | null {
  const { lineup, playhead, request } = situation;
  const find = (fits: (entry: LineupEntry) => boolean): Target | null =>
    targetAt(lineup, placeOf(lineup, playhead.place, fits));
  switch (request.kind) {
    case "card":
      return null;
    case "show": {
      const entry = find(({ asset }) => asset.id === request.assetId);
      return entry ? { ...entry, isExtra: true } : onFrom(situation);
    }
    case "put-back": {
      const entry = find(({ id }) => id === request.entryId);
      const { isExtra } = request;
      return entry ? { ...entry, isExtra } : onFrom(situation);
    }
    case "step": {
      const natural = request === onward ? onFrom(situation) : null;
      return natural ?? steppedFrom(situation, request.by);
    }
  }
}

/** Without a request: the same entry again if it changed, a cut entry if its playlist plays again, otherwise one step forward. */
function onFrom(situation: Situation): Target | null {
  const { lineup, playhead, visible } = situation;
  const shown = visible?.entry;
  const isHere = shown && isPlaying(lineup, shown.playlistId);
  if (!isHere)
    for (const { place, playlistId, isOver } of playhead.cuts.toReversed()) {
      if (!isPlaying(lineup, playlistId)) continue;
      const back = placeOf(lineup, place, ({ id }) => id === place.entryId);
      // After the idle screen everything may be new: the playlist then starts with its first entry.
      if (!back && !visible?.takeover && !visible?.entry) continue;
      const on = isOver || !back ? step(lineup, place, 1) : back;
      return targetAt(lineup, on);
    }
  const isOther = shown && entryNow(lineup, shown) && !isDueIn(lineup, shown);
  if (isOther)
    return targetAt(
      lineup,
      placeOf(lineup, playhead.place, ({ id }) => id === shown.id),
    );
  return steppedFrom(situation, 1);
}

/** A lineup without the playlist of the place starts with its first entry. */
function steppedFrom(
  { lineup, playhead }: Situation,
  by: number,
): Target | null {
  const { place, playlistId } = playhead;
  const isElsewhere =
    playlistId !== undefined && !isPlaying(lineup, playlistId);
  const from = isElsewhere ? afresh(place) : place;
  return targetAt(lineup, step(lineup, from, by));
}

/** Before the first entry of the next round. */
function afresh({ round }: Place): Place {
  return { ...startPlace, round: round + 1 };
}

function targetAt(lineup: OrderedLineup, place: Place | null): Target | null {
  const entry = entryAt(lineup, place);
  return entry && place ? { entry, place, isExtra: false } : null;
}

/** Whether an entry is still due and looks unchanged; one that loops and is now to end by itself has to start again (V2-351). */
export function isDueIn(lineup: OrderedLineup, entry: LineupEntry): boolean {
  const now = entryNow(lineup, entry);
  return (
    now !== undefined &&
    contentKey(now.asset) === contentKey(entry.asset) &&
    isLooping(now) === isLooping(entry)
  );
}

/** The entry as it is in this lineup. */
export function entryNow(
  lineup: OrderedLineup,
  entry: LineupEntry,
): LineupEntry | undefined {
  return lineup.entries.find(({ id }) => id === entry.id);
}

/** The place after an entry that is skipped; null if there is no other. */
export function afterOf(
  lineup: OrderedLineup,
  { entry, place }: Pick<PlannedShowing, "entry" | "place">,
): Place | null {
  const after = place && step(lineup, place, 1);
  return entry && after?.entryId !== entry.id ? after : null;
}

function isPlaying(lineup: OrderedLineup, playlistId: string | null): boolean {
  return lineup.entries.some((entry) => entry.playlistId === playlistId);
}

/** The playhead after `after` has replaced `before`. */
export function playheadAfter(
  { place, playlistId, cuts }: Playhead,
  before: PlannedShowing | null,
  after: PlannedShowing,
  { lineup, isOver }: { lineup: OrderedLineup; isOver: boolean },
): Playhead {
  const shown = after.entry?.playlistId;
  // Its playlist plays again: its cut has been made up for.
  const left = cuts.filter((cut) => !after.entry || cut.playlistId !== shown);
  const isCut =
    before?.entry &&
    place.entryId !== null &&
    playlistId !== undefined &&
    (after.takeover !== null || !isPlaying(lineup, playlistId));
  const isNothingDue = !after.entry && lineup.entries.length === 0;
  const rest = isNothingDue && !after.takeover ? afresh(place) : place;
  return {
    place: after.place ?? rest,
    playlistId: after.place || rest !== place ? shown : playlistId,
    cuts: isCut ? [...left, { place, playlistId, isOver }] : left,
  };
}

/** Shown on request, outside the order: the playhead stays where it was. */
export function isOrdered({
  entry,
  place,
}: Pick<PlannedShowing, "entry" | "place">): boolean {
  return entry !== null && place === null;
}
