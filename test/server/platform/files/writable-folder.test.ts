// Writability of a folder, and temporary folders of one run.

import { existsSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  makeForThisRun,
  refusalOf,
} from "../../../../server/platform/files/writable-folder.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import {
  fillUp,
  mayMount,
  readOnlyAt,
  smallDisk,
} from "../../../support/machine/volume.ts";

describe("a folder", () => {
  it("that is writable keeps nothing of the check", async () => {
    const dir = await temporaryFolder();
    expect(refusalOf(dir)).toBeNull();
    expect(await readdir(dir)).toEqual([]);
  });

  it.skipIf(!mayMount)("that is not writable reports why", async () => {
    const dir = await temporaryFolder();
    readOnlyAt(dir);
    expect(refusalOf(dir)).toMatchObject({ code: "EROFS" });
  });

  it.skipIf(!mayMount).each([0, 16 * 1024])(
    "[V2-359] on a full disk, with %i bytes free, reports why and keeps none of them",
    async (free) => {
      const dir = await smallDisk(1);
      await fillUp(dir, free);
      const before = await readdir(dir);
      expect(refusalOf(dir)).toMatchObject({ code: "ENOSPC" });
      expect(await readdir(dir)).toEqual(before);
    },
  );
});

describe("the folder of a run", () => {
  it("is deleted when the next one is created and its run has ended, and kept while it lasts", async () => {
    const place = await temporaryFolder();
    const own = makeForThisRun(place);
    const running = path.join(place, `vitrine-run-${process.ppid}-abcdef`);
    // No process has a number as high as that.
    const left = path.join(place, "vitrine-run-2000000000-abcdef");
    for (const dir of [running, left]) await mkdir(dir);
    const next = makeForThisRun(place);
    expect([own, running, left, next].map((dir) => existsSync(dir))).toEqual([
      ...[true, true, false, true],
    ]);
  });
});
