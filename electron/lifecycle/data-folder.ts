// Where the data of a player on Windows lie: once in the roaming profile, which a domain copies to a server at each logoff, and
// now in the local one. What lies in the old place is moved before anything opens it, by one start at a time, and wherever that
// is cut off, the next start finishes it.

import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { systemCode } from "../../server/platform/outside-error.ts";
import { insistSync } from "../../server/platform/files/replace-file.ts";
import type { Config } from "../config.ts";

/** What is done to a disk, for a test to cut off. */
export interface DiskSteps {
  rename(from: string, to: string): void;
  copy(from: string, to: string, onProgress: () => void): void;
  remove(dir: string): void;
  /** Keeps a file for this process alone; answers what gives it back. EBUSY where another process has it. */
  hold(file: string): () => void;
}

type Places = Pick<Config, "dataDir" | "formerDataDir">;
type Pair = readonly [from: string, to: string];

/** One of these makes a folder somebody's data; Electron alone leaves others. */
const storeFileNames = [
  ...["vitrine.db", "content.db", "machine.json", "files"],
  ...["exit-pin.json", "runs.json"],
];
/** In a folder of before: the copy of it is whole. */
const copiedMark = "moved";
/** Of a folder of before that is only to be removed. */
const movedEnding = ".moved";

/** The folder that is used as long as nobody moves: of errands, which may come before the first start. */
export function dataDirNow({ dataDir, formerDataDir }: Places): string {
  const isToMove =
    formerDataDir !== undefined &&
    holdsData(formerDataDir) &&
    !existsSync(join(formerDataDir, copiedMark)) &&
    isEmpty(dataDir);
  return isToMove ? formerDataDir : dataDir;
}

export interface DataFolder {
  readonly dataDir: string;
  /** Lets other starts move the data: to be called once whatever is to be used of them is held in another way. */
  release(): void;
}

/**
 * Moves the player's folder and that of its content service, and answers the player's to use: the former one where both
 * cannot be moved now, as another process has a file in them open; null while another start moves them. `onProgress` is
 * called while much is copied.
 */
export function moveData(
  places: Places,
  onProgress: () => void,
  disk: DiskSteps = realDisk,
): DataFolder | null {
  const { dataDir, formerDataDir } = places;
  const nothingHeld = { dataDir, release: () => undefined };
  if (formerDataDir === undefined) return nothingHeld;
  const pairs: readonly Pair[] = [
    [`${formerDataDir}-content`, `${dataDir}-content`],
    [formerDataDir, dataDir],
  ];
  if (!pairs.some(isUnfinished)) return nothingHeld;
  let release: () => void;
  try {
    mkdirSync(dirname(dataDir), { recursive: true });
    release = disk.hold(`${dataDir}.lock`);
  } catch (error) {
    if (systemCode(error) === "EBUSY") return null;
    if (systemCode(error) === undefined) throw error;
    return { ...nothingHeld, dataDir: dataDirNow(places) };
  }
  try {
    // Looked at only now, behind the lock: another start may have moved all of it meanwhile.
    return { dataDir: movePairs(pairs, places, onProgress, disk), release };
  } catch (error) {
    release();
    throw error;
  }
}

function movePairs(
  pairs: readonly Pair[],
  { dataDir, formerDataDir = dataDir }: Places,
  onProgress: () => void,
  disk: DiskSteps,
): string {
  const begun: Move[] = [];
  try {
    for (const pair of pairs) {
      const move = begin(pair, onProgress, disk);
      if (move) begun.push(move);
    }
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    // Both or none: the one is found beside the other.
    for (const move of begun.toReversed()) move.takeBack();
    return formerDataDir;
  }
  for (const move of begun) move.finish();
  return dataDir;
}

/** Something is to be moved, or what was moved to be put away. */
function isUnfinished([from, to]: Pair): boolean {
  return (
    existsSync(join(from, copiedMark)) ||
    existsSync(`${from}${movedEnding}`) ||
    (holdsData(from) && isEmpty(to))
  );
}

interface Move {
  takeBack(): void;
  finish(): void;
}

