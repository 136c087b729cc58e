// Daily copies of the SQLite database beside it, the newest seven: what a damaged one is restored from (V4-300).

import { randomUUID } from "node:crypto";
import { chmod, mkdir, open, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { putInPlace } from "../../platform/files/replace-file.ts";
import type { Log } from "../../platform/log.ts";

export interface BackupsOptions {
  readonly dataDir: string;
  /** Writes a copy of one moment into this empty file; what is wrong with it, or null. */
  readonly backUp: (to: string) => Promise<string | null>;
  /** How many are kept; 0 makes none. */
  readonly kept: number;
  /** A start is not slowed down by it. */
  readonly firstAfterMs?: number | undefined;
  readonly now: () => number;
  readonly log: Log;
}

export interface Backups {
  /** Why the last one could not be made, in a sentence; null when all is well. */
  problem(): string | null;
  stop(): Promise<void>;
}

const defaultFirstAfterMs = 60_000;
/** A backup of the day that could not be made is tried again so often. */
const intervalMs = 15 * 60_000;
const partEnding = ".part";
const oldPartMs = 24 * 3_600_000;
const nameShape = /^content-\d{4}-\d\d-\d\d\.db$/;

export function backupsDir(dataDir: string): string {
  return path.join(dataDir, "backups");
}

/** Paths of all, the newest first. */
export async function listBackups(dataDir: string): Promise<readonly string[]> {
  const dir = backupsDir(dataDir);
  const names = await readdir(dir).catch(() => []);
  return names
    .filter((name) => nameShape.test(name))
    .sort()
    .reverse()
    .map((name) => path.join(dir, name));
}

/** One of each day by the database's clock, from soon after the start on. */
export function startBackups(options: BackupsOptions): Backups {
  const { dataDir, kept, log, now } = options;
  let current: Promise<void> = Promise.resolve();
  let problem: string | null = null;
  if (kept === 0) return { problem: () => null, stop: () => Promise.resolve() };

  async function backUpToday(): Promise<void> {
    const day = new Date(now()).toISOString().slice(0, 10);
    const file = path.join(backupsDir(dataDir), `content-${day}.db`);
    if ((await listBackups(dataDir)).includes(file)) return;
    const startedAt = performance.now();
    try {
      await makeBackup(file, options);
      problem = null;
      log.info("backup.created", {
        file: path.basename(file),
        ms: Math.round(performance.now() - startedAt),
      });
    } catch (error) {
      problem =
        error instanceof DamagedError
          ? error.message
          : "The daily backup of the database could not be made.";
      log.error("backup.failed", { error });
      return;
    }
    for (const older of (await listBackups(dataDir)).slice(kept))
      await rm(older, { force: true });
    await dropOldParts(backupsDir(dataDir));
  }

  const plan = (): void => {
    current = current
      .then(backUpToday)
      .catch((error: unknown) => log.error("backup.failed", { error }));
  };
  const first = setTimeout(plan, options.firstAfterMs ?? defaultFirstAfterMs);
  const timer = setInterval(plan, intervalMs);
  first.unref();
  timer.unref();
  return {
    problem: () => problem,
    /** What is under way is waited for until the database is closed. */
    stop: () => {
      clearTimeout(first);
      clearInterval(timer);
      return current;
    },
  };
}

/** What a killed service was writing. */
async function dropOldParts(dir: string): Promise<void> {
  for (const name of await readdir(dir)) {
    if (!name.includes(partEnding)) continue;
    const part = path.join(dir, name);
    const { mtimeMs } = await stat(part).catch(() => ({ mtimeMs: Infinity }));
    if (mtimeMs < Date.now() - oldPartMs) await rm(part, { force: true });
  }
}

class DamagedError extends Error {}

/** Older backups stay where the database itself turns out to be damaged. */
async function makeBackup(
  file: string,
  { backUp }: BackupsOptions,
): Promise<void> {
  const dir = path.dirname(file);
  // Of its own: another instance on the same folder may be at the same day's.
  const part = `${file}.${randomUUID()}${partEnding}`;
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await chmod(dir, 0o700);
  try {
    await (await open(part, "w", 0o600)).close();
    const damage = await backUp(part);
    if (damage !== null)
      throw new DamagedError(
        `The database is damaged (${damage.replace(/\.$/, "")}): the next start of the service restores it from its latest backup.`,
      );
    await putInPlace(part, file);
  } finally {
    for (const ending of ["", "-wal", "-shm", "-journal"])
      await rm(part + ending, { force: true });
  }
}
