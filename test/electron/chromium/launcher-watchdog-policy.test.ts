// What launches the processes of Chromium is continued when it is stopped, and ended when that does not help.

import { describe, expect, it } from "vitest";
import {
  firstLauncher,
  stepLauncher,
  type LauncherAct,
  type LauncherState,
} from "../../../electron/chromium/launcher-watchdog-policy.ts";

function actsOn(
  launcherStates: readonly LauncherState[],
): readonly (LauncherAct | null)[] {
  let state = firstLauncher;
  return launcherStates.map((launcherState) => {
    const step = stepLauncher(state, launcherState);
    state = step.state;
    return step.act;
  });
}

describe("what launches the processes of Chromium", () => {
  it("[V2-674] is continued when it is found stopped twice, and ended when it stays so", () => {
    const stopped = Array<LauncherState>(5).fill("stopped");
    expect(actsOn(stopped)).toEqual([
      ...[null, "continue", "continue", "end", "end"],
    ]);
  });

  it("[V2-674] is left alone when it was stopped for a moment", () => {
    expect(actsOn(["stopped", "runs", "stopped", "runs"])).toEqual(
      Array(4).fill(null),
    );
  });

  it("[V2-675] is lost, once, when it is found gone twice", () => {
    expect(actsOn(["runs", "gone", "gone", "gone"])).toEqual([
      ...[null, null, "lost", null],
    ]);
  });
});
