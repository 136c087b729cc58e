// An item keeps here the identifier it was put in under: its row stays the same one, in the hand too, when the player names it.

import type { PlaylistV2 } from "../../../server/contract/v2-playlists.ts";
import type { Items } from "./order.ts";

/** By the player's identifier. */
export type FirstNames = Map<string, string>;

/** Of this desk, for as long as it is open. */
export const firstNames: FirstNames = new Map();

/** What was sent, beside what the player made of it. */
export function noteNames(names: FirstNames, sent: Items, kept: Items): void {
  const known = new Set(sent.map(({ item_id }) => item_id));
  const isTheSame =
    sent.length === kept.length &&
    sent.every(({ asset_id }, place) => asset_id === kept[place]?.asset_id);
  if (!isTheSame) return;
  for (const [place, { item_id: first }] of sent.entries()) {
    const own = kept[place]?.item_id;
    if (own !== undefined && !known.has(own) && !names.has(own))
      names.set(own, names.get(first) ?? first);
  }
}

const renamed = new WeakMap<PlaylistV2, PlaylistV2>();

/** As they were first named, each item of a playlist by a name of its own; the same ones for the same playlists. */
export function asFirstNamed(
  names: FirstNames,
  playlists: readonly PlaylistV2[],
): readonly PlaylistV2[] {
  return playlists.map((playlist) => {
    const taken = new Set(playlist.items.map(({ item_id }) => item_id));
    const items = playlist.items.map((item) => {
      const first = names.get(item.item_id);
      if (first === undefined || taken.has(first)) return item;
      taken.add(first);
      return { ...item, item_id: first };
    });
    if (items.every((item, place) => item === playlist.items[place]))
      return playlist;
    const done = renamed.get(playlist) ?? { ...playlist, items };
    renamed.set(playlist, done);
    return done;
  });
}
