// The kept frame while the graphics process restarts: shown only for its own showing, removed in any case, and followed by a check.

import { expect, it } from "vitest";
import { createGraphicsGap } from "../../../electron/playback-window/graphics-gap.ts";

/** With a frame that notes what is asked of it, and a showing that is drawn again when `draw` is called. */
function createGap() {
  const calls: string[] = [];
  const note = async (name: string): Promise<void> => void calls.push(name);
  let isDrawn = false;
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
    isDrawn: async () => isDrawn,
    onOver: () => calls.push("check"),
  });
  return { gap, calls, draw: () => (isDrawn = true) };
}

it("[V2-702] covers the window until the showing is drawn again, and the window is checked then", async () => {
  const { gap, calls, draw } = createGap();
  gap.verified("a");
  const over = gap.lost("a");
  expect(gap.isCovered()).toBe(true);
  draw();
  await over;
  expect(gap.isCovered()).toBe(false);
  expect(calls).toEqual(["keep", "cover", "uncover", "check"]);
});

it("[V2-702] [V2-650] uncovers at once when something else is shown, and the window is checked all the same", async () => {
  const { gap, calls } = createGap();
  gap.verified("a");
  const over = gap.lost("a");
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
  await gap.lost("a");
  gap.verified("a");
  await gap.lost("b");
  gap.changed();
  await gap.lost("a");
  expect(calls).toEqual(["check", "keep", "check", "forget", "check"]);
});

it("[V2-702] lasts until the last of several losses in a row is over: one cover, one check", async () => {
  const { gap, calls, draw } = createGap();
  gap.verified("a");
  const first = gap.lost("a");
  const second = gap.lost("a");
  draw();
  await Promise.all([first, second]);
  expect(calls.filter((name) => name === "check")).toHaveLength(1);
  expect(calls.filter((name) => name === "uncover")).toHaveLength(1);
  expect(gap.isCovered()).toBe(false);
});
