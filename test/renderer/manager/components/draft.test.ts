// Drafts and stored values: when a change from elsewhere is noticed, and when there is none.

import { describe, expect, it } from "vitest";
import { mergeHeaderLines } from "../../../../renderer/manager/assets/headers-text.ts";
import {
  draftAfter,
  isChangedElsewhere,
  type Draft,
  type DraftEvent,
} from "../../../../renderer/manager/components/drafts/draft.ts";
import { mergeEntries } from "../../../../renderer/manager/undo/three-way-merge.ts";

function after(...events: readonly DraftEvent[]): Draft | null {
  return events.reduce<Draft | null>(draftAfter, null);
}

const typed = (text: string, stored: string | null = "Menu"): DraftEvent => ({
  ...{ type: "typed", text, isHalf: false, stored },
});

describe("a draft", () => {
  it("keeps its base while typing continues, whatever is stored meanwhile", () => {
    const draft = after(typed("Soup"), typed("Soups", "Theirs"));
    expect(draft).toMatchObject({ base: "Menu", text: "Soups" });
    expect(isChangedElsewhere(draft, "Theirs")).toBe(true);
    expect(isChangedElsewhere(draft, "Menu")).toBe(false);
  });

  it("does not take its own saved value for a change from elsewhere", () => {
    const sent = { text: "90", stored: "1:30" };
    const draft = after(typed("90", "1:00"), { type: "sent", ...sent });
    expect(isChangedElsewhere(draft, "1:30")).toBe(false);
    expect(isChangedElsewhere(draft, "2:00")).toBe(true);
    expect(draftAfter(draft, { type: "saved", ...sent })).toBeNull();
  });

  it("stays when typing continued during the save, based on what is stored then", () => {
    const sent = { text: "Soup", stored: "Soup" };
    const draft = after(
      ...[typed("Soup"), { type: "sent", ...sent } as const],
      ...[typed("Soup of the day"), { type: "saved", ...sent } as const],
    );
    expect(draft).toMatchObject({ base: "Soup", text: "Soup of the day" });
    expect(isChangedElsewhere(draft, "Soup")).toBe(false);
  });

  it("survives a change from elsewhere when the operator keeps it, and ends when it is dropped", () => {
    const draft = after(typed("Soup"), { type: "kept", stored: "Theirs" });
    expect(isChangedElsewhere(draft, "Theirs")).toBe(false);
    expect(draftAfter(draft, { type: "dropped" })).toBeNull();
  });

  it("keeps its error until something else is typed", () => {
    const refused = after(typed("-5"), { type: "failed", reason: "Too few." });
    expect(refused).toMatchObject({ text: "-5", wrong: "Too few." });
    expect(draftAfter(refused, typed("5"))?.wrong).toBeNull();
  });

  it("is not in conflict when typing began before the stored value was known", () => {
    expect(isChangedElsewhere(after(typed("Soup", null)), "Menu")).toBe(false);
  });
});

describe("merging two changes of one list", () => {
  const entries = (fields: Readonly<Record<string, string>>) =>
    new Map(Object.entries(fields));

  it("keeps what each side added, changed and removed", () => {
    const { entries: merged, conflicts } = mergeEntries(
      entries({ a: "1", b: "2", c: "3" }),
      entries({ a: "1", b: "mine", d: "4" }),
      entries({ a: "theirs", b: "2", c: "3", e: "5" }),
    );
    expect(Object.fromEntries(merged)).toEqual({
      ...{ a: "theirs", b: "mine", d: "4", e: "5" },
    });
    expect(conflicts).toEqual([]);
  });

  it("reports the entries that both changed differently", () => {
    const base = entries({ a: "1", b: "2", c: "3" });
    const mine = entries({ a: "mine", b: "same" });
    const theirs = entries({ a: "theirs", b: "same", c: "theirs" });
    expect(mergeEntries(base, mine, theirs).conflicts).toEqual(["a", "c"]);
  });

  it("of request headers restores no old token and loses no line", () => {
    const merge = mergeHeaderLines(
      "Authorization: Bearer abc",
      "Authorization: Bearer abc\nX-Mine: 1",
      "Authorization: Bearer new\nX-Theirs: 2",
    );
    expect(merge?.split("\n").sort()).toEqual([
      ...["Authorization: Bearer new", "X-Mine: 1", "X-Theirs: 2"],
    ]);
    const contrary = mergeHeaderLines("A: 1", "A: 2", "a: 3");
    expect(contrary).toBeNull();
  });
});
