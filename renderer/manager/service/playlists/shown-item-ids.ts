// The identifiers under which the page shows items of playlists: an item that was added here keeps the one that it was given here,
// whatever the service calls it, so that its row stays the same one, and that undoing finds it.

import type { PlaylistV2 } from "../../../../server/contract/v2/v2-playlists.ts";
import { takeStored } from "../../place/tab-storage.ts";
import type { StoredItem } from "../../../../server/contract/service-rows/playlist-from-row.ts";

/** By playlist, then by the service's identifier. */
const shownIds = new Map<string, ReadonlyMap<string, string>>();
const storedUnder = "vitrine-item-ids";

/** An undo step survives a reload of the page, and names items. */
function restore(): void {
  const text = takeStored(storedUnder);
  if (text === null) return;
  for (const [id, ids] of JSON.parse(text) as [string, [string, string][]][])
    shownIds.set(id, new Map(ids));
}

function store(): void {
  const entries = [...shownIds].map(([id, ids]) => [id, [...ids]]);
  try {
    if (entries.length > 0)
      sessionStorage.setItem(storedUnder, JSON.stringify(entries));
  } catch {
    // Without space, undoing after the reload reports what it doesn't find.
  }
}

restore();
if ("addEventListener" in globalThis) addEventListener("pagehide", store);

export function shownIdOf(playlistId: string, itemId: string): string {
  return shownIds.get(playlistId)?.get(itemId) ?? itemId;
}

/** What was written, and the items that the service has stored for it, in the same order. */
export function noteShownIds(
  playlistId: string,
  shown: readonly string[],
  stored: readonly StoredItem[],
): void {
  const others = stored.flatMap(({ id }, at): [string, string][] => {
    const own = shown[at];
    return own === undefined || own === id ? [] : [[id, own]];
  });
  if (others.length === 0) shownIds.delete(playlistId);
  else shownIds.set(playlistId, new Map(others));
}

/** The same playlist where all its items are shown under the service's own identifiers. */
export function withShownIds(playlist: PlaylistV2): PlaylistV2 {
  const { playlist_id: id, items } = playlist;
  if (!shownIds.has(id)) return playlist;
  return {
    ...playlist,
    items: items.map((item) => ({
      ...item,
      item_id: shownIdOf(id, item.item_id),
    })),
  };
}
