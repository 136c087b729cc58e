// Three-way merge of a change onto an object that was changed meanwhile: for undo, and for a retry.

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  mergeFields,
  mergeList,
  type ListOf,
} from "../../../../renderer/manager/undo/three-way-merge.ts";

interface Item {
  readonly id: string;
  readonly seconds: number;
}

const items: ListOf<Item> = {
  idOf: ({ id }) => id,
  isEqual: (one, other) => one.id === other.id && one.seconds === other.seconds,
};
const calm = { isForced: false };
const forced = { isForced: true };

const listOf = (names: string): readonly Item[] =>
  [...names].map((id) => ({ id, seconds: 0 }));
const namesOf = (list: readonly Item[]): string =>
  list.map(({ id, seconds }) => id + (seconds || "")).join("");

/** An edit of a list: removed, added, moved and timed; ids of added elements are unique. */
interface Edit {
  readonly kind: "out" | "time" | "in" | "move";
  readonly at: number;
  /** Target of a move. */
  readonly to: number;
}

const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom("out", "time", "in", "move"),
  ...{ at: fc.nat(20), to: fc.nat(20) },
});

let createdCount = 0;

function edited(list: readonly Item[], one: Edit): readonly Item[] {
  const at = list.length === 0 ? 0 : one.at % list.length;
  const item = list[at];
  if (one.kind === "in")
    return list.toSpliced(at, 0, {
      id: `new ${(createdCount += 1)}`,
      seconds: 0,
    });
  if (!item) return list;
  if (one.kind === "out") return list.toSpliced(at, 1);
  if (one.kind === "time")
    return list.with(at, { ...item, seconds: (createdCount += 1) });
  return list.toSpliced(at, 1).toSpliced(one.to % list.length, 0, item);
}

const editedBy = (list: readonly Item[], edits: readonly Edit[]) =>
  edits.reduce(edited, list);

const lists = fc.nat(8).map((length) => listOf("abcdefgh".slice(0, length)));
const edits = fc.array(edit, { maxLength: 5 });

