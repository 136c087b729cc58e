// Decisions of the outbox queue: which changes are merged, which wait for another, and where both sides changed.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  basedOn,
  clashesOf,
  foldInto,
  isAlreadySo,
  isSameField,
  nextChange,
  resolved,
  strandedIn,
  type CloudChange,
} from "../../../../server/core/sync-plan/outbox.ts";

const plain: CloudChange = {
  sentTo: null,
  ...{ id: "one", collection: "labels", action: "change", target: "L1" },
  ...{ fields: {}, base: {}, state: "waiting", tries: 0, reason: null },
  ...{ theirs: null, clashes: [], madeId: null, alikeBefore: null },
  ...{ begun: null, file: null, createdAt: 0, doneAt: null },
};
const change = (
  id: string,
  partial: Partial<CloudChange> = {},
): CloudChange => ({
  ...plain,
  id,
  ...partial,
});
const create = (id: string, partial: Partial<CloudChange> = {}): CloudChange =>
  change(id, { action: "create", target: null, base: null, ...partial });

describe("a change that was never sent", () => {
  it("[V2-312] is merged with a later change and keeps the base that was read first", () => {
    const first = change("a", { fields: { name: "B" }, base: { name: "A" } });
    const second = change("b", {
      fields: { name: "C", screens: ["s"] },
      base: { name: "B", screens: [] },
    });
    expect(foldInto([first], second)).toEqual({
      put: {
        ...first,
        fields: { name: "C", screens: ["s"] },
        base: { name: "A", screens: [] },
      },
      drop: [],
    });
  });

  it("[V2-312] is merged into the creation of the same row", () => {
    const created = create("a", { fields: { name: "A" } });
    const later = change("b", { target: "change:a", fields: { name: "B" } });
    expect(foldInto([created], later).put).toEqual({
      ...created,
      fields: { name: "B" },
    });
  });

  it("[V2-312] is dropped by a deletion, together with the creation", () => {
    const created = create("a");
    const gone = change("c", { action: "delete", target: "change:a" });
    expect(foldInto([created], gone)).toEqual({ put: null, drop: ["a"] });
    const changed = change("a", { fields: { name: "B" }, base: { name: "A" } });
    const deleted = change("b", { action: "delete", base: { name: "B" } });
    expect(foldInto([changed], deleted)).toEqual({
      put: { ...deleted, base: { name: "A" } },
      drop: ["a"],
    });
  });

  it.each([{ tries: 1 }, { state: "sending" }, { state: "conflict" }] as const)(
    "[V2-312] is not merged once it is $state $tries",
    (begun) => {
      const first = change("a", begun);
      const second = change("b");
      expect(foldInto([first], second)).toEqual({ put: second, drop: [] });
    },
  );
});

describe("the next change", () => {
  it("[V2-312] follows queue order but skips changes that wait for a decision", () => {
    const stuck = change("a", { state: "conflict" });
    const behind = change("b");
    const other = change("c", { target: "L2" });
    const queue = [stuck, behind, other];
    expect(nextChange(queue)).toBe(other);
    expect(nextChange([stuck, behind])).toBeUndefined();
    expect(nextChange([{ ...stuck, state: "done" }, behind, other])).toBe(
      behind,
    );
  });

  it("[V2-312] waits for the creation it refers to, and then refers to what was created", () => {
    const asset = create("a", { collection: "assets" });
    const playlist = create("p", {
      collection: "playlists",
      fields: {
        title: "change:a",
        items: [{ asset_id: "change:a", duration: 3 }],
      },
    });
    expect(nextChange([asset, playlist])).toBe(asset);
    expect(
      nextChange([{ ...asset, state: "refused" }, playlist]),
    ).toBeUndefined();
    const done = { ...asset, state: "done" as const, madeId: "X" };
    expect(nextChange([done, playlist])).toBe(playlist);
    expect(resolved([done, playlist], playlist).fields).toEqual({
      title: "change:a",
      items: [{ asset_id: "X", duration: 3 }],
    });
    expect(nextChange([playlist])).toBeUndefined();
    expect(strandedIn([asset, playlist])).toEqual([]);
    expect(strandedIn([playlist])).toEqual([playlist]);
  });

  it("[V2-340] skips a change that is held back, and those that depend on it", () => {
    const held = change("a");
    const behind = change("b");
    const other = change("c", { target: "L2" });
    const isHeld = ({ id }: CloudChange) => id === "a";
    expect(nextChange([held, behind, other], isHeld)).toBe(other);
    expect(nextChange([held, behind], isHeld)).toBeUndefined();
    const created = create("a");
    const needing = change("b", { target: "change:a" });
    expect(nextChange([created, needing], isHeld)).toBeUndefined();
  });

  it("[V2-343] is found in linear time, however many changes wait for others", () => {
    const many = Array.from({ length: 10_000 }, (_, place) => place);
    const needing = (place: number): CloudChange =>
      create(`p${place}`, {
        collection: "playlists",
        fields: { labels: [`change:c${place}`] },
      });
    const queues = [
      // All behind a hundred that need a decision.
      many.map((place) =>
        change(`c${place}`, {
          target: `L${place % 100}`,
          state: place < 100 ? "conflict" : "waiting",
        }),
      ),
      // Each depends on a rejected one.
      many.flatMap((place) => [
        create(`c${place}`, { state: "refused" }),
        needing(place),
      ]),
    ];
    for (const queue of queues) {
      let reads = 0;
      const counted = new Proxy(queue, {
        get: (all, place, receiver): unknown => {
          reads += 1;
          return Reflect.get(all, place, receiver);
        },
      });
      expect(nextChange(counted)).toBeUndefined();
      expect(strandedIn(counted)).toEqual([]);
      const last = queue.at(-1) ?? plain;
      expect(resolved(counted, last)).toEqual(last);
      expect(reads).toBeLessThan(queue.length * 12);
    }
  });

  it("[V2-312] drains any queue: each step sends one that waits", () => {
    const states = [
      "waiting",
      "sending",
      "done",
      "conflict",
      "refused",
    ] as const;
    const one = fc.record({
      state: fc.constantFrom(...states),
      target: fc.constantFrom("L1", "L2", "change:c0", "change:c1", null),
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 12 }), (partials) => {
        let queue = partials.map((partial, place) =>
          change(`c${place}`, partial),
        );
        for (let steps = 0; ; steps += 1) {
          expect(steps).toBeLessThanOrEqual(partials.length);
          const next = nextChange(queue);
          if (!next) break;
          expect(["waiting", "sending"]).toContain(next.state);
          queue = queue.map((each) =>
            each === next
              ? { ...each, state: "done" as const, madeId: "m" }
              : each,
          );
        }
      }),
    );
  });
});