/** Null where there is nothing to move. Throws what the system throws, and leaves what was there. */
function begin(
  [from, to]: Pair,
  onProgress: () => void,
  disk: DiskSteps,
): Move | null {
  const part = `${to}.moving`;
  const old = `${from}${movedEnding}`;
  const finishCopy = (): void => {
    if (existsSync(part)) disk.rename(part, to);
    try {
      // Removed bit by bit, it would look like data once its mark is gone.
      if (existsSync(from)) disk.rename(from, old);
      disk.remove(old);
    } catch (error) {
      // What cannot be removed now goes with the next start.
      if (systemCode(error) === undefined) throw error;
    }
  };
  const nothingBack = { takeBack: () => undefined };
  if (existsSync(join(from, copiedMark)) || existsSync(old))
    return { ...nothingBack, finish: finishCopy };
  if (!holdsData(from)) return null;
  // Two of them: that of the new place is the one in use.
  if (!isEmpty(to)) return null;
  mkdirSync(dirname(to), { recursive: true });
  if (existsSync(to)) rmdirSync(to);
  try {
    disk.rename(from, to);
    return {
      takeBack: () => disk.rename(to, from),
      finish: () => undefined,
    };
  } catch (error) {
    if (systemCode(error) !== "EXDEV") throw error;
  }
  disk.remove(part);
  try {
    disk.copy(from, part, onProgress);
  } catch (error) {
    disk.remove(part);
    throw error;
  }
  return {
    takeBack: () => disk.remove(part),
    finish: () => {
      closeSync(openSync(join(from, copiedMark), "w"));
      finishCopy();
    },
  };
}

const realDisk: DiskSteps = {
  rename: (from, to) => insistSync(() => renameSync(from, to)),
  copy: copyFolder,
  remove: (dir) => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }),
  hold: holdFile,
};

/**
 * libuv's UV_FS_O_EXLOCK, which Node has no name for: Windows opens the file for nobody else until this process closes it
 * or is gone, and other systems know no such flag.
 */
const forNobodyElse = 0x1000_0000;

function holdFile(file: string): () => void {
  const flags = constants.O_CREAT | constants.O_RDWR | forNobodyElse;
  // A virus scanner has every new file for a moment.
  const handle = insistSync(() => openSync(file, flags, 0o600));
  return () => {
    closeSync(handle);
    try {
      rmSync(file, { force: true });
    } catch (error) {
      // Held by the next one already.
      if (systemCode(error) === undefined) throw error;
    }
  };
}

function copyFolder(from: string, to: string, onProgress: () => void): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyFolder(source, target, onProgress);
    else if (entry.isFile()) copyFile(source, target, onProgress);
  }
}

const pieceBytes = 2 ** 20;

/** Read back from the disk, the copy is the same; else it throws. */
function copyFile(from: string, to: string, onProgress: () => void): void {
  const target = openSync(to, "w", 0o600);
  let original: string;
  try {
    original = eachPiece(from, onProgress, (piece) => writeSync(target, piece));
    fsyncSync(target);
  } finally {
    closeSync(target);
  }
  if (eachPiece(to, onProgress) !== original)
    throw Object.assign(new Error(`The copy of ${from} is not the same.`), {
      code: "EIO",
    });
}

/** Answers its hash. */
function eachPiece(
  file: string,
  onProgress: () => void,
  take: (piece: Uint8Array) => void = () => undefined,
): string {
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafe(pieceBytes);
  const source = openSync(file, "r");
  try {
    for (;;) {
      const length = readSync(source, buffer);
      if (length === 0) return hash.digest("hex");
      const piece = buffer.subarray(0, length);
      hash.update(piece);
      take(piece);
      onProgress();
    }
  } finally {
    closeSync(source);
  }
}

function holdsData(dir: string): boolean {
  return storeFileNames.some((name) => existsSync(join(dir, name)));
}

/** So is one that is not there. */
function isEmpty(dir: string): boolean {
  try {
    return statSync(dir).isDirectory() && readdirSync(dir).length === 0;
  } catch {
    return true;
  }
}
