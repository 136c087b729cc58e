// What a person may do at a content service, as its contract states it.

import { describe, expect, it } from "vitest";
import { permissionsOf } from "../../../../renderer/manager/place/permissions.ts";

const north = { groups: [{ id: "N" }, { id: "X" }] };
const south = { groups: [{ id: "S" }] };

describe("permissions of the person who is signed in", () => {
  it("[V3-142] [V4-361] follow the role", () => {
    const rights = (["viewer", "editor", "operator", "admin"] as const).map(
      (role) => {
        const may = permissionsOf({ role, labels: null });
        return [
          may("POST", "/screens/:id/watch"),
          may("POST", "/screens/commands", [north]),
          may("POST", "/screens"),
          may("GET", "/people"),
        ];
      },
    );
    expect(rights).toEqual([
      [true, false, false, false],
      [true, false, false, false],
      [true, true, true, false],
      [true, true, true, true],
    ]);
  });

  it("[V3-142] [V4-362] [V4-365] [V4-366] follow the limit to labels: everything affected must have one", () => {
    const may = permissionsOf({ role: "operator", labels: [{ id: "N" }] });
    expect(may("PATCH", "/screens/:id", [north])).toBe(true);
    expect(may("PATCH", "/screens/:id", [south])).toBe(false);
    expect(may("POST", "/screens/commands", [north, south])).toBe(false);
    expect(may("POST", "/screens")).toBe(false);
    expect(may("POST", "/alerts/rules")).toBe(false);
    expect(may("GET", "/screens/commands/:id/bundle")).toBe(true);
  });

  it("are not restricted in the player's window", () => {
    expect(permissionsOf(null)("POST", "/screens")).toBe(true);
  });
});
