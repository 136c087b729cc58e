// Why a screen is in its state: a sentence in the operator's language, composed from the report of its player.

import { expect, it, vi } from "vitest";
import type { ScreenView } from "../../../../server/contract/ipc/ipc-screens.ts";
import { screenStates } from "../../../../server/contract/link/screen-report.ts";
import { reportOf, screenOf } from "../fleet/screen-items.ts";

vi.stubGlobal("navigator", { language: "en-GB" });
vi.stubGlobal("window", { localStorage: { getItem: () => null } });
const { reasonOfState, showingText } =
  await import("../../../../renderer/manager/screens/screen-reason.ts");

const why = (more: Partial<ScreenView>) => reasonOfState(screenOf("A", more));

it.each(["blank", "frozen", "wrong"] as const)(
  "names what should be on a screen that is %s, and since when",
  (verdict) => {
    const sentence = why({
      state: "wrong",
      reason: "English of the service.",
      report: reportOf({ verdict, verdict_since: new Date().toISOString() }),
    });
    expect(sentence).toMatch(/Lunch/);
    expect(sentence).toMatch(/since \d\d:\d\d/);
  },
);

it("what is missing is counted, and the first of it is named", () => {
  const missing = [{ name: "Autumn", reason: "The disk is full." }];
  const report = reportOf({}, { missing });
  const counts = { wanted: 24, here: 22, failed: 2 };
  expect(why({ state: "incomplete", report, item_counts: counts })).toBe(
    "2 of 24 items failed. First: “Autumn”.",
  );
  const one = { ...counts, failed: 1 };
  expect(why({ state: "incomplete", report, item_counts: one })).toBe(
    "1 of 24 items failed. Affected: “Autumn”.",
  );
  expect(
    why({ state: "incomplete", item_counts: { ...counts, failed: 0 } }),
  ).toBe("2 of 24 items missing.");
});

it("a screen that is dark is so by its switch or by its operator", () => {
  expect(why({ state: "dark", is_enabled: false })).toMatch(/^Disabled/);
  expect(why({ state: "dark" })).toMatch(/^Blanked/);
});

it("a player that reports nothing leaves the service's own sentence, or says so", () => {
  expect(why({ state: "unverified" })).toMatch(/doesn’t report/);
  expect(why({ state: "wrong", reason: "It is upside down." })).toBe(
    "It is upside down.",
  );
});

it("every state has a sentence, whatever is unknown", () => {
  for (const state of screenStates) expect(why({ state })).toMatch(/\.$/);
});

it("a playlist is named with what it shows, but not twice", () => {
  const shown = (playlist: string | null) =>
    showingText(screenOf("A", { report: reportOf({ playlist }) }));
  expect(shown("Morning")).toBe("Lunch (Morning)");
  expect(shown("Lunch")).toBe("Lunch");
  expect(shown(null)).toBe("Lunch");
});
