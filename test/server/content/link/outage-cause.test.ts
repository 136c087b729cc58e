// Causes of outages, as the service decides them from reports and from what a returning player tells.

import { describe, expect, it } from "vitest";
import type { LinkFacts } from "../../../../server/contract/link/link.ts";
import {
  causeAtBegin,
  causeOfSilence,
  type ReturnedPlayer,
} from "../../../../server/content/link/outage-cause.ts";
import { reportOf } from "../../../support/content/screen-reports.ts";

describe("the cause of an outage", () => {
  it.each([
    ["offline", true, null, "unknown"],
    ["offline", false, null, "planned"],
    ["incomplete", true, reportOf(), "content"],
    ["wrong", true, null, "unknown"],
    ["wrong", true, reportOf({ verdict: "blank" }), "unknown"],
    ["wrong", true, reportOf({ verdict: "wrong" }), "unknown"],
    ["wrong", true, reportOf({ verdict: "frozen", kind: "video" }), "app"],
    ["wrong", true, reportOf({ verdict: "frozen", kind: "stream" }), "unknown"],
    [
      "wrong",
      true,
      reportOf({ verdict: null, reason: "not-ready" }),
      "content",
    ],
  ] as const)(
    "[L-50] when one begins: %s, enabled %s",
    (state, isEnabled, report, cause) => {
      expect(causeAtBegin({ state, isEnabled, report })).toBe(cause);
    },
  );

  it("[L-50] a player that plays on none of its displays has a display outage; one that reports none does not", () => {
    const begun = (displays: ReturnType<typeof reportOf>["displays"]) =>
      causeAtBegin({
        ...{ state: "wrong", isEnabled: true },
        report: reportOf({ verdict: "blank" }, { displays }),
      });
    const display = { width: 1920, height: 1080, rotation: 0 };
    expect(begun([{ ...display, is_playback: false }])).toBe("display");
    expect(begun([])).toBe("unknown");
  });

  const hour = 3600;
  /** It was silent for an hour, and had run for ten. */
  const back = (
    facts: LinkFacts,
    more: Partial<ReturnedPlayer> = {},
  ): ReturnedPlayer => ({
    ...{ moment: hour * 1000, lastContactAt: 0, uptimeBefore: 10 * hour },
    ...{ facts, isRestartOrdered: false, ...more },
  });

  it.each<[string, ReturnedPlayer, string]>([
    ["ran on", back({ uptime: 11 * hour }), "network"],
    [
      "ran on, and its PC too",
      back({ uptime: 11 * hour, machine_uptime: 20 * hour }),
      "network",
    ],
    [
      "started with its PC",
      back({ uptime: 50, machine_uptime: 90, last_run_end: "unexpected" }),
      "power",
    ],
    ["started with its PC", back({ uptime: 50, machine_uptime: 90 }), "power"],
    [
      "started on a PC that ran on",
      back({
        ...{ uptime: 50, machine_uptime: 20 * hour },
        last_run_end: "unexpected",
      }),
      "app",
    ],
    [
      "was ended on request",
      back({
        ...{ uptime: 50, machine_uptime: 20 * hour },
        last_run_end: "requested",
      }),
      "planned",
    ],
    [
      "shut down together with its PC",
      back({ uptime: 50, machine_uptime: 90, last_run_end: "requested" }),
      "planned",
    ],
    [
      "was ordered to restart, and did",
      back({ uptime: 50 }, { isRestartOrdered: true }),
      "planned",
    ],
    [
      "was ordered to restart, and ran on",
      back({ uptime: 11 * hour }, { isRestartOrdered: true }),
      "network",
    ],
    ["does not report its uptime", back({}), "unknown"],
    [
      "does not report its uptime, and was ordered to restart",
      back({}, { isRestartOrdered: true }),
      "planned",
    ],
    ["does not report the uptime of its PC", back({ uptime: 50 }), "unknown"],
    [
      "was suspended with its PC",
      back(
        { uptime: 10 * hour + 60, machine_uptime: 40 * hour },
        {
          lastContactAt: -20 * hour * 1000,
        },
      ),
      "unknown",
    ],
    [
      "had its last contact in the future, as the clock was set back",
      back({ uptime: 11 * hour }, { lastContactAt: 2 * hour * 1000 }),
      "unknown",
    ],
  ])("[L-50] [L-51] of a player that %s", (_what, player, cause) => {
    expect(causeOfSilence(player)).toBe(cause);
  });
});
