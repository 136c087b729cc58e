// A data folder that nobody but its owner reads: made, and taken back.

import { execFile } from "node:child_process";
import { chmod, mkdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../support/folder.ts";

const module = path.resolve("server/platform/private-folder.ts");

/** In a process of its own: what it may create from then on is a state of the whole process. */
async function makePrivate(dir: string): Promise<void> {
  const script = `
    import { writeFileSync } from "node:fs";
    import { makePrivateFolder } from ${JSON.stringify(module)};
    makePrivateFolder(process.argv[1]);
    writeFileSync(process.argv[1] + "/later.db", "");`;
  await promisify(execFile)(process.execPath, [
    ...["--input-type=module", "--eval", script, dir],
  ]);
}

async function modeOf(...place: string[]): Promise<number> {
  return (await stat(path.join(...place))).mode & 0o777;
}

it.skipIf(process.platform === "win32")(
  "is made with all its parents for its owner alone, and so is what is written later",
  async () => {
    const parent = path.join(await temporaryFolder(), "a");
    const dir = path.join(parent, "b");
    await makePrivate(dir);
    expect(await modeOf(parent)).toBe(0o700);
    expect(await modeOf(dir)).toBe(0o700);
    expect(await modeOf(dir, "later.db")).toBe(0o600);
  },
);

it.skipIf(process.platform === "win32")(
  "that was readable for everybody is so no longer, nor what lies directly in it",
  async () => {
    const dir = await temporaryFolder();
    await chmod(dir, 0o755);
    await mkdir(path.join(dir, "files"));
    await chmod(path.join(dir, "files"), 0o755);
    await writeFile(path.join(dir, "vitrine.db"), "");
    await chmod(path.join(dir, "vitrine.db"), 0o644);
    await makePrivate(dir);
    expect(await modeOf(dir)).toBe(0o700);
    expect(await modeOf(dir, "files")).toBe(0o700);
    expect(await modeOf(dir, "vitrine.db")).toBe(0o600);
  },
);
