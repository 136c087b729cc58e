// Software rendering is remembered across restarts, for a day.

import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { openSoftDrawing } from "../../../electron/chromium/software-rendering.ts";
import { temporaryFolder } from "../../support/folder.ts";

const day = 24 * 3_600_000;
const start = Date.UTC(2026, 5, 1, 12);

it("[V2-463] keeps the reason for software rendering across restarts, for a day and no longer", async () => {
  const dir = await temporaryFolder();
  const reasonAt = (ms: number) => openSoftDrawing(dir, () => ms).reason;
  expect(reasonAt(start)).toBeNull();
  expect(openSoftDrawing(dir, () => start).begin("It ended.")).toBe(true);
  expect(reasonAt(start + day - 1)).toBe("It ended.");
  expect(reasonAt(start + day)).toBeNull();
  // A clock that was set back.
  expect(reasonAt(start - 1)).toBeNull();
});

it("[V2-463] requests no restart where the reason cannot be stored, and ignores a torn file", async () => {
  const dir = await temporaryFolder();
  await writeFile(path.join(dir, "graphics.json"), `{"since": 1`);
  expect(openSoftDrawing(dir, () => start).reason).toBeNull();
  const away = path.join(dir, "away");
  expect(openSoftDrawing(away, () => start).begin("It ended.")).toBe(false);
});
