// The playlist operations of version 2, beyond the specification.

import { bodyRefusals, inPath, operation } from "./v2-operation.ts";

const playlistId = inPath(
  "id",
  "The playlist's identifier.",
  "0f1e2d3c4b5a69788796a5b4c3d2e1f0",
);
const noPlaylist = { 404: "There is no playlist with this identifier." };
const otherItems = {
  409: "`items_revision` is outdated; nothing was changed.",
};
const onePlaylist = {
  description: "The playlist.",
  shape: "Playlist",
} as const;
const lunch = {
  name: "Lunch",
  predicate: "$TIME BETWEEN {41400000, 50400000} AND NOT $WEEKDAY IN {0, 6}",
  priority: 1,
  items: [{ asset_id: "4b0c7b0e6f1d4f0f9a4b2c1d0e9f8a7b", duration: 15 }],
};

export const playlistOperationsV2 = [
  operation("get", "/api/v2/playlists", {
    ...{ id: "listPlaylists", group: "Playlists", rules: [110] },
    summary: "List playlists in order of creation",
    answers: { 200: { description: "All playlists.", list: "Playlist" } },
  }),
  operation("post", "/api/v2/playlists", {
    ...{ id: "createPlaylist", group: "Playlists" },
    rules: [5, 6, 110, 111, 112, 114, 116],
    summary: "Create a playlist",
    body: { shape: "WholePlaylist", example: lunch },
    answers: { 201: onePlaylist },
    refusals: bodyRefusals,
  }),
  operation("get", "/api/v2/playlists/:id", {
    ...{ id: "readPlaylist", group: "Playlists", rules: [110, 113] },
    summary: "Get a playlist",
    parameters: [playlistId],
    answers: { 200: onePlaylist },
    refusals: noPlaylist,
  }),
  operation("patch", "/api/v2/playlists/:id", {
    ...{ id: "changePlaylist", group: "Playlists" },
    rules: [6, 110, 111, 112, 114, 116, 431, 432, 807],
    summary: "Update the given fields",
    parameters: [playlistId],
    body: {
      ...{ shape: "PatchPlaylist", isOptional: true },
      example: { is_enabled: false },
    },
    answers: { 200: onePlaylist },
    refusals: {
      ...{ ...bodyRefusals, ...noPlaylist },
      409: "`items_revision` or `expected` is outdated; nothing was changed.",
    },
  }),
  operation("put", "/api/v2/playlists/:id", {
    ...{ id: "updatePlaylist", group: "Playlists" },
    rules: [6, 110, 111, 112, 114, 116, 431, 432],
    summary: "Replace a playlist; omitted fields take their defaults",
    parameters: [playlistId],
    body: { shape: "WholePlaylist", example: lunch },
    answers: { 200: onePlaylist },
    refusals: { ...bodyRefusals, ...noPlaylist, ...otherItems },
  }),
  operation("delete", "/api/v2/playlists/:id", {
    ...{ id: "deletePlaylist", group: "Playlists", rules: [110] },
    summary: "Delete a playlist; its assets are kept",
    parameters: [playlistId],
    answers: { 204: { description: "Deleted." } },
    refusals: noPlaylist,
  }),
  operation("post", "/api/v2/playlists/:id/items", {
    ...{ id: "appendPlaylistItems", group: "Playlists" },
    rules: [5, 6, 112, 430, 431, 432],
    summary: "Append items to a playlist",
    parameters: [playlistId],
    body: {
      shape: "AppendItems",
      example: { items: [{ asset_id: lunch.items[0]?.asset_id }] },
    },
    answers: { 200: onePlaylist },
    refusals: { ...bodyRefusals, ...noPlaylist, ...otherItems },
  }),
];
