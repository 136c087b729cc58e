// Daily backups, and the folders of damaged files, when the clock was ahead and was then set back.

import { mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  backupsDir,
  listBackups,
  startBackups,
} from "../../../../server/content/store/backups.ts";
import {
  keepJournal,
  lastRestored,
} from "../../../../server/content/store/restore.ts";
import { createLog } from "../../../../server/platform/log.ts";
import { temporaryFolder } from "../../../support/folder.ts";

const dayMs = 24 * 3_600_000;
const log = createLog({ toStandardOutput: false });

async function withBackups(days: readonly string[]): Promise<string> {
  const dataDir = await temporaryFolder();
  await mkdir(backupsDir(dataDir));
  for (const day of days)
    await writeFile(path.join(backupsDir(dataDir), `content-${day}.db`), "old");
  return dataDir;
}

/** Makes one backup at this moment, and returns the days of all, newest first. */
async function backUpAt(dataDir: string, moment: string, kept: number) {
  let isDone: () => void = () => undefined;
  const done = new Promise<void>((resolve) => (isDone = resolve));
  const backups = startBackups({
    ...{ dataDir, kept, firstAfterMs: 0, now: () => Date.parse(moment) },
    backUp: async (to) => {
      await writeFile(to, "new");
      return null;
    },
    log: {
      ...log,
      info: (event) => {
        if (event === "backup.created") isDone();
      },
    },
  });
  await done;
  await backups.stop();
  const files = await listBackups(dataDir, Date.parse(moment));
  return files.map((file) => /\d{4}-\d\d-\d\d/.exec(file)?.[0]);
}

describe("backups", () => {
  it("[V4-342] dated later than now count as older than all others, and give way to the next ones", async () => {
    const ahead = ["2036-01-01", "2036-01-02", "2036-01-03"];
    const dataDir = await withBackups(ahead);
    expect(await backUpAt(dataDir, "2026-03-01T10:00:00Z", 3)).toEqual([
      ...["2026-03-01", "2036-01-03", "2036-01-02"],
    ]);
    expect(await backUpAt(dataDir, "2026-03-02T10:00:00Z", 3)).toEqual([
      ...["2026-03-02", "2026-03-01", "2036-01-03"],
    ]);
  });

  it("[V4-342] are made again on a day that the clock repeats", async () => {
    const days = ["2026-03-01", "2026-03-02", "2026-03-03"];
    const dataDir = await withBackups(days);
    expect(await backUpAt(dataDir, "2026-03-01T10:00:00Z", 7)).toEqual([
      ...["2026-03-01", "2026-03-03", "2026-03-02"],
    ]);
    const file = path.join(backupsDir(dataDir), "content-2026-03-01.db");
    expect(await readFile(file, "utf8")).toBe("new");
  });

  it("[V4-342] left unfinished with a later date are deleted a day after the clock was set back", async () => {
    const dataDir = await withBackups([]);
    const dir = backupsDir(dataDir);
    const part = path.join(dir, "content-2036-01-01.db.x.part");
    await writeFile(part, "half");
    const inYears = new Date(Date.now() + 3_000 * dayMs);
    await utimes(part, inYears, inYears);
    await backUpAt(dataDir, "2026-03-01T10:00:00Z", 3);
    expect(await readdir(dir)).toContain(path.basename(part));
    const longAgo = new Date(Date.now() - dayMs - 60_000);
    await utimes(part, longAgo, longAgo);
    await backUpAt(dataDir, "2026-03-02T10:00:00Z", 3);
    expect(await readdir(dir)).not.toContain(path.basename(part));
  });
});

describe("what was damaged", () => {
  it("[V4-342] is kept and reported, whatever was set aside while the clock was ahead", async () => {
    const dataDir = await temporaryFolder();
    const ahead = ["2036-01-01T00-00-00-000Z", "2036-01-02T00-00-00-000Z"];
    for (const name of ahead)
      await mkdir(path.join(dataDir, "damaged", name), { recursive: true });
    const file = path.join(dataDir, "content.db");
    await writeFile(`${file}-wal`, "damaged");
    const { aside } = await keepJournal(file, "of this test", dataDir);
    expect(await lastRestored(dataDir)).toMatchObject({
      ...{ reason: "of this test", aside },
    });
    const kept = await readdir(path.join(dataDir, "damaged"));
    expect(kept.toSorted()).toEqual([path.basename(aside), ahead[1]]);
  });
});
