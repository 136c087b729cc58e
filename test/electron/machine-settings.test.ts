// Machine settings survive a restart, and thumbnails are deleted with their files.

import { mkdir, readFile, rmdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createMachine } from "../../electron/machine-settings.ts";
import { createThumbnails } from "../../electron/manager/thumbnails.ts";
import { temporaryFolder } from "../support/folder.ts";

describe("the machine settings", () => {
  it("are stored, changed in part, and read again", async () => {
    const file = path.join(await temporaryFolder(), "machine.json");
    const machine = createMachine(file);
    expect(machine.settings().isFirstRunDone).toBe(false);
    await Promise.all([
      machine.change({ role: "screen" }),
      machine.change({ isFirstRunDone: true }),
      machine.change({ managerZoom: 1.5 }),
    ]);
    expect(createMachine(file).settings()).toEqual({
      ...{ role: "screen", displayId: null, isFirstRunDone: true },
      managerZoom: 1.5,
    });
  });

  it("stay as they were when they cannot be written, and the next change is written", async () => {
    const file = path.join(await temporaryFolder(), "machine.json");
    const machine = createMachine(file);
    await mkdir(`${file}.part`);
    await expect(machine.change({ role: "screen" })).rejects.toThrow();
    expect(machine.settings().role).toBe("both");
    await rmdir(`${file}.part`);
    await machine.change({ displayId: 7 });
    expect(createMachine(file).settings()).toMatchObject({
      ...{ role: "both", displayId: 7 },
    });
  });

  it("have their defaults when the file cannot be read", async () => {
    const file = path.join(await temporaryFolder(), "machine.json");
    await writeFile(file, '{"role": "kiosk"');
    expect(createMachine(file).settings().role).toBe("both");
  });
});

describe("thumbnails", () => {
  it("are stored complete, and deleted when their file is gone", async () => {
    const folder = path.join(await temporaryFolder(), "thumbnails");
    const thumbnails = createThumbnails(folder);
    const [here, gone] = ["a".repeat(64), "b".repeat(64)];
    for (const hash of [here, gone])
      await thumbnails.keep(hash, Buffer.from(hash));
    await thumbnails.sweep((hash) => hash === here);
    expect(await readFile(thumbnails.file(here).path, "utf8")).toBe(here);
    await expect(readFile(thumbnails.file(gone).path)).rejects.toThrow(
      "ENOENT",
    );
  });

  it("need no folder while there are none", async () => {
    const folder = path.join(await temporaryFolder(), "none");
    await createThumbnails(folder).sweep(() => false);
  });
});
