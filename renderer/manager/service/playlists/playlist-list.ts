// The playlists of a content service with their items: one list, requested again only for what has changed (V3-193).

import {
  playlistColumns,
  playlistFieldFromV3,
  playlistFromV4,
  storedItemsOf,
  type StoredItem,
} from "../../../../server/contract/service-rows/playlist-from-row.ts";
import { isRow } from "../../../../server/contract/service-rows/read-rows.ts";
import type { PlaylistV2 } from "../../../../server/contract/v2/v2-playlists.ts";
import { refusedBy, type Refused } from "../requests/refused.ts";
import { serviceAccess } from "../requests/service-requests.ts";
import { withShownIds } from "./shown-item-ids.ts";

/** In the order of their creation, as a player lists them. */
const path = `/api/v4/playlists?select=${playlistColumns}&order=id.asc`;

interface Known {
  /** Null for a list that is too long to have one (V4-46). */
  readonly etag: string | null;
  readonly text: string;
  readonly playlists: readonly PlaylistV2[];
  readonly stored: readonly StoredItem[];
}

let known: Known | null = null;

/** Of the list that was read last. */
export function isPlaylistListKnown(): boolean {
  return known !== null;
}

export function isPlaylistListLong(): boolean {
  return known !== null && known.etag === null;
}

/** The items of all playlists in the list that was read last. */
export function listedItems(): readonly StoredItem[] {
  return known?.stored ?? [];
}

/** The oldest first. `isChanged` is about the list that was read before. */
export async function readPlaylistList(): Promise<
  | {
      readonly playlists: readonly PlaylistV2[];
      readonly isChanged: boolean;
    }
  | Refused
> {
  const before = known;
  const answer = await serviceAccess.request("GET", path, {
    etag: before?.etag ?? null,
  });
  if (answer.status === 304 && before)
    return { playlists: before.playlists.map(withShownIds), isChanged: false };
  if (answer.status !== 200 || !Array.isArray(answer.json))
    return refusedBy(answer, playlistFieldFromV3);
  const rows = answer.json.filter(isRow);
  const text = JSON.stringify(rows);
  const isChanged = before !== null && before.text !== text;
  known =
    before && !isChanged
      ? { ...before, etag: answer.etag }
      : {
          ...{ etag: answer.etag, text, stored: rows.flatMap(storedItemsOf) },
          playlists: rows.flatMap((row) => playlistFromV4(row) ?? []),
        };
  return { playlists: known.playlists.map(withShownIds), isChanged };
}
