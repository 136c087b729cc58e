// Order of a lineup: rounds through its entries, shuffled or not; place and step → next entry.

import type { LineupEntry } from "./schedule.ts";

/** A place in the lineup: the current entry, its index, and the round. */
export interface Place {
  /** Null before the first entry. */
  readonly entryId: string | null;
  readonly index: number;
  /** Counts the passes through the lineup; each is shuffled again. */
  readonly round: number;
}

/** Before the first entry of the first round. */
export const startPlace: Place = { entryId: null, index: -1, round: 0 };

/** A lineup in the order in which its entries play, round by round. */
export interface OrderedLineup {
  /** In lineup order. */
  readonly entries: readonly LineupEntry[];
  /** The entries of this round in their order. */
  orderOf(round: number): readonly LineupEntry[];
}

export interface Shuffling {
  /** By playlist; null is the local playlist. */
  readonly isShuffled: (playlistId: string | null) => boolean;
  /** Any number; another seed gives other orders. */
  readonly seed: number;
}

/**
 * Playlists follow one another completely, each of them shuffled within itself or not. An order depends only on the seed, the round
 * and the set of entries: as long as those stay the same, so does the order; an entry that is added or removed leaves the others as
 * they were.
 */
export function orderLineup(
  entries: readonly LineupEntry[],
  { isShuffled, seed }: Shuffling,
): OrderedLineup {
  const parts = partsOf(entries);
  const isInOrder = parts.every(
    (part) => part.length < 3 || !isShuffled(part[0]?.playlistId ?? null),
  );
  // The last two requested: this round and the adjacent one.
  const orders = new Map<number, readonly LineupEntry[]>();

  function shuffledOrder(round: number): readonly LineupEntry[] {
    const cached = orders.get(round);
    if (cached) return cached;
    const order = parts.flatMap((part) =>
      isShuffled(part[0]?.playlistId ?? null)
        ? withoutRepeat(
            shuffled(part, seed, round),
            shuffled(part, seed, round - 1).at(-1),
          )
        : part,
    );
    if (orders.size > 1) orders.clear();
    orders.set(round, order);
    return order;
  }

  return {
    entries,
    orderOf: isInOrder ? () => entries : shuffledOrder,
  };
}

/** That many steps forward, or back if negative; null if the lineup is empty. A lost place is found again by its index. */
export function step(
  lineup: OrderedLineup,
  place: Place,
  by: number,
): Place | null {
  const { length } = lineup.entries;
  if (length === 0) return null;
  const order = lineup.orderOf(place.round);
  const position = order.findIndex(({ id }) => id === place.entryId);
  // The entry after a lost one has moved up to its index; before the first entry there is none to lose.
  const gap = by > 0 ? 1 : 0;
  const isLost = place.entryId !== null;
  const from = position < 0 ? (isLost ? place.index : 0) - gap : position;
  const to = from + by;
  const index = ((to % length) + length) % length;
  return placeAt(lineup, place.round + Math.floor(to / length), index);
}

/** The place of the first matching entry, searched from the given place on; null if there is none. */
export function placeOf(
  lineup: OrderedLineup,
  place: Place,
  fits: (entry: LineupEntry) => boolean,
): Place | null {
  const order = lineup.orderOf(place.round);
  const ahead = order.findIndex(
    (entry, index) => index >= place.index && fits(entry),
  );
  const index = ahead < 0 ? order.findIndex(fits) : ahead;
  return index < 0 ? null : placeAt(lineup, place.round, index);
}

/** The entry at a place; undefined if the place is lost. */
export function entryAt(
  lineup: OrderedLineup,
  place: Place | null,
): LineupEntry | undefined {
  if (!place) return undefined;
  const order = lineup.orderOf(place.round);
  const entry = order[place.index];
  return entry?.id === place.entryId
    ? entry
    : order.find(({ id }) => id === place.entryId);
}

function placeAt(lineup: OrderedLineup, round: number, index: number): Place {
  const entry = lineup.orderOf(round)[index];
  return { entryId: entry?.id ?? null, index, round };
}

/** The lineup split where one playlist is followed by the next. */
function partsOf(
  entries: readonly LineupEntry[],
): readonly (readonly LineupEntry[])[] {
  const parts: LineupEntry[][] = [];
  for (const entry of entries) {
    const last = parts.at(-1);
    if (last?.[0]?.playlistId === entry.playlistId) last?.push(entry);
    else parts.push([entry]);
  }
  return parts;
}

/** Fewer than three keep their order: any other would repeat an entry at the boundary of every second round. */
function shuffled(
  part: readonly LineupEntry[],
  seed: number,
  round: number,
): readonly LineupEntry[] {
  if (part.length < 3) return part;
  return part
    .map((entry) => ({ entry, lot: lotOf(entry.id, seed, round) }))
    .sort((a, b) => a.lot - b.lot)
    .map(({ entry }) => entry);
}

/** The last asset of the round before does not begin this one; the last one of this round stays where it is. */
function withoutRepeat(
  order: readonly LineupEntry[],
  before: LineupEntry | undefined,
): readonly LineupEntry[] {
  const [first] = order;
  if (!first || first.asset.id !== before?.asset.id) return order;
  const other = order.findIndex(
    ({ asset }, index) =>
      index < order.length - 1 && asset.id !== first.asset.id,
  );
  if (other < 0) return order;
  const reordered = [...order];
  [reordered[0], reordered[other]] = [order[other] ?? first, first];
  return reordered;
}

/** Pseudo-random number of an entry in a round: uniformly distributed, and always the same for the same arguments. */
function lotOf(entryId: string, seed: number, round: number): number {
  let lot =
    Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(round + 1, 0xc2b2ae35);
  for (let at = 0; at < entryId.length; at += 1)
    lot = Math.imul(lot ^ entryId.charCodeAt(at), 0x01000193);
  lot = Math.imul(lot ^ (lot >>> 16), 0x85ebca6b);
  lot = Math.imul(lot ^ (lot >>> 13), 0xc2b2ae35);
  return (lot ^ (lot >>> 16)) >>> 0;
}
