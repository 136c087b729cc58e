// The part of the desired content that can be shown with the files that are here.

import { describe, expect, it } from "vitest";
import {
  completeOf,
  emptyContent,
  type DesiredContent,
  type DesiredAsset,
} from "../../../../server/core/sync-plan/desired-content.ts";
import { asset, playlist } from "../../../support/sync/sync-plans.ts";

describe("completeOf", () => {
  const here = new Set<string>();
  const arrive = ({ file }: DesiredAsset) =>
    file === null || here.has(file.md5)
      ? ("here" as const)
      : file.md5.startsWith("f")
        ? ("never" as const)
        : ("coming" as const);

  it("[V2-212] keeps a playlist completely as it was while one of its files is missing, and updates the others", () => {
    here.clear();
    here.add("5a").add("5b");
    const before: DesiredContent = {
      assets: [asset("a", {}, "5a"), asset("b", {}, "5b")],
      playlists: [playlist("p", ["a", "b"]), playlist("q", ["a"])],
    };
    const content: DesiredContent = {
      assets: [asset("a", {}, "5a"), asset("c", {}, "5c")],
      playlists: [playlist("p", ["c", "a"]), playlist("q", ["a", "a"])],
    };
    const complete = completeOf(content, before, arrive);
    expect(complete.playlists).toEqual([
      before.playlists[0],
      content.playlists[1],
    ]);
    expect(complete.assets.map(({ remoteId }) => remoteId)).toEqual(["a", "b"]);
    here.add("5c");
    expect(completeOf(content, before, arrive)).toEqual(content);
  });

  it("[V2-213] continues without files that were given up, or with their previous version", () => {
    here.clear();
    here.add("5a").add("5b");
    const before: DesiredContent = {
      assets: [asset("a", {}, "5a")],
      playlists: [],
    };
    const content: DesiredContent = {
      assets: [
        asset("a", {}, "fa"),
        asset("b", {}, "5b"),
        asset("c", {}, "fc"),
      ],
      playlists: [playlist("p", ["a", "b", "c"])],
    };
    const complete = completeOf(content, before, arrive);
    expect(complete.assets).toEqual([before.assets[0], content.assets[1]]);
    expect(
      complete.playlists[0]?.facts.items.map(({ assetId }) => assetId),
    ).toEqual(["a", "b"]);
  });

  it("leaves out a new playlist until it is complete, and single assets until they are", () => {
    here.clear();
    const alone = asset("a", { isPlaylistOnly: false }, "5a");
    const content = {
      assets: [alone, asset("b", {}, "5b")],
      playlists: [playlist("p", ["b"])],
    };
    expect(completeOf(content, emptyContent, arrive)).toEqual(emptyContent);
    here.add("5a");
    expect(completeOf(content, emptyContent, arrive)).toEqual({
      assets: [alone],
      playlists: [],
    });
  });
});
