// What the first run stores at its end: the choices that differ from before, and nothing else.

import { describe, expect, it } from "vitest";
import { changesOf } from "../../../renderer/manager/first-run/choices.ts";

const now = {
  ...({ role: "both", displayId: 1, orientation: 0 } as const),
  startsWithMachine: false,
};

describe("the first run", () => {
  it("stores nothing for a choice that was changed and changed back", () => {
    const back = { role: "both", displayId: 1, orientation: 0 } as const;
    for (const choices of [{}, back])
      expect(changesOf(choices, now)).toEqual({
        ...{ machine: {}, settings: {}, password: null },
      });
  });

  it("enables autostart on a PC that becomes a screen", () => {
    expect(changesOf({ role: "screen" }, now)).toEqual({
      machine: { role: "screen" },
      settings: { start_with_machine: true },
      password: null,
    });
  });

  it("never disables autostart", () => {
    const started = { ...now, startsWithMachine: true };
    for (const role of ["desk", "screen"] as const)
      expect(changesOf({ role }, started).settings).toEqual({});
  });

  it("stores the display and its orientation", () => {
    expect(changesOf({ displayId: 2, orientation: 90 }, now)).toEqual({
      machine: { displayId: 2 },
      settings: { screen_rotation: 90 },
      password: null,
    });
  });

  it("[V2-779] sets a password that was typed, and none for an empty field", () => {
    const password = "words of the lobby";
    expect(changesOf({ password }, now).password).toBe(password);
    expect(changesOf({ password: " " }, now).password).toBeNull();
  });
});
