// Reports of a player about its screen, as a heartbeat carries them.

import type { ScreenReport } from "../../../server/contract/link/screen-report.ts";

type Showing = NonNullable<ScreenReport["showing"]>;

/** A screen that shows “Menu”, verified, unless `showing` says otherwise. */
export function reportOf(
  showing: Partial<Showing> | null = {},
  more: Partial<Omit<ScreenReport, "showing">> = {},
): ScreenReport {
  return {
    showing: showing && {
      ...{ asset_id: "A", name: "Menu", kind: "image", reason: "schedule" },
      ...{ explanation: "“Lunch” is due.", playlist: "Lunch" },
      ...{ since: "2026-05-01T10:00:00Z", until: null, verdict: "verified" },
      ...{ verdict_since: "2026-05-01T10:00:02Z", ...showing },
    },
    ...{ next: "Soup", paused_until: null, is_dark: false, missing: [] },
    displays: [{ width: 1920, height: 1080, rotation: 0, is_playback: true }],
    storage: { free_bytes: 5_000_000_000, total_bytes: 64_000_000_000 },
    ...{ clock_skew_ms: 120, ...more },
  };
}
