// Settings page: texts for every setting, search, shortcuts, and the API reference.

import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openApiV2 } from "../../../../server/contract/v2/v2-openapi.ts";
import { settingFields } from "../../../../server/contract/v2/v2-settings.ts";
import {
  groupsOf,
  searchGroups,
} from "../../../../renderer/manager/settings/api-docs/api-description.ts";
import { keysOf } from "../../../../renderer/manager/settings/hotkey.ts";
import { isFound } from "../../../../renderer/manager/settings/search.ts";
import type * as Sections from "../../../../renderer/manager/settings/setting-sections.ts";

/** Shown by other pages in a way of their own. */
const elsewhere = ["takeover_messages"];

/** The manager uses the language of its window. */
async function sectionsIn(language: string): Promise<typeof Sections> {
  vi.resetModules();
  vi.stubGlobal("navigator", { language });
  vi.stubGlobal("window", { localStorage: { getItem: () => null } });
  onTestFinished(() => void vi.unstubAllGlobals());
  return import("../../../../renderer/manager/settings/setting-sections.ts");
}

describe("the settings", () => {
  it("have a name and an effect in both languages, and names for the same choices", async () => {
    const [english, german] = [
      await sectionsIn("en"),
      await sectionsIn("de"),
    ].map(({ settingNamed }) =>
      Object.values(settingFields)
        .filter(({ wireName }) => !elsewhere.includes(wireName))
        .map(({ wireName }) => ({
          wireName,
          words: settingNamed(wireName)?.words,
        })),
    );
    for (const fields of [english, german])
      expect(
        fields?.filter(
          ({ wireName, words }) =>
            !words?.effect || words.name === wireName.replaceAll("_", " "),
        ),
      ).toEqual([]);
    const choicesOf = (fields: typeof english) =>
      fields?.map(({ wireName, words }) => [
        wireName,
        Object.keys(words?.choices ?? {}),
      ]);
    expect(choicesOf(german)).toEqual(choicesOf(english));
  });

  it("are found by every word of the query, ignoring case and diacritics", () => {
    expect(isFound("uber", "Über Vitrine")).toBe(true);
    expect(isFound("sound mute", "Mute", "silences everything", "Sound")).toBe(
      true,
    );
    expect(isFound("mute volume", "Mute", "silences everything")).toBe(false);
  });

  it("accept shortcuts in the interface's notation, and none that people type with", () => {
    const plain = {
      ...{ ctrlKey: false, altKey: false, shiftKey: false, metaKey: false },
    };
    const keys = (code: string, held = {}, key = "") =>
      keysOf({ ...plain, ...held, code, key });
    expect(keys("F9", { ctrlKey: true, shiftKey: true })).toBe("Ctrl+Shift+F9");
    expect(keys("F9")).toBe("F9");
    expect(keys("KeyE", { altKey: true })).toBe("Alt+E");
    expect(keys("KeyE")).toBeNull();
    expect(keys("Tab", { ctrlKey: true })).toBeNull();
    const shifted = { shiftKey: true };
    for (const [code, key] of [
      ["KeyE", "E"],
      ["Digit4", "$"],
      ["Space", " "],
    ] as const)
      expect(keys(code, shifted, key), code).toBeNull();
    expect(keys("F4", shifted, "F4")).toBe("Shift+F4");
    const altGr = { ctrlKey: true, altKey: true };
    expect(keys("KeyQ", altGr, "@")).toBeNull();
    expect(keys("Digit7", altGr, "{")).toBeNull();
    expect(keys("F7", altGr)).toBe("Ctrl+Alt+F7");
  });

  it("accept the letter printed on a key, wherever the key is", () => {
    const held = { ctrlKey: true, altKey: true, shiftKey: true };
    const keys = (code: string, key: string) =>
      keysOf({ ...{ metaKey: false }, ...held, code, key });
    expect(keys("KeyQ", "A")).toBe("Ctrl+Alt+Shift+A");
    expect(keys("Semicolon", "S")).toBe("Ctrl+Alt+Shift+S");
    expect(keys("KeyE", "€")).toBe("Ctrl+Alt+Shift+E");
    expect(keys("KeyF", "А")).toBe("Ctrl+Alt+Shift+F");
  });
});

describe("the API reference", () => {
  const groups = groupsOf(openApiV2(), "http://127.0.0.1:8080");
  const all = groups.flatMap(({ operations }) => operations);

  it("contains every operation of the player's own description once", () => {
    const described = Object.values(openApiV2().paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(all.map(({ id }) => id).sort()).toEqual(described.sort());
  });

  it("lists the fields of a body, and a command that can be pasted", () => {
    const made = all.find(({ id }) => id === "createToken");
    expect(made?.fields).toMatchObject([{ name: "name", isRequired: true }]);
    expect(made?.example).toBe(
      `curl http://127.0.0.1:8080/api/v2/tokens -H 'Content-Type: application/json' -d '{"name":"front desk"}'`,
    );
    const upload = all.find(({ id }) => id === "uploadFile");
    expect(upload?.example).toContain("-F file_upload=@image.png");
  });

  it("offers only read operations to be tried, and finds operations by their fields", () => {
    expect(all.filter(({ canBeTried }) => canBeTried)).not.toEqual([]);
    expect(
      all.every(({ canBeTried, method }) => !canBeTried || method === "GET"),
    ).toBe(true);
    const found = searchGroups(groups, "backup delete");
    expect(found.flatMap(({ operations }) => operations)).toMatchObject([
      { id: "deleteBackup" },
    ]);
  });
});

describe("the sections", () => {
  it("contain every setting once", async () => {
    const { sectionIds, settingsIn } = await sectionsIn("en");
    const names = sectionIds.flatMap((id) =>
      settingsIn(id).map(({ wireName }) => wireName),
    );
    expect(names.sort()).toEqual(
      Object.values(settingFields)
        .map(({ wireName }) => wireName)
        .filter((name) => !elsewhere.includes(name))
        .sort(),
    );
  });
});
