// Deadline of a screenshot of a view, for every caller.

import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it, vi } from "vitest";
import { captureView } from "../../../electron/screenshots/view-screenshot.ts";
import { isBlank, isFoundBlank } from "../../../electron/web/web-health.ts";

type Contents = Parameters<typeof isBlank>[0];

const never = (): Promise<never> => new Promise(() => undefined);

afterEach(() => {
  vi.useRealTimers();
});

it("[V2-465] gives a screenshot up after five seconds", async () => {
  vi.useFakeTimers();
  const outcome = captureView({ capturePage: never }).catch(String);
  await vi.advanceTimersByTimeAsync(4999);
  expect(await Promise.race([outcome, Promise.resolve("open")])).toBe("open");
  await vi.advanceTimersByTimeAsync(1);
  expect(await outcome).toContain("gave no picture");
});

it("[V2-177] does not count a page as blank when no screenshot of it arrives", async () => {
  vi.useFakeTimers();
  const mainFrame = { executeJavaScript: () => Promise.resolve(true) };
  const contents = {
    ...{ mainFrame, capturePage: never, isDestroyed: () => false },
  } as unknown as Contents;
  const outcomes = Promise.all([isBlank(contents), isFoundBlank(contents)]);
  await vi.advanceTimersByTimeAsync(5000);
  expect(await outcomes).toEqual([false, false]);
});

it("[V2-465] captures views in one place only, except for the pixel that shows whether anything is drawn", async () => {
  const folder = fileURLToPath(new URL("../../../electron", import.meta.url));
  const below = await readdir(folder, { recursive: true });
  const names = below.filter((name) => name.endsWith(".ts"));
  const requests: string[] = [];
  for (const name of names) {
    const source = await readFile(path.join(folder, name), "utf8");
    const times = source.split(/\.capturePage\(/).length - 1;
    if (times > 0) requests.push(`${path.basename(name)}: ${times}`);
  }
  expect(names.length).toBeGreaterThan(50);
  expect(requests.sort()).toEqual([
    "playback-window.ts: 1",
    "view-screenshot.ts: 1",
  ]);
});
