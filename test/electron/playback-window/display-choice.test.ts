// Choice of the display: when its home display is lost the playback window moves to another, and back later.

import { describe, expect, it } from "vitest";
import {
  chooseDisplay,
  homeOf,
} from "../../../electron/playback-window/display-choice.ts";

const [desk, wall, other] = [{ id: 11 }, { id: 22 }, { id: 33 }];

/** The display of the playback window after each change of the connected displays. */
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

describe("the playback window", () => {
  it("moves to the remaining display when its own is lost, and back when that returns", () => {
    expect(walk(1, null, [desk, wall], [desk], [desk, wall])).toEqual([
      ...[22, 11, 22],
    ]);
  });

  it("moves back also when the displays have been renumbered meanwhile", () => {
    expect(walk(1, null, [desk, wall], [desk], [desk, other, wall])).toEqual([
      ...[22, 11, 22],
    ]);
  });

  it("moves to the requested display as soon as it is connected", () => {
    expect(walk(1, null, [desk], [desk, wall], [wall, desk])).toEqual([
      ...[11, 22, 22],
    ]);
  });

  it("stays assigned to the display it was moved to, though that was disconnected at the start", () => {
    expect(walk(0, 33, [desk], [desk, other], [desk])).toEqual([11, 33, 11]);
  });
});
