// Compares what should be on an adopted player with what is there: what to create, change, remove and order (V3-115, V3-116).

import type { AssetChange } from "./anthias-client.ts";
import type { RemoteAsset } from "./player-rows.ts";
import type { Slot } from "./slots.ts";

/** A row of `adopted_assets`. */
export interface OwnAsset {
  readonly id: string;
  readonly slot: string;
  readonly source: string;
  readonly name: string;
  readonly marker: number;
  readonly remoteId: string | null;
  readonly tries: number;
  readonly dueAt: number;
  readonly problem: string | null;
}

export interface PlayerChanges {
  /** Those whose creation succeeded although its response was lost. */
  readonly found: readonly {
    readonly own: OwnAsset;
    readonly remoteId: string;
  }[];
  /** Their assets are no longer on the player. */
  readonly lost: readonly OwnAsset[];
  /** With the row of an attempt before, if there was one. */
  readonly create: readonly {
    readonly slot: Slot;
    readonly own: OwnAsset | null;
  }[];
  readonly change: readonly {
    readonly own: OwnAsset;
    readonly remoteId: string;
    readonly change: AssetChange;
    readonly slot: Slot;
  }[];
  /** No slot needs them any more. */
  readonly remove: readonly OwnAsset[];
  /** Created twice, because the player took longer than the service waited. */
  readonly removeTwice: readonly string[];
  /** Slots whose assets the player cannot show, with its reason. */
  readonly refused: readonly { readonly slot: Slot; readonly reason: string }[];
  /** Slots that are as they should be. */
  readonly settled: readonly Slot[];
}

/** Nothing that the service did not create is in the result, whatever it is named. */
export function planChanges(
  slots: readonly Slot[],
  owns: readonly OwnAsset[],
  remote: readonly RemoteAsset[],
): PlayerChanges {
  const remoteById = new Map(remote.map((one) => [one.id, one]));
  const known = new Set(owns.map(({ remoteId }) => remoteId));
  const unknown = remote.filter(({ id }) => !known.has(id));
  const found: PlayerChanges["found"][number][] = [];
  const removeTwice: string[] = [];
  for (const own of owns)
    for (const one of unknown)
      if (one.startsAt === own.marker) {
        const isFirst =
          own.remoteId === null &&
          !found.some((before) => before.own.id === own.id);
        if (isFirst) found.push({ own, remoteId: one.id });
        else removeTwice.push(one.id);
      }
  const foundIds = new Map(
    found.map(({ own, remoteId }) => [own.id, remoteId]),
  );
  const remoteOf = (own: OwnAsset): RemoteAsset | null =>
    remoteById.get(own.remoteId ?? foundIds.get(own.id) ?? "") ?? null;

  const ownBySlot = new Map(
    owns.map((own) => [placeOf(own.slot, own.source), own]),
  );
  const create: PlayerChanges["create"][number][] = [];
  const change: PlayerChanges["change"][number][] = [];
  const refused: PlayerChanges["refused"][number][] = [];
  const settled: Slot[] = [];
  const needed = new Set<string>();
  for (const slot of slots) {
    const own = ownBySlot.get(placeOf(slot.key, slot.source)) ?? null;
    if (own) needed.add(own.id);
    const there = own && remoteOf(own);
    if (!own || !there) {
      create.push({ slot, own });
      continue;
    }
    if (there.problem !== null) {
      refused.push({ slot, reason: there.problem });
      continue;
    }
    const differing = changeOf(slot, own, there);
    if (differing === null) settled.push(slot);
    else change.push({ own, slot, remoteId: there.id, change: differing });
  }
  const creating = new Set(create.map(({ slot }) => slot.key));
  const remove = owns.filter(
    // Until its successor is on the player, the asset before stays.
    ({ id, slot }) => !needed.has(id) && !creating.has(slot),
  );
  const lost = owns.filter(
    (own) => own.remoteId !== null && !remoteById.has(own.remoteId),
  );
  return {
    ...{ found, lost, create, change, remove, removeTwice },
    ...{ refused, settled },
  };
}

function placeOf(slot: string, source: string): string {
  return `${slot} ${source}`;
}

/** Null: nothing differs. The length of a video is the player's own. */
function changeOf(
  slot: Slot,
  own: OwnAsset,
  there: RemoteAsset,
): AssetChange | null {
  const change: AssetChange = {
    // The player may have added a number to make it unique.
    ...(slot.name !== own.name && { name: slot.name }),
    ...(slot.kind !== "video" &&
      slot.durationSeconds !== there.durationSeconds && {
        duration: slot.durationSeconds,
      }),
    ...(slot.isEnabled !== there.isEnabled && { is_enabled: slot.isEnabled }),
  };
  return Object.keys(change).length === 0 ? null : change;
}

export interface OrderInput {
  /** As the player lists them now. */
  readonly remote: readonly RemoteAsset[];
  /** Of the service's assets, those that are due, in order. */
  readonly due: readonly string[];
  readonly own: ReadonlySet<string>;
  /** Of the assets that it did not create; null: as they are now. */
  readonly kept: readonly string[] | null;
}

/**
 * All identifiers in the order to send; null: it is right already. Others first, in the order that they have among themselves:
 * where they stand between the service's assets does not matter, so that two services do not reorder each other's for ever.
 */
export function orderOf({
  remote,
  due,
  own,
  kept,
}: OrderInput): readonly string[] | null {
  const playing = inOrder(remote);
  const others = playing.filter((id) => !own.has(id));
  const keptOthers = kept === null ? others : keptOrder(others, kept);
  const dueNow = due.filter((id) => playing.includes(id));
  const isRight =
    isSame(others, keptOthers) &&
    isSame(
      playing.filter((id) => dueNow.includes(id)),
      dueNow,
    );
  if (isRight) return null;
  const rest = playing.filter((id) => own.has(id) && !dueNow.includes(id));
  return [...keptOthers, ...dueNow, ...rest];
}

/** By `play_order`; equal ones as they were created. */
export function inOrder(remote: readonly RemoteAsset[]): readonly string[] {
  return [...remote]
    .sort((one, other) => one.playOrder - other.playOrder)
    .map(({ id }) => id);
}

/** Those that came since are at the end. */
function keptOrder(
  others: readonly string[],
  kept: readonly string[],
): readonly string[] {
  const before = kept.filter((id) => others.includes(id));
  return [...before, ...others.filter((id) => !before.includes(id))];
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return (
    one.length === other.length && one.every((id, index) => id === other[index])
  );
}