describe("merging a change of a list onto its present state", () => {
  it("is the change itself where nothing was changed meanwhile", () => {
    fc.assert(
      fc.property(lists, edits, (from, mine) => {
        const to = editedBy(from, mine);
        expect(mergeList(from, to, [...from], items, calm)).toEqual({
          ...{ state: to, isPartial: false },
        });
      }),
      { numRuns: 500 },
    );
  });

  it("leaves everything as it is where the change is empty, or was made already", () => {
    fc.assert(
      fc.property(lists, edits, edits, (from, mine, theirs) => {
        const now = editedBy(from, theirs);
        expect(mergeList(from, from, now, items, calm)).toEqual({
          ...{ state: now, isPartial: false },
        });
        const to = editedBy(from, mine);
        expect(mergeList(from, to, to, items, calm).state).toEqual(to);
      }),
      { numRuns: 500 },
    );
  });

  it("applies the whole change where others only added and removed what it does not touch", () => {
    fc.assert(
      fc.property(lists, edits, edits, (from, mine, theirs) => {
        const to = editedBy(from, mine);
        const rest = to.filter((item) => from.includes(item));
        const others = theirs.map((one): Edit => ({ ...one, kind: "in" }));
        const now = editedBy(from, others);
        const merged = mergeList(from, to, now, items, calm);
        expect(merged.isPartial).toBe(false);
        const theirIds = new Set(now.map(({ id }) => id));
        for (const { id } of from) theirIds.delete(id);
        expect(merged.state.filter(({ id }) => !theirIds.has(id))).toEqual(to);
        const strangers = now.filter(({ id }) => theirIds.has(id));
        expect(merged.state.filter(({ id }) => theirIds.has(id))).toEqual(
          strangers,
        );
        // An element that the change does not touch is removed elsewhere.
        const [gone] = rest;
        const without = (list: readonly Item[]) =>
          list.filter((item) => item !== gone);
        const less = mergeList(from, to, without(from), items, calm);
        expect(less.state.map(({ id }) => id).toSorted()).toEqual(
          without(to)
            .map(({ id }) => id)
            .toSorted(),
        );
      }),
      { numRuns: 500 },
    );
  });

  it("loses no change of others and duplicates nothing, whatever they did", () => {
    fc.assert(
      fc.property(
        ...[lists, edits, edits, fc.boolean()],
        (from, mine, theirs, isForced) => {
          const to = editedBy(from, mine);
          const now = editedBy(from, theirs);
          const { state } = mergeList(from, to, now, items, { isForced });
          const ids = state.map(({ id }) => id);
          expect(new Set(ids).size).toBe(ids.length);
          const find = (list: readonly Item[], id: string) =>
            list.find((item) => item.id === id);
          for (const id of new Set([...from, ...to, ...now].map((x) => x.id))) {
            const [was, goal, present] = [from, to, now].map((list) =>
              find(list, id),
            );
            // A single element: the expected result by definition.
            const expected =
              JSON.stringify(was) === JSON.stringify(goal)
                ? present
                : JSON.stringify(present) === JSON.stringify(was) || isForced
                  ? goal && ((present ?? !was) ? goal : undefined)
                  : present;
            expect(find(state, id)).toEqual(expected);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });

  it.each([
    [
      "puts back what was taken out at its place",
      "acd",
      "abcd",
      "acdX",
      "abcdX",
    ],
    [
      "puts it behind what it followed, wherever that is",
      "acd",
      "abcd",
      "cdXa",
      "cdXab",
    ],
    ["takes away only what was put in", "abcd", "ac", "dXabc", "Xac"],
    ["moves back what was moved", "bca", "abc", "bXcaY", "abXcY"],
    ["has no place for what others took out", "bca", "abc", "bc", "bc"],
  ])("%s", (_, from, to, now, expected) => {
    const lists = [from, to, now].map(listOf);
    const [a = [], b = [], c = []] = lists;
    expect(namesOf(mergeList(a, b, c, items, calm).state)).toBe(expected);
  });

  it("keeps a value that was changed elsewhere, reports it, and overwrites it on request", () => {
    const timed = (seconds: number) => [{ id: "a", seconds }];
    const args = [timed(33), timed(10), timed(44), items] as const;
    expect(mergeList(...args, calm)).toEqual({
      ...{ state: timed(44), isPartial: true },
    });
    expect(mergeList(...args, forced).state).toEqual(timed(10));
    const [left, goal, now] = ["acdb", "abcd", "bacd"].map(listOf);
    const moved = [left ?? [], goal ?? [], now ?? [], items] as const;
    expect(mergeList(...moved, calm)).toEqual({
      ...{ state: now, isPartial: true },
    });
    expect(namesOf(mergeList(...moved, forced).state)).toBe("abcd");
  });
});

describe("undoing one action after the other while others change the same list", () => {
  const steps = fc.array(
    fc.record({ who: fc.constantFrom("me", "me", "they", "undo"), edit }),
    { maxLength: 20 },
  );

  it("restores the beginning exactly where nobody else changed anything, and never removes what others added", () => {
    fc.assert(
      fc.property(lists, steps, (begin, walk) => {
        let now = begin;
        let isMineAlone = true;
        const theirs = new Set<string>();
        const actions: (readonly [readonly Item[], readonly Item[]])[] = [];
        const undo = () => {
          const [before, after] = actions.pop() ?? [now, now];
          now = mergeList(after, before, now, items, calm).state;
        };
        for (const { who, edit: one } of walk) {
          const after = edited(now, one);
          if (who === "undo") undo();
          else if (who === "me") {
            actions.push([now, after]);
            for (const { id } of now)
              if (!after.some((item) => item.id === id)) theirs.delete(id);
            now = after;
          } else {
            isMineAlone = false;
            if (one.kind === "in") {
              const known = new Set(now.map(({ id }) => id));
              for (const { id } of after) if (!known.has(id)) theirs.add(id);
              now = after;
            }
          }
          for (const id of theirs) expect(now.map((x) => x.id)).toContain(id);
        }
        while (actions.length > 0) undo();
        if (isMineAlone) expect(now).toEqual(begin);
        for (const id of theirs) expect(now.map((x) => x.id)).toContain(id);
      }),
      { numRuns: 500 },
    );
  });
});

describe("merging a change of fields onto their present values", () => {
  const fields = fc.record({ a: fc.nat(2), b: fc.nat(2), c: fc.nat(2) });

  it("writes each field that is still as the change found it, and no other", () => {
    fc.assert(
      fc.property(fields, fields, fields, (from, to, now) => {
        const { state, isPartial } = mergeFields(from, to, now, calm);
        const all = { ...now, ...state };
        let isLeft = false;
        for (const name of ["a", "b", "c"] as const) {
          const isTouched = from[name] !== to[name];
          const isOurs = now[name] === from[name] || now[name] === to[name];
          expect(all[name]).toBe(isTouched && isOurs ? to[name] : now[name]);
          isLeft ||= isTouched && !isOurs;
        }
        expect(isPartial).toBe(isLeft);
        const over = mergeFields(from, to, now, forced).state;
        for (const name of ["a", "b", "c"] as const)
          if (from[name] !== to[name])
            expect({ ...now, ...over }[name]).toBe(to[name]);
          else expect(over).not.toHaveProperty(name);
      }),
    );
  });

  it("compares values by content, not by identity", () => {
    const [from, to] = [{ groups: ["a"] }, { groups: ["b"] }];
    const merged = mergeFields(from, to, { groups: ["a"] }, calm);
    expect(merged).toEqual({ state: to, isPartial: false });
  });
});
