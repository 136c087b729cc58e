// The playlist operations: list, create, read, change, delete (V2-110).

import { isDeepStrictEqual } from "node:util";
import { playerSentences } from "../../../contract/sentences/player-sentences.ts";
import { composeSentence } from "../../../contract/sentence-templates.ts";
import {
  appendItemsV2,
  patchPlaylistV2,
  playlistV2,
  type PlaylistV2,
} from "../../../contract/v2/v2-playlists.ts";
import { momentToText } from "../../../contract/v2/v2-values.ts";
import { Failure } from "../../../core/failure.ts";
import type { Playlist } from "../../../core/playlist.ts";
import type { SharedFlush } from "../../../platform/sqlite/shared-flush.ts";
import {
  itemsRevisionOf,
  type PlaylistChange,
  type PlaylistDraft,
  type Playlists,
} from "../../playlists/playlists.ts";
import { parseBody } from "../request/body.ts";
import type { Handlers } from "../request/handlers.ts";

export interface PlaylistOperationsOptions {
  readonly playlists: Playlists;
  readonly flush: SharedFlush;
}

/** Defaults for fields that a client omits: every day, all day, on every screen. */
const plain: Omit<PlaylistDraft, "name"> = {
  predicate: "TRUE",
  priority: 0,
  isEnabled: true,
  groups: [],
  transition: null,
  isShuffled: null,
  items: [],
};

/** Throws `conflict` where a field has another value by now (V2-807). */
function requireExpected(
  playlist: Playlist,
  expected: Readonly<Record<string, unknown>> = {},
): void {
  const stored: Readonly<Record<string, unknown>> = {
    ...playlistToV2(playlist),
  };
  const other = Object.keys(expected).find(
    (field) => !isDeepStrictEqual(stored[field], expected[field]),
  );
  if (other === undefined) return;
  throw new Failure(
    "conflict",
    composeSentence(playerSentences["changed-elsewhere"], { fields: other }),
  );
}

export function playlistOperations(options: PlaylistOperationsOptions) {
  const { playlists, flush } = options;
  return {
    listPlaylists: (_request, response) => {
      response.json(playlists.all().map(playlistToV2));
    },
    createPlaylist: async (request, response) => {
      const draft = draftFromV2(parseBody(request, playlistV2));
      const created = await flush.after(() => playlists.create(draft));
      response.status(201).json(playlistToV2(created));
    },
    readPlaylist: (request, response) => {
      response.json(playlistToV2(playlists.playlist(request.params.id)));
    },
    changePlaylist: async (request, response) => {
      const body = parseBody(request, patchPlaylistV2);
      const { id } = request.params;
      const changed = await flush.after(() => {
        requireExpected(playlists.playlist(id), body.expected);
        return playlists.change(id, changeFromV2(body), body.items_revision);
      });
      response.json(playlistToV2(changed));
    },
    updatePlaylist: async (request, response) => {
      const body = parseBody(request, playlistV2);
      const { id } = request.params;
      const changed = await flush.after(() =>
        playlists.change(id, draftFromV2(body), body.items_revision),
      );
      response.json(playlistToV2(changed));
    },
    deletePlaylist: async (request, response) => {
      await flush.after(() => playlists.remove(request.params.id));
      response.status(204).end();
    },
    appendPlaylistItems: async (request, response) => {
      const { items, items_revision } = parseBody(request, appendItemsV2);
      const { id } = request.params;
      const changed = await flush.after(() =>
        playlists.append(id, items, items_revision),
      );
      response.json(playlistToV2(changed));
    },
  } satisfies Partial<Handlers>;
}

function playlistToV2(playlist: Playlist): PlaylistV2 {
  return {
    playlist_id: playlist.id,
    name: playlist.name,
    predicate: playlist.predicate,
    priority: playlist.priority,
    is_enabled: playlist.isEnabled,
    groups: playlist.groups,
    transition: playlist.transition,
    shuffle: playlist.isShuffled,
    items: playlist.items.map((item) => ({
      item_id: item.id,
      asset_id: item.assetId,
      duration: item.durationSeconds,
    })),
    items_revision: itemsRevisionOf(playlist),
    created: momentToText(playlist.createdAt),
  };
}

function draftFromV2(body: ReturnType<typeof playlistV2.parse>): PlaylistDraft {
  const sent = Object.entries(changeFromV2(body)).filter(
    ([, value]) => value !== undefined,
  );
  return { ...plain, name: body.name, ...Object.fromEntries(sent) };
}

function changeFromV2(
  body: ReturnType<typeof patchPlaylistV2.parse>,
): PlaylistChange {
  return {
    name: body.name,
    predicate: body.predicate,
    priority: body.priority,
    isEnabled: body.is_enabled,
    groups: body.groups,
    transition: body.transition,
    isShuffled: body.shuffle,
    items: body.items,
  };
}
