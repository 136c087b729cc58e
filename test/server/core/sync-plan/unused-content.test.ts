// Why nothing of a content service comes to a screen, from what it wants here and what it has.

import { describe, expect, it } from "vitest";
import {
  unusedReasonOf,
  type ContentCounts,
} from "../../../../server/core/sync-plan/unused-content.ts";
import {
  bringsNothing,
  type DesiredContent,
} from "../../../../server/core/sync-plan/desired-content.ts";

type Playlist = DesiredContent["playlists"][number];

const listOf = (...assetIds: string[]): Playlist => ({
  remoteId: "p",
  facts: {
    ...{ name: "List", predicate: "TRUE", priority: 0, isEnabled: true },
    ...{ transition: null, isShuffled: null, createdAt: 0 },
    items: assetIds.map((assetId) => ({ assetId, durationSeconds: null })),
  },
});
const counts: ContentCounts = {
  ...{ assets: 40, processing: 0, playlists: 3, labels: [] },
};
const reasonOf = (
  playlists: readonly Playlist[],
  unreadable: number,
  has: Partial<ContentCounts> = {},
  assetGroups: readonly string[] = [],
): string =>
  unusedReasonOf({ assetGroups }, { assets: [], playlists }, unreadable, {
    ...counts,
    ...has,
  });

describe("[V2-742] the reason why nothing comes", () => {
  it("is the first of these that holds", () => {
    expect(reasonOf([], 0, { assets: 0 }, ["Menus"])).toBe("no-assets");
    expect(reasonOf([], 0, {}, ["Menus"])).toBe("other-groups");
    expect(reasonOf([], 0, { playlists: 0 })).toBe("no-playlists");
    expect(reasonOf([], 0)).toBe("other-labels");
    expect(reasonOf([listOf("a")], 0, { processing: 1 })).toBe("processing");
    expect(reasonOf([listOf("a")], 0)).toBe("unreadable");
    expect(reasonOf([], 1)).toBe("unreadable");
    expect(reasonOf([listOf()], 0)).toBe("empty-playlists");
  });

  it("does not claim what the service does not count", () => {
    const unknown = { assets: null, processing: null, playlists: null };
    expect(reasonOf([], 0, unknown)).toBe("other-labels");
    expect(reasonOf([listOf("a")], 0, unknown)).toBe("unreadable");
  });

  it("[V2-741] exists only where neither a playlist nor the library gets anything", () => {
    const asset = {
      ...{ remoteId: "a", file: null },
      facts: { isPlaylistOnly: true },
    } as unknown as DesiredContent["assets"][number];
    const alone = {
      ...asset,
      facts: { ...asset.facts, isPlaylistOnly: false },
    };
    const nothing = (content: DesiredContent): boolean =>
      bringsNothing(content);
    expect(nothing({ assets: [], playlists: [] })).toBe(true);
    expect(nothing({ assets: [asset], playlists: [listOf()] })).toBe(true);
    expect(nothing({ assets: [], playlists: [listOf("a")] })).toBe(true);
    expect(nothing({ assets: [asset], playlists: [listOf("a")] })).toBe(false);
    expect(nothing({ assets: [alone], playlists: [] })).toBe(false);
    expect(
      nothing({ assets: [{ ...asset, isInLibrary: true }], playlists: [] }),
    ).toBe(false);
  });
});
