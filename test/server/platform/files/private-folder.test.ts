// Private data folder: readable by its owner alone, when created and when existing.

import { chmod, mkdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makePrivateFolder } from "../../../../server/platform/files/private-folder.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { hasModes } from "../../../support/file-modes.ts";

// The umask is a state of the whole process.
let umask = 0;
beforeEach(() => {
  if (!hasModes) return;
  umask = process.umask(0o022);
});
afterEach(() => {
  if (hasModes) process.umask(umask);
});

async function modeOf(...place: string[]): Promise<number> {
  return (await stat(path.join(...place))).mode & 0o777;
}

it.runIf(hasModes)(
  "is created with all its parents for its owner alone, and so is what is written later",
  async () => {
    const parent = path.join(await temporaryFolder(), "a");
    const dir = path.join(parent, "b");
    makePrivateFolder(dir);
    await writeFile(path.join(dir, "later.db"), "");
    expect(await modeOf(parent)).toBe(0o700);
    expect(await modeOf(dir)).toBe(0o700);
    expect(await modeOf(dir, "later.db")).toBe(0o600);
  },
);

it.runIf(hasModes)(
  "that was readable for everybody is tightened, together with its direct content",
  async () => {
    const dir = await temporaryFolder();
    await chmod(dir, 0o755);
    await mkdir(path.join(dir, "files"));
    await chmod(path.join(dir, "files"), 0o755);
    await writeFile(path.join(dir, "vitrine.db"), "");
    await chmod(path.join(dir, "vitrine.db"), 0o644);
    makePrivateFolder(dir);
    expect(await modeOf(dir)).toBe(0o700);
    expect(await modeOf(dir, "files")).toBe(0o700);
    expect(await modeOf(dir, "vitrine.db")).toBe(0o600);
  },
);

it.runIf(hasModes)(
  "[V4-339] gets back what its owner needs of it and of its direct content",
  async () => {
    const dir = await temporaryFolder();
    await mkdir(path.join(dir, "files"));
    const names = ["content.db", "content.db-wal", "content.db-shm"];
    for (const name of names) {
      await writeFile(path.join(dir, name), "");
      await chmod(path.join(dir, name), 0o400);
    }
    await chmod(path.join(dir, "files"), 0o500);
    await chmod(dir, 0o500);
    makePrivateFolder(dir);
    expect(await modeOf(dir)).toBe(0o700);
    expect(await modeOf(dir, "files")).toBe(0o700);
    for (const name of names) expect(await modeOf(dir, name)).toBe(0o600);
  },
);

it.runIf(hasModes).each([
  ["contains other files only", "notes.txt", 0o755],
  ["is meant for several users", "vitrine.db", 0o1777],
])("that %s keeps its modes", async (_title, name, mode) => {
  const dir = await temporaryFolder();
  await writeFile(path.join(dir, name), "");
  await chmod(path.join(dir, name), 0o755);
  await chmod(dir, mode);
  makePrivateFolder(dir);
  expect((await stat(dir)).mode & 0o7777).toBe(mode);
  expect(await modeOf(dir, name)).toBe(0o755);
});
