// Folder of damaged databases, with a report on each: what was wrong with it, and what replaced it.

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
  /** What was wrong, as a sentence. */
  reason: z.string(),
  from: z.enum(rebuiltFrom),
  /** Where the damaged file is, relative to the data folder; null: there was none. */
  aside: z.string().nullable(),
  assets: z.number(),
  playlists: z.number(),
});
export type Rebuilt = Readonly<z.infer<typeof rebuiltSchema>>;

export interface Damaged {
  /** Contains the damaged file, and whatever is made next to it until the report is written. */
  readonly dir: string;
  /** The damaged file; null: there is none. */
  readonly file: string | null;
}

const folder = "damaged";
const databaseName = "vitrine.db";
const madeName = "rebuilt.db";
/** A timestamp, and a three-digit number among those of the same second. */
const nameShape = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}$/;
const reportName = "report.json";
const unclaimedName = "unclaimed";
/** The newest two: each may be as large as the store's history. */
const maxKept = 2;

/** Moves the file in the database's place to a folder of its own; continues a move that a power cut interrupted. */
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
  // Useless without its database, and wrong next to another one.
  for (const ending of ["-wal", "-shm"])
    await rm(path.join(dataDir, `vitrine.db${ending}`), { force: true });
  const file = path.join(dir, databaseName);
  return { dir, file: existsSync(file) ? file : null };
}

/** If there is a database in place again, the damaged one is that file, not the one already moved. */
function isHalfDone(dataDir: string, dir: string): boolean {
  if (existsSync(path.join(dataDir, databaseName))) return false;
  return !existsSync(path.join(dir, reportName)) || existsSync(madeFile(dir));
}

/** Where the new database is made before it is moved into place. */
export function madeFile(dir: string): string {
  return path.join(dir, madeName);
}

/** Sorts after all others, even if the clock was set back: the names define the order. */
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

/** Where the damaged file is, as shown to people. */
export function asideName(dataDir: string, { dir, file }: Damaged) {
  if (file === null) return null;
  return path.relative(dataDir, dir).replaceAll(path.sep, "/");
}

/**
 * Written before the new database is moved into place: after a power cut in between, an intact database would not show that it is
 * new, nor that there are files it does not know, which would be swept.
 */
export async function report(dir: string, rebuilt: Rebuilt): Promise<void> {
  await replaceFile(path.join(dir, unclaimedName), "");
  await replaceFile(path.join(dir, reportName), JSON.stringify(rebuilt));
}

export async function dropOlder(dataDir: string): Promise<void> {
  for (const one of (await folders(dataDir)).slice(maxKept))
    await rm(one, { recursive: true, force: true });
}

/** The newest rebuild whose damaged file is still kept; null: there is none. */
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

/** Text for the activity log. */
export function rebuiltText(rebuilt: Rebuilt): string {
  const { reason, from, aside, assets, playlists } = rebuilt;
  const asideNote = aside === null ? "" : ` It is kept in ${aside}.`;
  return `The database was damaged. ${reason}${asideNote} ${sources[from]}: ${assets} assets, ${playlists} playlists.`;
}

/** The same for a database that was removed while the player ran. */
export const putBackText =
  "The database was taken away while the player ran. It was put back as the player had it open.";

const sources = {
  database: "Its rows were sound and are as they were",
  copy: "The copy beside it took its place",
  backup: "The newest backup took its place",
  rest: "What could be read of it was taken over",
  nothing: "Nothing of it could be read",
} as const satisfies Record<Rebuilt["from"], string>;

/** Marks that files without a row are still to be identified: a mark survives a power cut. */
export async function unclaimedMarks(
  dataDir: string,
): Promise<readonly string[]> {
  return (await folders(dataDir))
    .map((dir) => path.join(dir, unclaimedName))
    .filter((mark) => existsSync(mark));
}

/** Newest first. */
async function folders(dataDir: string): Promise<readonly string[]> {
  const names = await readdir(path.join(dataDir, folder)).catch(() => []);
  return names
    .filter((name) => nameShape.test(name))
    .sort()
    .reverse()
    .map((name) => path.join(dataDir, folder, name));
}
