// Content of a preview: the same as the player would make of the library.

import { describe, expect, it, vi } from "vitest";
import {
  assetOf,
  staySeconds,
} from "../../../../renderer/manager/lineup/schedule-inputs.ts";
import {
  roundOf,
  previewItemAt,
  previewItemsOf,
  totalOf,
  entriesOfPlaylist,
} from "../../../../renderer/manager/preview/preview-items.ts";
import type { Asset } from "../../../../server/core/asset.ts";
import { initialPresentationDefaults } from "../../../../server/core/showing.ts";
import { assetToV2 } from "../../../../server/player/v2/library/asset-json.ts";
import {
  someAsset,
  somePlaylist,
} from "../../../support/schedule/schedules.ts";

// Texts choose their language when they are imported.
vi.hoisted(() => {
  vi.stubGlobal("navigator", { language: "en" });
  vi.stubGlobal("window", { localStorage: { getItem: () => null } });
});

const hash = "a".repeat(64);
const video: Partial<Asset> = {
  ...{ mimetype: "video", uri: "/clip.mp4", durationSeconds: 0 },
  file: {
    ...{ hash, sizeBytes: 9, type: "video/mp4" },
    lengthSeconds: 42,
    problem: null,
  },
};

describe("the library in the preview", () => {
  it("matches the player's library, asset by asset", () => {
    const rich = someAsset("rich", {
      ...video,
      hours: { days: [1, 5], fromMs: 3_600_000, untilMs: 7_200_000 },
      presentation: {
        fit: "fill",
        volume: 30,
        isMuted: true,
        pages: [2],
        rotation: 90,
      },
      isPlaylistOnly: true,
      metadata: { note: "kept" },
    });
    for (const asset of [rich, someAsset("plain")]) {
      const wire = assetToV2(asset, 0, { isActiveAs: "string", zone: "UTC" });
      expect(assetOf(wire)).toEqual(asset);
    }
  });
});

describe("the preview items", () => {
  const assets = new Map(
    [someAsset("a", { durationSeconds: 5 }), someAsset("b", video)].map(
      (asset) => [asset.id, asset],
    ),
  );

  it("are the items of a playlist, without missing assets", () => {
    const playlist = somePlaylist("1", "axb", { transition: "cross-fade" });
    const previewItems = previewItemsOf(
      entriesOfPlaylist(playlist, assets),
      initialPresentationDefaults,
    );
    expect(
      previewItems.map(({ name, seconds, address, showing }) => [
        ...[name, seconds, address, showing.transition],
      ]),
    ).toEqual([
      ["a", 5, "https://example.org/", "cross-fade"],
      ["b", 42, null, "cross-fade"],
    ]);
    expect(totalOf(previewItems)).toBe(47);
  });

  it("are shuffled where the playlist is", () => {
    const letters = "abcdefgh";
    const many = new Map([...letters].map((id) => [id, someAsset(id)]));
    const order = (isShuffled: boolean | null) => {
      const playlist = somePlaylist("1", letters, { isShuffled });
      const entries = entriesOfPlaylist(playlist, many);
      return roundOf(entries, [playlist], { isShuffled: false })
        .map(({ asset }) => asset.id)
        .join("");
    };
    expect(order(null)).toBe(letters);
    expect(order(true)).not.toBe(letters);
  });

  it("are found by the time into the cycle", () => {
    const previewItems = [{ seconds: 5 }, { seconds: null }, { seconds: 3 }];
    expect(previewItemAt(previewItems, 0)).toEqual({ index: 0, into: 0 });
    expect(previewItemAt(previewItems, 5)).toEqual({ index: 1, into: 0 });
    expect(previewItemAt(previewItems, 16)).toEqual({ index: 2, into: 1 });
    expect(previewItemAt(previewItems, 99)).toEqual({ index: 2, into: 3 });
    expect(previewItemAt([], 3)).toEqual({ index: 0, into: 0 });
  });

  it.each([
    [
      "an image at least a second",
      { file: { ...video.file!, type: "image/png" }, durationSeconds: 0 },
      null,
      1,
    ],
    ["a video its own length", video, null, 42],
    ["a video as long as its item says", video, 7, 7],
    [
      "a stream as long as the setting says",
      { mimetype: "streaming" },
      null,
      5,
    ],
    [
      "a PDF page by page",
      {
        mimetype: "pdf",
        durationSeconds: 4,
        presentation: {
          fit: null,
          volume: null,
          isMuted: false,
          pages: [1, 2, 3],
          rotation: 0 as const,
        },
      },
      null,
      12,
    ],
    [
      "a PDF of unknown pages for nobody knows how long",
      { mimetype: "pdf" },
      null,
      null,
    ],
  ])("show %s", (_what, overrides, item, seconds) => {
    expect(
      staySeconds(someAsset("x", overrides as Partial<Asset>), item, 300),
    ).toBe(seconds);
  });
});
