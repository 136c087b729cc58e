// Entries of a content service's activity log in words: each kind of change has a text in every language, and links lead to the things.

import { beforeAll, describe, expect, it, vi } from "vitest";
import {
  activityKindsV3,
  type ActivityV3,
} from "../../../../server/contract/v3/v3-activity.ts";
import type * as Texts from "../../../../renderer/manager/service/activity/entry-text.ts";
import de from "../../../../renderer/locales/de.json" with { type: "json" };
import en from "../../../../renderer/locales/en.json" with { type: "json" };

const entry = (change: Partial<ActivityV3>): ActivityV3 => ({
  ...{ id: "1", at: "2026-11-30T12:00:00.000Z", kind: "asset", what: "added" },
  ...{ actor_kind: "key", actor_id: "K", actor_name: "shop script" },
  ...{ address: "192.0.2.1", resource_id: "A", name: "Menu", changes: [] },
  ...{ count: 1, ...change },
});

describe("activity of a content service", () => {
  let text: typeof Texts;

  beforeAll(async () => {
    vi.stubGlobal("navigator", { language: "en-GB" });
    vi.stubGlobal("window", { localStorage: { getItem: () => null } });
    text =
      await import("../../../../renderer/manager/service/activity/entry-text.ts");
  });

  it.each([
    ["English", en],
    ["German", de],
  ])(
    "[V3-184] has a text for each kind of change in %s",
    (_name, { activity }) => {
      const { kinds, events } = activity.service;
      const usual = ["added", "changed", "removed"];
      const expected: Record<string, readonly string[]> = {
        ...Object.fromEntries(activityKindsV3.map((kind) => [kind, usual])),
        ...{ alert: ["changed"], screen: [...usual, "commanded"] },
        "edge-app": [...usual, "deployed"],
        person: [...usual, "signed-in", "signed-out", "sign-in-failed"],
      };
      for (const kind of activityKindsV3) {
        expect(kinds).toHaveProperty([kind], expect.any(String));
        expect(Object.keys(events[kind])).toEqual(
          expect.arrayContaining([...(expected[kind] ?? [])]),
        );
      }
    },
  );

  it("[V3-184] counts several things, and shows the code of what a later version records", () => {
    const { eventText } = text;
    expect(eventText(entry({}))).toBe("Asset added");
    expect(eventText(entry({ count: 12 }))).toBe("12 assets added");
    const failed = { kind: "person", what: "sign-in-failed" } as const;
    expect(eventText(entry({ ...failed, count: 3 }))).toBe("3 failed sign-ins");
    expect(eventText(entry({ what: "melted" as "added" }))).toBe(
      "asset melted",
    );
  });

  it("[V3-184] names the command, the author, and fields of parts and of several things", () => {
    const command = { field: "command", before: null, after: "end-takeover" };
    const sent = entry({
      ...{ kind: "screen", what: "commanded", changes: [command], count: 2 },
    });
    expect(text.eventText(sent)).toBe("Command sent to 2 screens");
    expect(text.detailsText(sent)).toBe("Stop takeover");
    expect(text.authorText(sent)).toBe("API key · shop script · 192.0.2.1");
    const person = { actor_kind: "person", actor_name: "Ada" } as const;
    expect(text.authorText(entry(person))).toBe("Ada · 192.0.2.1");
    const itself = { actor_kind: "service", actor_name: "" } as const;
    expect(text.authorText(entry({ ...itself, address: null }))).toBe(
      "This service",
    );
    expect(
      ["title", "items.duration", "items of", "a_new_one"].map(text.fieldText),
    ).toEqual(["title", "items, time on screen", "items of", "a_new_one"]);
    expect(text.codeText("role", "admin")).toBe("Administrator");
    expect(text.codeText("title", "admin")).toBeUndefined();
  });

  it("[V3-184] links to what is still there", () => {
    const { linkTo } = text;
    expect(linkTo(entry({}))?.href).toBe("#/library/A");
    expect(linkTo(entry({ kind: "screen" }))?.href).toBe(
      "#/screens/service%2FA",
    );
    expect(linkTo(entry({ kind: "person" }))?.href).toBe("#/team");
    for (const gone of [
      ...[{ what: "removed" }, { resource_id: null }, { kind: "folder" }],
    ] as const)
      expect(linkTo(entry(gone))).toBeNull();
  });
});
