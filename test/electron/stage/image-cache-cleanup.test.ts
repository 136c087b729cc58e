// Image cache cleanup: after enough images the stage's caches are freed, once, and the debugger connection is closed again.

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

it("runs after a hundred megabytes of images, not before, and keeps the debugger attached no longer than that takes", async () => {
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

it("runs before the next showing is prepared, once, and delays nothing when no cleanup is due", async () => {
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

it("delays nothing when the stage hangs", async () => {
  const { contents, warnings } = stage(false, true);
  const imageCacheCleanup = createImageCacheCleanup({
    contents,
    log: createLog({ toStandardOutput: false }),
  });
  for (let count = 0; count < 13; count += 1) imageCacheCleanup.add(fullHd);
  await imageCacheCleanup.comeFirst();
  expect(warnings).toHaveLength(2);
});

it("also collects this process's own garbage", async () => {
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
  // The registry must stay reachable, or it would not report.
  expect(registry).toBeDefined();
});

it("skips a stage that is restarting", async () => {
  const gone = stage(true);
  const here = stage();
  const stages = [gone, here];
  const log = createLog({ toStandardOutput: false });
  for (const { contents } of stages) {
    const imageCacheCleanup = createImageCacheCleanup({ contents, log });
    for (let count = 0; count < 13; count += 1) imageCacheCleanup.add(fullHd);
  }
  // The other stage was processed first.
  await expect.poll(() => here.warnings.length).toBe(2);
  expect(gone.warnings).toEqual([]);
});
