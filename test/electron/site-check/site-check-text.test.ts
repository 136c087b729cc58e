// A site check report as text: one line per check, the advice below it, and the total.

import { expect, it } from "vitest";
import { siteAsText } from "../../../electron/site-check/site-check-text.ts";

it("[V2-260] prints each check with its time, its advice, and the number of problems", () => {
  const text = siteAsText({
    time: "2026-06-01T12:00:00.000Z",
    faults: 1,
    lines: [
      {
        ...{ name: "disk", verdict: "good", ms: 12 },
        fact: { code: "disk", freeBytes: 80 * 2 ** 30, bytesPerSecond: 1e8 },
        ...{ found: "80 GiB free.", advice: null },
      },
      {
        ...{ name: "autostart", verdict: "fault", ms: 3 },
        fact: { code: "not-started" },
        ...{ found: "Nothing starts it.", advice: "Enable the unit." },
      },
    ],
  });
  expect(text.split("\n")).toEqual([
    "good     disk       80 GiB free. (12 ms)",
    "FAULT    autostart  Nothing starts it. (3 ms)",
    "                    → Enable the unit.",
    "1 thing is at fault.",
    "",
  ]);
});
