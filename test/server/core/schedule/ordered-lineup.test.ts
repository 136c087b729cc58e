// Steps through the lineup, round by round, also from a lost place; and shuffled rounds.

import { describe, expect, it } from "vitest";
import {
  plainPresentation,
  plainWebOptions,
} from "../../../../server/core/asset.ts";
import {
  placeOf,
  orderLineup,
  startPlace,
  step,
  entryAt,
  type Place,
  type OrderedLineup,
} from "../../../../server/core/schedule/ordered-lineup.ts";
import type { LineupEntry } from "../../../../server/core/schedule/schedule.ts";

/** Lineup entry by id; `a2:x` is entry a2 of asset x, all in one playlist. */
function entryOf(word: string, playlistId: string | null = null): LineupEntry {
  const [id = "", assetId = id] = word.split(":");
  return {
    ...{ id, playlistId, durationSeconds: null, transition: null },
    asset: {
      ...{ id: assetId, name: assetId, uri: "", mimetype: "image" },
      ...{ startsAt: 0, endsAt: 1, durationSeconds: 10, playOrder: 0 },
      ...{ isEnabled: true, isProcessing: false, noCache: false },
      ...{ skipAssetCheck: false, hours: null, metadata: {}, file: null },
      ...{ presentation: plainPresentation, web: plainWebOptions },
      ...{ problem: null, isPlaylistOnly: false, folder: "" },
    },
  };
}

const inOrder = (...words: string[]): OrderedLineup =>
  orderLineup(
    words.map((word) => entryOf(word)),
    { isShuffled: () => false, seed: 1 },
  );

const at = (lineup: OrderedLineup, id: string): Place =>
  placeOf(lineup, startPlace, (entry) => entry.id === id) ?? startPlace;

describe("a step", () => {
  it.each([
    {
      name: "forward from the start leads to the first",
      at: null,
      by: 1,
      to: "a",
    },
    {
      name: "back from the start leads to the last",
      at: null,
      by: -1,
      to: "c",
    },
    { name: "forward", at: "a", by: 1, to: "b" },
    {
      name: "forward from the last leads to the first",
      at: "c",
      by: 1,
      to: "a",
    },
    { name: "back", at: "b", by: -1, to: "a" },
    { name: "back from the first leads to the last", at: "a", by: -1, to: "c" },
    {
      name: "of more entries than there are wraps around",
      at: "a",
      by: 7,
      to: "b",
    },
    {
      name: "back of more entries than there are wraps around",
      at: "a",
      by: -7,
      to: "c",
    },
  ])("$name", ({ at: from, by, to }) => {
    const abc = inOrder("a", "b", "c");
    const place = from === null ? startPlace : at(abc, from);
    expect(step(abc, place, by)?.entryId).toBe(to);
  });

  it("forward from a lost place leads to the entry that moved up to it", () => {
    const place = at(inOrder("a", "b", "c"), "b");
    expect(step(inOrder("a", "c"), place, 1)?.entryId).toBe("c");
    expect(step(inOrder("a", "c"), place, -1)?.entryId).toBe("a");
  });

  it("forward from a lost last place leads to the first entry", () => {
    const place = at(inOrder("a", "b"), "b");
    expect(step(inOrder("a"), place, 1)?.entryId).toBe("a");
  });

  it("through an empty lineup leads nowhere", () => {
    expect(step(inOrder(), startPlace, 1)).toBeNull();
    expect(placeOf(inOrder(), startPlace, () => true)).toBeNull();
    expect(entryAt(inOrder(), null)).toBeUndefined();
  });

  it("goes entry by entry, though an asset may have several", () => {
    const twice = inOrder("a1:x", "b:y", "a2:x");
    const third = step(twice, at(twice, "b"), 1);
    expect(entryAt(twice, third)?.id).toBe("a2");
    // Of several entries of an asset the next one ahead is meant.
    const ofX = placeOf(twice, at(twice, "b"), ({ asset }) => asset.id === "x");
    expect(ofX?.entryId).toBe("a2");
  });
});

const tenEntries = Array.from({ length: 10 }, (_, index) => `t${index}`);

const shuffledLineup = (words: readonly string[], seed = 7): OrderedLineup =>
  orderLineup(
    words.map((word) => entryOf(word)),
    { isShuffled: () => true, seed },
  );

const idsOf = (lineup: OrderedLineup, round: number): string[] =>
  lineup.orderOf(round).map(({ id }) => id);

describe("a shuffled round", () => {
  it("contains every entry once, in another order than the round before", () => {
    const lineup = shuffledLineup(tenEntries);
    for (let round = 0; round < 50; round += 1) {
      expect(idsOf(lineup, round).toSorted()).toEqual(tenEntries);
      expect(idsOf(lineup, round)).not.toEqual(idsOf(lineup, round + 1));
    }
  });

  it("never begins with the last entry of the round before", () => {
    for (const size of [3, 4, 5]) {
      const lineup = shuffledLineup(tenEntries.slice(0, size));
      for (let round = -100; round < 400; round += 1)
        expect(idsOf(lineup, round + 1)[0]).not.toBe(
          idsOf(lineup, round).at(-1),
        );
    }
  });

  it("keeps its order while its entries stay the same, and the order of the others when one is removed", () => {
    const before = idsOf(shuffledLineup(tenEntries), 4);
    expect(idsOf(shuffledLineup(tenEntries), 4)).toEqual(before);
    expect(idsOf(shuffledLineup(tenEntries.toReversed()), 4)).toEqual(before);
    const gone = before[5] ?? "";
    const rest = tenEntries.filter((id) => id !== gone);
    expect(idsOf(shuffledLineup(rest), 4)).toEqual(
      before.filter((id) => id !== gone),
    );
  });

  it("is drawn from the seed, each order about as often as any other", () => {
    const seen = new Map<string, number>();
    for (let seed = 0; seed < 6000; seed += 1) {
      const order = idsOf(shuffledLineup(["a", "b", "c"], seed * 7919), 0);
      const key = order.join("");
      seen.set(key, (seen.get(key) ?? 0) + 1);
    }
    expect(seen.size).toBe(6);
    for (const count of seen.values()) {
      expect(count).toBeGreaterThan(850);
      expect(count).toBeLessThan(1150);
    }
  });

  it("stepped through forward and back leads through the same entries", () => {
    const lineup = shuffledLineup(tenEntries);
    const way: (string | null)[] = [];
    let place = startPlace;
    for (let count = 0; count < 35; count += 1) {
      place = step(lineup, place, 1) ?? startPlace;
      way.push(place.entryId);
    }
    for (const expected of way.toReversed()) {
      expect(place.entryId).toBe(expected);
      place = step(lineup, place, -1) ?? startPlace;
    }
  });

  it("keeps playlists together, one after the other, and leaves those that are not shuffled unchanged", () => {
    const shuffledOne = tenEntries.map((id) => entryOf(id, "shuffled"));
    const orderedOne = ["x", "y", "z"].map((id) => entryOf(id, "ordered"));
    const lineup = orderLineup([...shuffledOne, ...orderedOne], {
      ...{ isShuffled: (id) => id === "shuffled", seed: 3 },
    });
    for (let round = 0; round < 10; round += 1) {
      const ids = idsOf(lineup, round);
      expect(ids.slice(0, 10).toSorted()).toEqual(tenEntries);
      expect(ids.slice(0, 10)).not.toEqual(tenEntries);
      expect(ids.slice(10)).toEqual(["x", "y", "z"]);
    }
  });
});
