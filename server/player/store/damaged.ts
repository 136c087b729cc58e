// Where damaged databases are laid aside, with a word about each: what was wrong with it, and what came in its place.

import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import * as z from "zod";
import { moveFile, replaceFile } from "../../platform/files/replace-file.ts";

/** What the rows of a rebuilt database came from. */
const rebuiltFrom = [
  ...(["database", "copy", "backup"] as const),
  ...(["rest", "nothing"] as const),
] as const;

const rebuiltSchema = z.object({
  at: z.number(),
  /** What was wrong, in a sentence. */
  reason: z.string(),
  from: z.enum(rebuiltFrom),
  /** Where the damaged file lies, below the data folder; null: there was none. */
  aside: z.string().nullable(),
  assets: z.number(),
  playlists: z.number(),
});
export type Rebuilt = Readonly<z.infer<typeof rebuiltSchema>>;

export interface Damaged {
  /** Holds the damaged file, and whatever is made beside it until the report is written. */
  readonly dir: string;
  /** The damaged file; null: there is none. */
  readonly file: string | null;
}

const folder = "damaged";
const databaseName = "vitrine.db";
const madeName = "rebuilt.db";
/** A moment, and a number among those of the same one. */
const nameShape = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}$/;
const reportName = "report.json";
const unclaimedName = "unclaimed";
/** The newest two: each may be as large as the store's history. */
const maxKept = 2;

/** Moves what lies in the place of the database aside; one that a power cut left half done is gone on with. */
export async function layAside(dataDir: string, at: number): Promise<Damaged> {
  const [newest] = await folders(dataDir);
  const dir =
    newest !== undefined && isHalfDone(dataDir, newest)
      ? newest
      : await freeName(dataDir, at);
  await mkdir(dir, { recursive: true });
  for (const ending of ["", "-wal"]) {
    const from = path.join(dataDir, `vitrine.db${ending}`);
    const to = path.join(dir, `vitrine.db${ending}`);
    if (existsSync(from) && !existsSync(to)) await moveFile(from, to);
  }
  // Of no use without its database, and wrong beside another.
  for (const ending of ["-wal", "-shm"])
    await rm(path.join(dataDir, `vitrine.db${ending}`), { force: true });
  const file = path.join(dir, databaseName);
  return { dir, file: existsSync(file) ? file : null };
}

/** Where there is a database again, what is damaged now is that one, not what lies aside. */
function isHalfDone(dataDir: string, dir: string): boolean {
  if (existsSync(path.join(dataDir, databaseName))) return false;
  return !existsSync(path.join(dir, reportName)) || existsSync(madeFile(dir));
}

/** Where the new one is made, until it is put in its place. */
export function madeFile(dir: string): string {
  return path.join(dir, madeName);
}

/** Behind all others, also where the clock was set back: the names tell the order. */
async function freeName(dataDir: string, at: number): Promise<string> {
  const stamp = new Date(at).toISOString().slice(0, 19).replaceAll(":", "-");
  const [newest] = await folders(dataDir);
  const last = newest === undefined ? "" : path.basename(newest);
  const begin = last.slice(0, stamp.length);
  const name =
    begin < stamp
      ? `${stamp}-001`
      : `${begin}-${String(Number(last.slice(stamp.length + 1)) + 1).padStart(3, "0")}`;
  return path.join(dataDir, folder, name);
}

/** Where the damaged file lies, as people are told it. */
export function asideName(dataDir: string, { dir, file }: Damaged) {
  if (file === null) return null;
  return path.relative(dataDir, dir).replaceAll(path.sep, "/");
}

/**
 * Before the new one is in its place: after a power cut in between, a sound database would say neither that
 * it is new nor that there are files it does not know, which would be swept.
 */
export async function report(dir: string, rebuilt: Rebuilt): Promise<void> {
  await replaceFile(path.join(dir, unclaimedName), "");
  await replaceFile(path.join(dir, reportName), JSON.stringify(rebuilt));
}

export async function dropOlder(dataDir: string): Promise<void> {
  for (const one of (await folders(dataDir)).slice(maxKept))
    await rm(one, { recursive: true, force: true });
}

/** The newest rebuilding whose damaged file is still kept; null: there is none. */
export async function lastRebuilt(dataDir: string): Promise<Rebuilt | null> {
  for (const dir of await folders(dataDir)) {
    const text = await readFile(path.join(dir, reportName), "utf8").catch(
      () => "null",
    );
    try {
      return rebuiltSchema.parse(JSON.parse(text));
    } catch {
      continue;
    }
  }
  return null;
}

/** As the activity tells it. */
export function rebuiltText(rebuilt: Rebuilt): string {
  const { reason, from, aside, assets, playlists } = rebuilt;
  const kept = aside === null ? "" : ` It is kept in ${aside}.`;
  return `The database was damaged. ${reason}${kept} ${sources[from]}: ${assets} assets, ${playlists} playlists.`;
}

/** The same of one that was taken away from under the running player. */
export const putBackText =
  "The database was taken away while the player ran. It was put back as the player had it open.";

const sources = {
  database: "Its rows were sound and are as they were",
  copy: "The copy beside it took its place",
  backup: "The newest backup took its place",
  rest: "What could be read of it was taken over",
  nothing: "Nothing of it could be read",
} as const satisfies Record<Rebuilt["from"], string>;

/** Files that no row knows are still to be looked through: a mark outlives a power cut. */
export async function unclaimedMarks(
  dataDir: string,
): Promise<readonly string[]> {
  return (await folders(dataDir))
    .map((dir) => path.join(dir, unclaimedName))
    .filter((mark) => existsSync(mark));
}

/** The newest first. */
async function folders(dataDir: string): Promise<readonly string[]> {
  const names = await readdir(path.join(dataDir, folder)).catch(() => []);
  return names
    .filter((name) => nameShape.test(name))
    .sort()
    .reverse()
    .map((name) => path.join(dataDir, folder, name));
}
