// A site check report as text: one line per check, the advice below it, and the total, in the language of the system.

import { expect, it } from "vitest";
import {
  siteAsJson,
  siteAsText,
} from "../../../electron/site-check/site-check-text.ts";
import type { SiteReport } from "../../../electron/site-check/site-check.ts";

const report: SiteReport = {
  time: "2026-06-01T12:00:00.000Z",
  faults: 1,
  lines: [
    {
      ...({ name: "disk", verdict: "good", ms: 12 } as const),
      fact: { code: "disk", freeBytes: 80e9, bytesPerSecond: 1e8 },
    },
    {
      ...({ name: "kill and recover", verdict: "unknown", ms: 3 } as const),
      fact: { code: "not-killed", call: "vitrine" },
    },
    {
      ...({ name: "autostart", verdict: "fault", ms: 3 } as const),
      fact: { code: "not-started" },
    },
  ],
};

it("[V2-260] prints each check with its time, its advice, and the number of problems", () => {
  expect(siteAsText(report, "en").split("\n")).toEqual([
    "OK       Disk                80 GB free, writes 100 MB per second. (12 ms)",
    "unknown  Crash recovery      Not tested, because it interrupts playback. (3 ms)",
    "                             → Test it outside opening hours: vitrine --site-check --try-kill",
    "problem  Start with this PC  The player doesn’t start with this PC. (3 ms)",
    "                             → Turn on “Start with this PC” in Settings.",
    expect.stringMatching(/^Checked at .+: 1 problem$/),
    "",
  ]);
});

it("[V2-260] prints it in German on a German system", () => {
  expect(siteAsText(report, "de-AT")).toMatch(
    /^in Ordnung {2}Festplatte +80\sGB frei, schreibt 100\sMB pro Sekunde\. \(12 ms\)$/m,
  );
});

it("[V2-260] gives scripts the findings in English, with the command to type", () => {
  const { lines } = JSON.parse(siteAsJson(report)) as SiteReport;
  expect(lines[1]).toEqual({
    ...report.lines[1],
    found: "Not tested, because it interrupts playback.",
    advice: "Test it outside opening hours:",
    command: "vitrine --site-check --try-kill",
  });
});
