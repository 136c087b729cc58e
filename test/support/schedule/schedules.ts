// Assets, playlists and schedules for tests of what is due, with defaults for everything that does not matter.

import {
  plainPresentation,
  plainWebOptions,
  type Asset,
} from "../../../server/core/asset.ts";
import type { Playlist } from "../../../server/core/playlist.ts";
import {
  compileSchedule,
  type Schedule,
  type ScheduleInput,
} from "../../../server/core/schedule/schedule.ts";

export const hourMs = 3_600_000;
/** A Wednesday. */
export const noon = Date.parse("2026-07-01T12:00Z");

export function scheduleOf(input: Partial<ScheduleInput>): Schedule {
  return compileSchedule({
    ...{ assets: [], playlists: [], zone: "UTC", groups: [], ...input },
  });
}

/** A page that is always active. */
export function someAsset(id: string, overrides: Partial<Asset> = {}): Asset {
  return {
    ...{ id, name: id, uri: "https://example.org/", mimetype: "webpage" },
    ...{ startsAt: 0, endsAt: 1e14, durationSeconds: 5, isEnabled: true },
    ...{ isProcessing: false, noCache: false, skipAssetCheck: false },
    ...{ playOrder: 0, isPlaylistOnly: false, hours: null, folder: "" },
    ...{ presentation: plainPresentation, web: plainWebOptions },
    ...{ metadata: {}, file: null, problem: null, ...overrides },
  };
}

/** Assets that play in playlists only, one for each letter. */
export function listed(ids: string, overrides: Partial<Asset> = {}): Asset[] {
  return [...ids].map((id) =>
    someAsset(id, { isPlaylistOnly: true, ...overrides }),
  );
}

/** A playlist that is always eligible, with an item for each letter. */
export function somePlaylist(
  id: string,
  assetIds: string,
  overrides: Partial<Playlist> = {},
): Playlist {
  return {
    ...{ id, name: `Playlist ${id}`, predicate: "TRUE", priority: 0 },
    ...{ isEnabled: true, groups: [], transition: null, isShuffled: null },
    items: [...assetIds].map((assetId, index) => ({
      ...{ id: `${id}${index}`, assetId, durationSeconds: null },
    })),
    ...{ createdAt: 0, ...overrides },
  };
}

/** The assets' ids, concatenated. */
export function dueAt(schedule: Schedule, moment: number): string {
  return schedule
    .lineupAt(moment)
    .entries.map(({ asset }) => asset.id)
    .join("");
}
