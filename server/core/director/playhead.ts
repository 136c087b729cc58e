// The playhead: what comes next on the screen, from the rotation, the place in it and what was requested.

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

/** What comes after the current slide: so many steps on, unless somebody asked for something else. */
export type ScreenRequest =
  | { readonly kind: "step"; readonly by: number }
  /** Once: the place stays where it was. */
  | { readonly kind: "show"; readonly assetId: string }
  /** The stage was lost: what it held is put back. */
  | {
      readonly kind: "put-back";
      readonly entryId: string;
      readonly isExtra: boolean;
    }
  | { readonly kind: "card" };

/** What happens while nobody asks for anything. */
export const onward: ScreenRequest = { kind: "step", by: 1 };

/** Where the rotation stands, and in which playlist; undefined before the first turn. */
export interface Playhead {
  readonly place: Place;
  readonly playlistId: string | null | undefined;
  /** Turns that were cut short since their whole playlist gave way; the newest last. */
  readonly cuts: readonly Cut[];
}

interface Cut {
  readonly place: Place;
  /** Its time was over just then: it does not begin again. */
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

/** A turn, and where the rotation stands with it. */
export interface Target {
  readonly entry: LineupEntry;
  readonly place: Place;
  /** Shown on command, beside the rotation. */
  readonly isExtra: boolean;
}

/** Null for the house card. */
export function targetOf(situation: Situation): Target | null {
  const { lineup, playhead, request } = situation;
  const find = (fits: (entry: LineupEntry) => boolean): Target | null =>
    targetAt(lineup, placeOf(lineup, playhead.place, fits));
  switch (request.kind) {
    case "card":
      return null;
    case "show": {
      const found = find(({ asset }) => asset.id === request.assetId);
      return found ? { ...found, isExtra: true } : onFrom(situation);
    }
    case "put-back": {
      const found = find(({ id }) => id === request.entryId);
      const { isExtra } = request;
      return found ? { ...found, isExtra } : onFrom(situation);
    }
    case "step": {
      const natural = request === onward ? onFrom(situation) : null;
      return natural ?? steppedFrom(situation, request.by);
    }
  }
}

/** Without anybody's doing: the same anew when it changed, what was cut when its time is back, else one step on. */
function onFrom(situation: Situation): Target | null {
  const { lineup, playhead, visible } = situation;
  const shown = visible?.entry;
  const isHere = shown && isPlaying(lineup, shown.playlistId);
  if (!isHere)
    for (const { place, playlistId, isOver } of playhead.cuts.toReversed()) {
      if (!isPlaying(lineup, playlistId)) continue;
      const back = placeOf(lineup, place, ({ id }) => id === place.entryId);
      // Behind the house card everything may be new: then it begins with its first turn.
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

/** A lineup without the playlist that the place is in begins with its first turn. */
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

/** Before the first turn of the next round. */
function afresh({ round }: Place): Place {
  return { ...startPlace, round: round + 1 };
}

function targetAt(lineup: OrderedLineup, place: Place | null): Target | null {
  const entry = entryAt(lineup, place);
  return entry && place ? { entry, place, isExtra: false } : null;
}

/** Whether a turn is still due, and looks as it did; what goes round and is to end by itself has to begin anew (V2-351). */
export function isDueIn(lineup: OrderedLineup, entry: LineupEntry): boolean {
  const now = entryNow(lineup, entry);
  return (
    now !== undefined &&
    contentKey(now.asset) === contentKey(entry.asset) &&
    isLooping(now) === isLooping(entry)
  );
}

/** The turn as it stands in this lineup. */
export function entryNow(
  lineup: OrderedLineup,
  entry: LineupEntry,
): LineupEntry | undefined {
  return lineup.entries.find(({ id }) => id === entry.id);
}

/** Where a turn that is passed over leads on to; null where there is no other. */
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

/** Where the rotation stands once `after` took the place of `before`. */
export function playheadAfter(
  { place, playlistId, cuts }: Playhead,
  before: PlannedShowing | null,
  after: PlannedShowing,
  { lineup, isOver }: { lineup: OrderedLineup; isOver: boolean },
): Playhead {
  const shown = after.entry?.playlistId;
  // Its playlist plays again: what was cut of it has been made good.
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

/** Out of its turn, since somebody asked for it: it leaves the rotation where it was. */
export function isOrdered({
  entry,
  place,
}: Pick<PlannedShowing, "entry" | "place">): boolean {
  return entry !== null && place === null;
}
