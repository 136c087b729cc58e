// A display that is lost and comes back: the glass goes where there is one, and home again.

import { describe, expect, it } from "vitest";
import {
  chooseDisplay,
  homeOf,
} from "../../../electron/windows/display-choice.ts";

const [desk, wall, other] = [{ id: 11 }, { id: 22 }, { id: 33 }];

/** Where the glass is after each change of what is plugged in. */
function walk(
  index: number,
  home: number | null,
  ...steps: readonly (readonly { id: number }[])[]
): readonly number[] {
  let preference = { home, index };
  return steps.map((displays) => {
    preference = { ...preference, home: homeOf(displays, preference) };
    return chooseDisplay(displays, preference, displays[0] ?? desk).id;
  });
}

describe("the glass", () => {
  it("moves to the display that is left when its own is lost, and home when that is back", () => {
    expect(walk(1, null, [desk, wall], [desk], [desk, wall])).toEqual([
      ...[22, 11, 22],
    ]);
  });

  it("goes home also when the displays are counted anew meanwhile", () => {
    expect(walk(1, null, [desk, wall], [desk], [desk, other, wall])).toEqual([
      ...[22, 11, 22],
    ]);
  });

  it("takes the display that was asked for as soon as it is there", () => {
    expect(walk(1, null, [desk], [desk, wall], [wall, desk])).toEqual([
      ...[11, 22, 22],
    ]);
  });

  it("belongs to the one it was moved to, though that was away at the start", () => {
    expect(walk(0, 33, [desk], [desk, other], [desk])).toEqual([11, 33, 11]);
  });
});
