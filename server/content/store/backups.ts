// Daily backups of the SQLite database, the latest seven, from which a damaged one is restored (V4-300).

import { randomUUID } from "node:crypto";
import {
  chmod,
  mkdir,
  open,
  readdir,
  rm,
  stat,
  utimes,
} from "node:fs/promises";
import path from "node:path";
import { putInPlace } from "../../platform/files/replace-file.ts";
import type { Log } from "../../platform/log.ts";
import { newestFirst } from "./newest-first.ts";

export interface BackupsOptions {
  readonly dataDir: string;
  /** Writes a consistent copy to this empty file; returns what is wrong with it, or null. */
  readonly backUp: (to: string) => Promise<string | null>;
  /** How many are kept; 0 makes none. */
  readonly kept: number;
  /** Delayed so that it does not slow down the start. */
  readonly firstAfterMs?: number | undefined;
  readonly now: () => number;
  readonly log: Log;
}

export interface Backups {
  /** Why the last backup failed, in a sentence; otherwise null. */
  problem(): string | null;
  stop(): Promise<void>;
}

const defaultFirstAfterMs = 60_000;
/** How often a failed daily backup is retried. */
const intervalMs = 15 * 60_000;
const partEnding = ".part";
const oldPartMs = 24 * 3_600_000;
/** A larger difference is a clock that was set, not one that drifts. */
const clockStepMs = 60_000;
const nameShape = /^content-\d{4}-\d\d-\d\d\.db$/;

export function backupsDir(dataDir: string): string {
  return path.join(dataDir, "backups");
}

/** Paths of all backups, newest first. */
export async function listBackups(
  dataDir: string,
  now = Date.now(),
): Promise<readonly string[]> {
  const dir = backupsDir(dataDir);
  const names = (await readdir(dir).catch(() => [])).filter((name) =>
    nameShape.test(name),
  );
  return newestFirst(names, nameOn(now)).map((name) => path.join(dir, name));
}

function nameOn(now: number): string {
  return `content-${new Date(now).toISOString().slice(0, 10)}.db`;
}

/** One per day by the database's clock, beginning soon after the start. */
export function startBackups(options: BackupsOptions): Backups {
  const { dataDir, kept, log, now } = options;
  let current: Promise<void> = Promise.resolve();
  let problem: string | null = null;
  /** The last backup of this process. */
  let made: string | null = null;
  if (kept === 0) return { problem: () => null, stop: () => Promise.resolve() };

  async function backUpToday(): Promise<void> {
    const file = path.join(backupsDir(dataDir), nameOn(now()));
    const existing = await listBackups(dataDir, now());
    // A day that the clock repeats has a backup already, which is an old one.
    const wasSetBack = existing.some((each) => each > file);
    if (existing.includes(file) && (!wasSetBack || made === file)) return;
    const startedAt = performance.now();
    try {
      await makeBackup(file, options);
      problem = null;
      made = file;
      log.info("backup.created", {
        file: path.basename(file),
        ms: Math.round(performance.now() - startedAt),
      });
    } catch (error) {
      problem =
        error instanceof DamagedError
          ? error.message
          : "The daily backup of the database failed.";
      log.error("backup.failed", { error });
      return;
    }
    for (const older of (await listBackups(dataDir, now())).slice(kept))
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
    /** A backup under way is awaited until the database is closed. */
    stop: () => {
      clearTimeout(first);
      clearInterval(timer);
      return current;
    },
  };
}

/** Partial files of a killed service. */
async function dropOldParts(dir: string): Promise<void> {
  for (const name of await readdir(dir)) {
    if (!name.includes(partEnding)) continue;
    const part = path.join(dir, name);
    const { mtimeMs } = await stat(part).catch(() => ({ mtimeMs: Infinity }));
    const moment = Date.now();
    if (mtimeMs < moment - oldPartMs) await rm(part, { force: true });
    // From before the clock was set back: a day from now on.
    const date = new Date(moment);
    if (mtimeMs !== Infinity && mtimeMs > moment + clockStepMs)
      await utimes(part, date, date).catch(() => undefined);
  }
}

class DamagedError extends Error {}

/** When the database itself turns out to be damaged, older backups are kept. */
async function makeBackup(
  file: string,
  { backUp }: BackupsOptions,
): Promise<void> {
  const dir = path.dirname(file);
  // A unique name: another instance on the same folder may be writing the same day's backup.
  const part = `${file}.${randomUUID()}${partEnding}`;
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await chmod(dir, 0o700);
  try {
    await (await open(part, "w", 0o600)).close();
    const damage = await backUp(part);
    if (damage !== null)
      throw new DamagedError(
        `The database is damaged (${damage.replace(/\.$/, "")}). Restart the service to restore it from its latest backup.`,
      );
    await putInPlace(part, file);
  } finally {
    for (const ending of ["", "-wal", "-shm", "-journal"])
      await rm(part + ending, { force: true });
  }
}
