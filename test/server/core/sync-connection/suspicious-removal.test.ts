// Which removals look like an accident of the service, and what continues while one is held.

import { describe, expect, it } from "vitest";
import {
  isSuspiciousRemoval,
  withoutRemoval,
} from "../../../../server/core/sync-connection/plan-progress.ts";
import type { LocalChanges } from "../../../../server/core/sync-plan/sync-plan.ts";
import { inOneGo } from "../../../../server/core/slices.ts";
import type { DesiredContent } from "../../../../server/core/sync-plan/desired-content.ts";
import { asset, playlist } from "../../../support/sync/sync-plans.ts";

const none = new Map<string, LocalChanges>();

function contentOf(assetIds: readonly string[]): DesiredContent {
  return {
    assets: assetIds.map((id) => asset(id)),
    playlists: [playlist("p", assetIds)],
  };
}

const ids = (prefix: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, number) => `${prefix}${number}`);

describe("[V2-207] a removal that looks like an accident", () => {
  it.each([
    ["an empty response for a full screen", ids("a", 5), [], true],
    ["one of twenty left", ids("a", 20), ids("a", 1), true],
    ["a quarter left", ids("a", 20), ids("a", 5), false],
    ["thirteen of twenty cleaned up", ids("a", 20), ids("a", 7), false],
    [
      "everything replaced by the same number",
      ids("a", 20),
      ids("b", 20),
      false,
    ],
    ["the only asset replaced by another", ["a"], ["b"], false],
    ["a screen with few assets emptied", ids("a", 4), [], false],
    ["the very first response", [], ids("a", 3), false],
  ])("%s", (_what, before, after, isSuspicious) => {
    const removal = isSuspiciousRemoval(
      ...([contentOf(after), contentOf(before), none] as const),
    );
    expect(inOneGo(removal)).toBe(isSuspicious);
  });

  it("does not count what was deleted here", () => {
    const before = contentOf(ids("a", 6));
    const isDeleted = { isDeleted: true, fields: new Map() };
    const deleted = new Map(ids("a", 2).map((id) => [id, isDeleted]));
    const removal = isSuspiciousRemoval(contentOf([]), before, deleted);
    expect(inOneGo(removal)).toBe(false);
  });
});

describe("[V2-207] everything else while a removal is held", () => {
  it("is added and changed, with the content to be removed in its old place", () => {
    const before = contentOf(["a", "b", "c", "d"]);
    const content: DesiredContent = {
      assets: [asset("b", { isEnabled: false }), asset("x")],
      playlists: [
        playlist("p", ["b", "x"], { priority: 3 }),
        playlist("q", ["x"]),
      ],
    };
    const { assets, playlists } = inOneGo(withoutRemoval(content, before));
    expect(
      assets.map(({ remoteId, facts }) => [remoteId, facts.isEnabled]),
    ).toEqual([
      ["a", true],
      ["b", false],
      ["c", true],
      ["d", true],
      ["x", true],
    ]);
    const [first, second] = playlists;
    expect(first?.facts.priority).toBe(3);
    expect(first?.facts.items.map(({ assetId }) => assetId)).toEqual([
      ...["a", "b", "c", "d", "x"],
    ]);
    expect(second?.remoteId).toBe("q");
  });

  it("is the desired content itself if nothing would be removed", () => {
    const before = contentOf(["a"]);
    const content = contentOf(["a", "b"]);
    expect(inOneGo(withoutRemoval(content, before))).toEqual(content);
  });
});
