// The kept frame while the graphics process or the stage restarts: shown only for its own showing, removed in any case, and followed by a check.

import { expect, it } from "vitest";
import { createGraphicsGap } from "../../../electron/playback-window/graphics-gap.ts";

/** With a frame that notes what is asked of it, and a showing that is drawn again when `draw` is called. */
function createGap() {
  const calls: string[] = [];
  const note = async (name: string): Promise<void> => void calls.push(name);
  let isDrawn = false;
  let asked = 0;
  const gap = createGraphicsGap({
    frame: {
      keep: () => note("keep"),
      forget: () => note("forget"),
      cover: async () => {
        await note("cover");
        return true;
      },
      uncover: () => note("uncover"),
      close: () => undefined,
    },
    isDrawn: async () => {
      asked += 1;
      return isDrawn;
    },
    onOver: () => calls.push("check"),
  });
  return {
    ...{ gap, calls },
    draw: () => (isDrawn = true),
    /** How often it was to be found out whether anything is drawn. */
    asked: () => asked,
  };
}

it("[V2-702] covers the window until the showing is drawn again, and the window is checked then", async () => {
  const { gap, calls, draw } = createGap();
  gap.verified("a");
  const over = gap.lost("graphics", "a");
  expect(gap.isCovered()).toBe(true);
  draw();
  await over;
  expect(gap.isCovered()).toBe(false);
  expect(calls).toEqual(["keep", "cover", "uncover", "check"]);
});

it("[V2-702] [V2-650] uncovers at once when something else is shown, and the window is checked all the same", async () => {
  const { gap, calls } = createGap();
  gap.verified("a");
  const over = gap.lost("graphics", "a");
  gap.changed();
  expect(gap.isCovered()).toBe(false);
  await over;
  expect(calls.toSorted()).toEqual([
    ...["check", "cover", "forget", "keep", "uncover"],
  ]);
  expect(calls.indexOf("uncover")).toBeGreaterThan(calls.indexOf("cover"));
});

it("[V2-702] covers nothing with the frame of another showing, or without one: the window is checked at once", async () => {
  const { gap, calls } = createGap();
  await gap.lost("graphics", "a");
  gap.verified("a");
  await gap.lost("graphics", "b");
  gap.changed();
  await gap.lost("graphics", "a");
  expect(calls).toEqual(["check", "keep", "check", "forget", "check"]);
});

it("[V2-702] lasts until the last of several losses in a row is over: one cover, one check", async () => {
  const { gap, calls, draw } = createGap();
  gap.verified("a");
  const first = gap.lost("graphics", "a");
  const second = gap.lost("graphics", "a");
  draw();
  await Promise.all([first, second]);
  expect(calls.filter((name) => name === "check")).toHaveLength(1);
  expect(calls.filter((name) => name === "uncover")).toHaveLength(1);
  expect(gap.isCovered()).toBe(false);
});

it("[V2-736] covers the window until something is shown on the new stage, without a check", async () => {
  const { gap, calls, draw, asked } = createGap();
  gap.verified("a");
  const over = gap.lost("stage", "a");
  // The graphics process draws all the time.
  draw();
  await expect.poll(() => calls).toContain("cover");
  expect(gap.isCovered()).toBe(true);
  expect(asked()).toBe(0);
  gap.changed();
  await over;
  expect(gap.isCovered()).toBe(false);
  expect(calls.toSorted()).toEqual(["cover", "forget", "keep", "uncover"]);
});

it("[V2-650] [V2-736] checks the window when the graphics process was lost before the stage", async () => {
  const { gap, calls } = createGap();
  gap.verified("a");
  const losses = [gap.lost("graphics", "a"), gap.lost("stage", "a")];
  gap.changed();
  await Promise.all(losses);
  expect(calls.filter((name) => name === "check")).toHaveLength(1);
});