describe("a conflict", () => {
  it("[V2-314] exists where the service has neither what was read nor what is wanted", () => {
    const mine = change("a", {
      fields: { name: "Mine", screens: ["s1"] },
      base: { name: "Old", screens: [] },
    });
    expect(clashesOf(mine, { name: "Old", screens: [] })).toEqual([]);
    expect(clashesOf(mine, { name: "Theirs", screens: [] })).toEqual(["name"]);
    expect(clashesOf(mine, { name: "Mine", screens: ["s2"] })).toEqual([
      "screens",
    ]);
    expect(isAlreadySo(mine, { name: "Mine", screens: ["s1"] })).toBe(true);
  });

  it("[V2-314] stops a deletion if anything that was read has changed since", () => {
    const gone = change("a", { action: "delete", base: { name: "A" } });
    expect(clashesOf(gone, { name: "A", screens: ["s"] })).toEqual([]);
    expect(clashesOf(gone, { name: "B" })).toEqual(["name"]);
  });

  it("[V2-314] does not arise from what we sent ourselves", () => {
    const sent = change("a", { fields: { name: "B" }, state: "done" });
    const later = change("b", { fields: { name: "C" }, base: { name: "A" } });
    expect(clashesOf(basedOn(later, sent), { name: "B" })).toEqual([]);
    const elsewhere = change("c", { target: "L2", base: { name: "A" } });
    expect(basedOn(elsewhere, sent)).toBe(elsewhere);
  });

  it("[V2-349] does not arise from a state between what was read and what was begun, but from any other", () => {
    const items = (ids: string) =>
      [...ids].map((asset_id) => ({ asset_id, duration: 10 }));
    const partial = {
      fields: { labels: ["b", "c", "d"], items: items("bc") },
      base: { labels: ["a", "b"], items: items("ab") },
    };
    const begun = change("a", { ...partial, begun: partial.fields });
    const halfway = [
      { labels: ["a", "b", "c"] },
      { labels: ["a", "b", "c", "d"] },
      { items: items("abbc") },
      { items: items("bbc") },
    ];
    for (const theirs of halfway) {
      expect(clashesOf(begun, theirs)).toEqual([]);
      expect(clashesOf(change("a", partial), theirs)).toHaveLength(1);
    }
    const others = [
      { labels: ["b"] },
      { labels: ["a", "b", "x"] },
      { items: items("babc") },
      { items: items("abbcx") },
      { items: items("ba") },
      { items: items("b") },
      { items: items("a") },
    ];
    for (const theirs of others)
      expect([theirs, clashesOf(begun, theirs)]).toEqual([
        theirs,
        Object.keys(theirs),
      ]);
  });

  it("[V2-314] ignores the order of labels", () => {
    expect(isSameField("labels", ["a", "b"], ["b", "a", "a"])).toBe(true);
  });

  it("[V2-354] accepts any duration for an item read without one, but none other than the wanted one", () => {
    const items = (duration: number | null) => ({
      items: [{ asset_id: "x", duration }],
    });
    const partial = change("a", { fields: items(7), base: items(null) });
    expect(clashesOf(partial, items(10))).toEqual([]);
    expect(clashesOf(partial, { items: [] })).toEqual(["items"]);
    expect(isAlreadySo(partial, items(7))).toBe(true);
    expect(isAlreadySo(partial, items(10))).toBe(false);
    expect(isAlreadySo(partial, items(null))).toBe(false);
    expect(isSameField("items", items(10), [])).toBe(false);
  });
});
