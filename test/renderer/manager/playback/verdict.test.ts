// Verdict on the now page: "as planned" only where nothing contradicts it.

import { expect, it, vi } from "vitest";
import type { VerdictFacts } from "../../../../renderer/manager/playback/verdict.ts";

vi.stubGlobal("navigator", { language: "en" });
vi.stubGlobal("window", { localStorage: { getItem: () => null } });
const { verdictOf } =
  await import("../../../../renderer/manager/playback/verdict.ts");

type Now = NonNullable<VerdictFacts["now"]>;
type Showing = NonNullable<Now["showing"]>;

const since = "2026-05-04T10:00:00Z";

function reported(showing: Partial<Showing>, rest: Partial<VerdictFacts> = {}) {
  const now = {
    paused_until: null,
    showing: { since, explanation: "", verdict_since: since, ...showing },
  } as unknown as Now;
  return verdictOf({
    ...{ now, isUnanswered: false, why: undefined, takeover: null },
    ...{ isManagerOnly: false, isInFront: false, ...rest },
  });
}

const reasons: readonly Showing["reason"][] = [
  ...(["schedule", "takeover", "command"] as const),
  ...(["nothing-due", "not-ready"] as const),
];

it.each(["blank", "frozen", "wrong"] as const)(
  "a screen that is %s is a fault, whatever should be on it, and never “as planned”",
  (verdict) => {
    for (const reason of reasons) {
      const { tone, sentence } = reported({ reason, verdict });
      expect(tone).toBe("fault");
      expect(sentence).not.toMatch(/planned|verified/i);
    }
  },
);

it("a screen covered by this window is reported as such, not as a fault", () => {
  for (const reason of reasons)
    expect(reported({ reason, verdict: "wrong" }, { isInFront: true })).toEqual(
      {
        tone: "waiting",
        sentence: "This window covers the screen",
        help: "The screen keeps playing behind it. Move or close this window to see it.",
      },
    );
  const blank = reported(
    { reason: "schedule", verdict: "blank" },
    { isInFront: true },
  );
  expect(blank.tone).toBe("fault");
});

it("a takeover is named first, before what the screen was verified to show", () => {
  expect(reported({ reason: "takeover", verdict: "verified" })).toMatchObject({
    tone: "takeover",
    sentence: expect.stringMatching(/^Takeover since/),
  });
});

it("“verified” is only reported after a verification of the screen", () => {
  const planned = { reason: "schedule", verdict: null } as const;
  expect(reported(planned).sentence).toBe("As planned");
  expect(reported({ ...planned, verdict: "verified" })).toMatchObject({
    tone: "good",
    sentence: "As planned, verified",
  });
});
