// After so many pictures the stage is told to let go of what is over, once, and the wire to it is let go of again.

import { expect, it } from "vitest";
import {
  createImageCacheCleanup,
  type ImageCacheCleanupOptions,
} from "../../../electron/stage/image-cache-cleanup.ts";
import { createLog } from "../../../server/platform/log.ts";

const fullHd = { width: 1920, height: 1080 };

function stage(isGone = false, isHanging = false) {
  const warnings: string[] = [];
  let isAttached = false;
  const contents = {
    isDestroyed: () => false,
    isCrashed: () => isGone,
    debugger: {
      attach: () => (isAttached = true),
      detach: () => (isAttached = false),
      isAttached: () => isAttached,
      sendCommand: (command: string, words: { level?: string } = {}) => {
        warnings.push([command, ...Object.values(words)].join(" "));
        return isHanging ? new Promise(() => {}) : Promise.resolve();
      },
    },
  };
  return {
    contents: (() =>
      contents) as unknown as ImageCacheCleanupOptions["contents"],
    warnings,
    isAttached: () => isAttached,
  };
}

it("is told after a hundred megabytes of pictures, not before, and is listened to no longer than that takes", async () => {
  const { contents, warnings, isAttached } = stage();
  const imageCacheCleanup = createImageCacheCleanup({
    contents,
    log: createLog({ toStandardOutput: false }),
  });
  for (let count = 0; count < 12; count += 1) imageCacheCleanup.add(fullHd);
  expect(warnings).toEqual([]);
  for (let count = 0; count < 12; count += 1) imageCacheCleanup.add(fullHd);
  await expect
    .poll(() => warnings)
    .toEqual([
      "Memory.simulatePressureNotification critical",
      "HeapProfiler.collectGarbage",
    ]);
  await expect.poll(isAttached).toBe(false);
});

it("comes before what is made ready next, once, and is not waited for when nothing is due", async () => {
  const { contents, warnings } = stage();
  const imageCacheCleanup = createImageCacheCleanup({
    contents,
    log: createLog({ toStandardOutput: false }),
  });
  await imageCacheCleanup.comeFirst();
  expect(warnings).toEqual([]);
  for (let count = 0; count < 13; count += 1) imageCacheCleanup.add(fullHd);
  await Promise.all([
    imageCacheCleanup.comeFirst(),
    imageCacheCleanup.comeFirst(),
  ]);
  await imageCacheCleanup.comeFirst();
  expect(warnings).toEqual([
    "Memory.simulatePressureNotification critical",
    "HeapProfiler.collectGarbage",
  ]);
});

it("keeps nothing waiting for a stage that hangs", async () => {
  const { contents, warnings } = stage(false, true);
  const imageCacheCleanup = createImageCacheCleanup({
    contents,
    log: createLog({ toStandardOutput: false }),
  });
  for (let count = 0; count < 13; count += 1) imageCacheCleanup.add(fullHd);
  await imageCacheCleanup.comeFirst();
  expect(warnings).toHaveLength(2);
});

it("takes with it what this process is done with", async () => {
  const collected: string[] = [];
  const registry = new FinalizationRegistry<string>((what) => {
    collected.push(what);
  });
  registry.register({ done: true }, "what was done with");
  const imageCacheCleanup = createImageCacheCleanup({
    contents: stage().contents,
    log: createLog({ toStandardOutput: false }),
  });
  for (let count = 0; count < 13; count += 1) imageCacheCleanup.add(fullHd);
  await expect.poll(() => collected).toEqual(["what was done with"]);
  // Had nobody held it, it could not have told.
  expect(registry).toBeDefined();
});

it("leaves a stage alone that is being started anew", async () => {
  const gone = stage(true);
  const here = stage();
  const stages = [gone, here];
  const log = createLog({ toStandardOutput: false });
  for (const { contents } of stages) {
    const imageCacheCleanup = createImageCacheCleanup({ contents, log });
    for (let count = 0; count < 13; count += 1) imageCacheCleanup.add(fullHd);
  }
  // The other one was asked first.
  await expect.poll(() => here.warnings.length).toBe(2);
  expect(gone.warnings).toEqual([]);
});
