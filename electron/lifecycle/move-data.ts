// Migration of the player's data on Windows: an earlier version used the roaming profile, which a domain copies to a
// server at each logoff; the data are now in the local one. Data in the old folder are moved before anything opens them, by one
// start at a time; an interrupted move is finished by the next start.

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
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { systemCode } from "../../server/platform/outside-error.ts";
import {
  insistSync,
  moveFileSync,
} from "../../server/platform/files/replace-file.ts";
import type { Config } from "../config.ts";

/** Disk operations, replaceable so that a test can interrupt them. */
export interface DiskSteps {
  rename(from: string, to: string): void;
  copy(from: string, to: string, onProgress: () => void): void;
  remove(dir: string): void;
  /** Locks a file for this process alone; returns the function that unlocks it. Throws EBUSY where another process has it open. */
  hold(file: string): () => void;
}

type Places = Pick<Config, "dataDir" | "formerDataDir">;
type Pair = readonly [from: string, to: string];

/** One of these makes a folder a player's data; Electron alone leaves other files. */
const storeFileNames = [
  ...["vitrine.db", "content.db", "machine.json", "files"],
  ...["exit-pin.json", "runs.json"],
];
/** In a former folder: its copy is complete. */
const copiedMark = "moved";
/** Suffix of a former folder that only has to be removed. */
const movedEnding = ".moved";

/** The folder in use as long as nothing is moved: for CLI commands, which may run before the first start. */
export function dataDirNow({ dataDir, formerDataDir }: Places): string {
  const isToMove =
    formerDataDir !== undefined &&
    holdsData(formerDataDir) &&
    !existsSync(join(formerDataDir, copiedMark)) &&
    isEmpty(dataDir);
  return isToMove ? formerDataDir : dataDir;
}

/**
 * Writes to the folder in use from a CLI command, while no start moves the data: what is written to a folder that is being copied
 * would be lost with it (V2-683). Throws where another process moves them.
 */
export function writeData(
  places: Places,
  write: (dataDir: string) => void,
  disk: DiskSteps = realDisk,
): void {
  if (!pairsOf(places).some(isUnfinished)) return write(places.dataDir);
  let release: () => void;
  try {
    release = holdForMove(places, disk);
  } catch (error) {
    if (systemCode(error) === "EBUSY")
      throw new Error(
        "Vitrine is moving its data to another folder. Try again when it has finished.",
        { cause: error },
      );
    if (systemCode(error) === undefined) throw error;
    // Nothing is moved either where the lock cannot be made.
    return write(dataDirNow(places));
  }
  try {
    write(dataDirNow(places));
  } finally {
    release();
  }
}

export interface DataFolder {
  readonly dataDir: string;
  /** Lets other starts move the data: call it once the data in use are locked in another way. */
  release(): void;
}

/**
 * Moves the player's folder and that of its content service, and returns the player's folder to use: the former one where both
 * cannot be moved now, as another process has a file in them open; null while another start moves them. `onProgress` is called
 * while much data is copied.
 */
export function moveData(
  places: Places,
  onProgress: () => void,
  disk: DiskSteps = realDisk,
): DataFolder | null {
  const { dataDir } = places;
  const nothingHeld = { dataDir, release: () => undefined };
  const pairs = pairsOf(places);
  if (!pairs.some(isUnfinished)) return nothingHeld;
  let release: () => void;
  try {
    release = holdForMove(places, disk);
  } catch (error) {
    if (systemCode(error) === "EBUSY") return null;
    if (systemCode(error) === undefined) throw error;
    return { ...nothingHeld, dataDir: dataDirNow(places) };
  }
  try {
    // Checked only now that the lock is held: another start may have moved everything meanwhile.
    return { dataDir: movePairs(pairs, places, onProgress, disk), release };
  } catch (error) {
    release();
    throw error;
  }
}

function pairsOf({ dataDir, formerDataDir }: Places): readonly Pair[] {
  return formerDataDir === undefined
    ? []
    : [
        [`${formerDataDir}-content`, `${dataDir}-content`],
        [formerDataDir, dataDir],
      ];
}

function holdForMove({ dataDir }: Places, disk: DiskSteps): () => void {
  mkdirSync(dirname(dataDir), { recursive: true });
  return disk.hold(`${dataDir}.lock`);
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
    // Both or none: each folder is located relative to the other.
    for (const move of begun.toReversed()) move.takeBack();
    return formerDataDir;
  }
  for (const move of begun) move.finish();
  return dataDir;
}

/** Whether something has to be moved, or a moved folder to be removed. */
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

/** Null where there is nothing to move. Throws the system's errors, and leaves the data as they were. */
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
      // Removed file by file, it would look like data once its mark is gone.
      if (existsSync(from)) disk.rename(from, old);
      disk.remove(old);
    } catch (error) {
      // What cannot be removed now is removed by the next start.
      if (systemCode(error) === undefined) throw error;
    }
  };
  const nothingBack = { takeBack: () => undefined };
  if (existsSync(join(from, copiedMark)) || existsSync(old))
    return { ...nothingBack, finish: finishCopy };
  if (!holdsData(from)) return null;
  // Both folders have data: the one in the new place is in use.
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
  rename: moveFileSync,
  copy: copyFolder,
  remove: (dir) => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }),
  hold: holdFile,
};

/**
 * libuv's UV_FS_O_EXLOCK, for which Node has no constant: Windows opens the file exclusively until this process closes it or
 * ends; other systems have no such flag.
 */
const forNobodyElse = 0x1000_0000;

function holdFile(file: string): () => void {
  const flags = constants.O_CREAT | constants.O_RDWR | forNobodyElse;
  // A virus scanner opens every new file for a moment.
  const handle = insistSync(() => openSync(file, flags, 0o600));
  return () => {
    closeSync(handle);
    try {
      rmSync(file, { force: true });
    } catch (error) {
      // Already locked by the next process.
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

/** Verifies the copy by reading it back from the disk; throws if it differs. */
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
    throw Object.assign(
      new Error(`The copy of ${from} differs from the original.`),
      {
        code: "EIO",
      },
    );
}

/** Returns its hash. */
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

/** A folder that does not exist counts as empty. */
function isEmpty(dir: string): boolean {
  try {
    return statSync(dir).isDirectory() && readdirSync(dir).length === 0;
  } catch {
    return true;
  }
}
