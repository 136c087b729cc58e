// What an outage was: the sentences of the service in the operator's language.

import { expect, it, vi } from "vitest";
import { stateOf } from "../../../../server/content/link/screen-state.ts";
import type { ScreenOutageV3 } from "../../../../server/contract/v3/v3-outages.ts";
import type { ScreenReport } from "../../../../server/contract/link/screen-report.ts";
import { reportOf } from "../../../support/content/screen-reports.ts";

vi.stubGlobal("navigator", { language: "de-DE" });
vi.stubGlobal("window", { localStorage: { getItem: () => null } });
const { whatHappened, causesText } =
  await import("../../../../renderer/manager/screens/outages/outage-text.ts");

type Counts = Parameters<typeof stateOf>[0]["counts"];

/** As the service writes it down. */
function happened(
  report: ScreenReport | null,
  counts?: Counts,
  contact: "recent" | "silent" = "recent",
): string {
  const { state, reason } = stateOf({
    ...{ contact, isEnabled: true, sync: "in-sync", counts, report },
  });
  return whatHappened({ state, reason } as ScreenOutageV3);
}

it.each([
  [reportOf({ verdict: "blank" }), "Leerer Bildschirm statt „Menu“."],
  [reportOf({ verdict: "frozen" }), "Eingefroren, statt „Menu“ zu zeigen."],
  [
    reportOf({ verdict: "wrong", name: "“A” or.\n“B”" }),
    "Etwas anderes als „“A” or.\n“B”“ war zu sehen.",
  ],
  [
    reportOf(
      { verdict: null, reason: "not-ready" },
      { missing: [{ name: "Menu", reason: "The disk is full." }] },
    ),
    "Nichts von dem, was geplant war, konnte gezeigt werden.",
  ],
])("translates every reason of a wrong screen", (report, text) => {
  expect(happened(report)).toBe(text);
});

it("translates the reasons of missing content and of silence", () => {
  expect(happened(reportOf(), { wanted: 12, here: 8, failed: 3 })).toBe(
    "3 von 12 Inhalten fehlgeschlagen.",
  );
  expect(happened(reportOf(), { wanted: 12, here: 11, failed: 0 })).toBe(
    "1 von 12 Inhalten fehlte.",
  );
  expect(happened(null, undefined, "silent")).toBe(
    "Der Player hat nicht geantwortet.",
  );
});

it("shows the reason of a later service as it is", () => {
  const reason = "The screen shows its content upside down.";
  expect(whatHappened({ state: "wrong", reason } as ScreenOutageV3)).toBe(
    reason,
  );
});

it("orders causes by their time", () => {
  const causes = {
    network: { outages: 9, duration_seconds: 10 },
    power: { outages: 1, duration_seconds: 90 },
  };
  expect(causesText({ causes }).map(({ cause }) => cause)).toEqual([
    ...["power", "network"],
  ]);
});
