// What the library calls an asset: never otherwise than what the schedule makes of it.

import { expect, it } from "vitest";
import type { AssetView } from "../../../../server/contract/ipc.ts";
import { assetStateAt } from "../../../../renderer/manager/library/asset-state.ts";

const asset = (more: Partial<AssetView>): AssetView => ({
  ...{ id: "a", name: "A", uri: "", kind: "image", mimetype: "image" },
  ...{ startsAt: null, endsAt: null, durationSeconds: 10, sizeBytes: 1 },
  ...{ isEnabled: true, isActive: false, isProcessing: false, playOrder: 0 },
  ...{ fileUrl: null, problem: null, folder: "", isPlaylistOnly: false },
  ...{ lengthSeconds: null, ...more },
});

it.each([
  ["without dates, in no playlist", {}, false, "undated"],
  [
    "that follows playlists, in none",
    { isPlaylistOnly: true },
    false,
    "undated",
  ],
  ["that follows playlists", { isPlaylistOnly: true }, true, "in-playlists"],
  ["without dates, in a playlist", {}, true, "in-playlists"],
  ["of a playlist, with its start ahead", { startsAt: 9 }, true, "not-yet"],
  ["of a playlist, with its end behind it", { endsAt: 5 }, true, "expired"],
  ["of a playlist, disabled", { isEnabled: false }, true, "disabled"],
  ["inside its dates", { startsAt: 0, endsAt: 9 }, true, "active"],
  ["before its dates", { startsAt: 6, endsAt: 9 }, false, "not-yet"],
  ["behind its dates", { startsAt: 0, endsAt: 5 }, false, "expired"],
] as const)(
  "an asset %s is called what it is",
  (_which, more, isInPlaylist, state) => {
    expect(assetStateAt(asset(more), false, 5, isInPlaylist)).toBe(state);
    expect(assetStateAt(asset(more), true, 5, isInPlaylist)).toBe("on-glass");
  },
);
