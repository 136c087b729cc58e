// Event details on the activity page, in a German manager.

import { expect, it, vi } from "vitest";
import {
  contentText,
  holdTexts,
} from "../../../../server/contract/v2/v2-sync-history-text.ts";
import type { ActivityV2 } from "../../../../server/contract/v2/v2-logs.ts";

const event = (change: Partial<ActivityV2>): ActivityV2 => ({
  ...{ activity_id: 1, kind: "sync", action: "applied", name: "Shop" },
  ...{ time: "2026-01-31T12:00:00.000Z", asset_id: null, details: "" },
  ...{ actor: null, changes: [] },
  ...change,
});

it("[V2-382] describes in the manager's language what a sync plan added and why one is held, and leaves a failure message unchanged", async () => {
  vi.stubGlobal("navigator", { language: "de" });
  vi.stubGlobal("window", { localStorage: { getItem: () => null } });
  const { detailsOf } =
    await import("../../../../renderer/manager/activity/details.ts");
  const details = (action: string, reported: string) =>
    detailsOf(event({ action, details: reported }));
  const content = contentText({ assets: 3, playlists: 1 });
  expect(details("applied", content)).toBe("3 Inhalte, 1 Playlist");
  expect(
    Object.values(holdTexts).map((reported) => details("held", reported)),
  ).toEqual([
    "Wartet auf Ihre Freigabe",
    "Wartet auf die festgelegte Uhrzeit",
    "Würde den größten Teil Ihrer Inhalte entfernen",
    "Zurückgestellt",
  ]);
  expect(details("lost", "It is away.")).toBe("It is away.");
  expect(
    detailsOf(
      event({ kind: "asset", action: "changed", details: "name, items" }),
    ),
  ).toBe("Name, Einträge");
  expect(
    detailsOf(
      event({
        ...{ kind: "asset", action: "changed" },
        details:
          "play_time_from, custom_headers (Authorization; X-Site), new_one",
      }),
    ),
  ).toBe("Tägliche Startzeit, Anfrage-Header (Authorization, X-Site), new_one");
});
