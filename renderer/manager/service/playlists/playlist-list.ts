// The playlists of a content service with their items, the oldest first, as a player lists them.

import {
  playlistColumns,
  playlistFieldFromV3,
  playlistFromV4,
  storedItemsOf,
} from "../../../../server/contract/service-rows/playlist-from-row.ts";
import { createTaggedList } from "../../service-requests/tagged-list.ts";

export const playlistList = createTaggedList({
  path: `/api/v4/playlists?select=${playlistColumns}&order=id.asc`,
  convert: (rows) => ({
    playlists: rows.flatMap((row) => playlistFromV4(row) ?? []),
    /** The items of all of them. */
    stored: rows.flatMap(storedItemsOf),
  }),
  nameOf: playlistFieldFromV3,
});
