// What the first run stores when it is done: what was chosen and is another than before, and nothing else.

import { describe, expect, it } from "vitest";
import { changesOf } from "../../../renderer/manager/first-run/choices.ts";

const now = {
  ...({ role: "both", displayId: 1, orientation: 0 } as const),
  startsWithMachine: false,
};

describe("the first run", () => {
  it("stores nothing of what was passed on the way back to what it was", () => {
    const back = { role: "both", displayId: 1, orientation: 0 } as const;
    for (const choices of [{}, back])
      expect(changesOf(choices, now)).toEqual({ machine: {}, settings: {} });
  });

  it("lets a PC that becomes a screen start with the machine", () => {
    expect(changesOf({ role: "screen" }, now)).toEqual({
      machine: { role: "screen" },
      settings: { start_with_machine: true },
    });
  });

  it("never takes back that it starts with the machine", () => {
    const started = { ...now, startsWithMachine: true };
    for (const role of ["desk", "screen"] as const)
      expect(changesOf({ role }, started).settings).toEqual({});
  });

  it("stores the display and how it is turned", () => {
    expect(changesOf({ displayId: 2, orientation: 90 }, now)).toEqual({
      machine: { displayId: 2 },
      settings: { screen_rotation: 90 },
    });
  });
});
