// Screens for tests of the screens page.

import type { ScreenView } from "../../../../server/contract/ipc/ipc-screens.ts";
import type { ScreenReport } from "../../../../server/contract/link/screen-report.ts";
import type { ScreenItem } from "../../../../renderer/manager/fleet/find-screens.ts";

const since = "2026-05-04T10:00:00.000Z";

type Showing = NonNullable<ScreenReport["showing"]>;

export function reportOf(
  showing: Partial<Showing> | null,
  more: Partial<ScreenReport> = {},
): ScreenReport {
  return {
    showing: showing && {
      ...{ asset_id: null, name: "Lunch", kind: "image", reason: "schedule" },
      ...{ explanation: "", playlist: null, since, until: null },
      ...{ verdict: null, verdict_since: null, ...showing },
    },
    ...{ next: null, paused_until: null, is_dark: false, missing: [] },
    ...{ displays: [], storage: null, clock_skew_ms: null, ...more },
  };
}

export function screenOf(
  name: string,
  more: Partial<ScreenView> = {},
): ScreenView {
  return {
    ...{ id: name, name, is_enabled: true, timezone: "", location: "" },
    ...{ groups: [], state: "right", state_since: null, reason: null },
    ...{ report: null, reported_at: null, item_counts: null, last_ping: null },
    ...{ software_version: null, screenshot: null, ...more },
  };
}

export function itemOf(
  name: string,
  more: Partial<ScreenView> = {},
): ScreenItem {
  return {
    ...{ key: `hosted/${name}`, serviceId: "hosted", serviceName: "Hosted" },
    ...{ isManageable: true, screen: screenOf(name, more) },
  };
}
