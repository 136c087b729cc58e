// Content-addressed file store: bytes are written to a temporary file, hashed while they stream, flushed, and renamed to their
// hash.

import { createHash, randomBytes } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import {
  access,
  constants,
  mkdir,
  open,
  readdir,
  rm,
  stat,
  statfs,
  utimes,
  writeFile,
  type FileHandle,
} from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { openFilePart, type Aside, type FilePart } from "./partial-file.ts";
import { OutsideError, systemCode } from "../outside-error.ts";
import {
  flushFolder,
  isHeldByAnother,
  moveFile,
  removeFile,
} from "./replace-file.ts";

export interface FileStore {
  /** Streams to a temporary file; throws `too-large`, `no-space` or `broken-off` and leaves nothing behind. */
  receive(source: Readable, maxBytes: number): Promise<Aside>;
  /** A partial file that is written in pieces, under a name of 32 hex digits. */
  part(name: string): FilePart;
  /** Names of the partial files that are there. */
  partNames(): Promise<readonly string[]>;
  /** Moves the bytes to their permanent name; the same content is stored once. */
  keep(aside: Aside): Promise<void>;
  /** Path of a new temporary file; one that is left behind is swept. */
  newAside(): string;
  discard(aside: Aside): Promise<void>;
  pathOf(hash: string): string;
  /** Path of the rendition that is shown in place of these bytes; null when they are shown themselves. */
  shownPathOf(hash: string): string | null;
  keepShown(hash: string, shownPath: string): Promise<void>;
  /** Moves damaged bytes out of the store into a folder of their own; they are kept until the same bytes arrive again. */
  setDamagedAside(hash: string): Promise<void>;
  has(hash: string): boolean;
  read(hash: string): Readable;
  remove(hash: string): Promise<void>;
  /** Every stored hash. */
  list(): Promise<readonly string[]>;
  /** Whether the folder of the stored files is empty or gone, as when its disk is not mounted. */
  isEmpty(): Promise<boolean>;
  /** Deletes temporary files left behind for longer than this; 0 deletes all. */
  sweepAside(olderThanMs: number): Promise<number>;
  /**
   * Deletes temporary files that did not change between two checks this far apart, in monotonic milliseconds: no file date is used.
   */
  sweepStill(stillMs: number, monotonicMs: number): Promise<number>;
  /** Whether its files can be read, and new ones written without using up the reserve. */
  check(): Promise<{ readonly canRead: boolean; readonly canWrite: boolean }>;
  /** Gives temporary files the current date: the clock that dated them was wrong. */
  renewAside(): Promise<void>;
}

export interface FileStoreOptions {
  /** Disk space kept free for the database, the log and the system. */
  readonly reserveBytes: number;
  /** Used in error messages about a full disk; the default is "this player". */
  readonly owner?: "this player" | "this service" | undefined;
  /** Why nothing can be stored, as a sentence; its folders may be missing then. */
  readonly readOnly?: string | null | undefined;
}

/** How often the free space is checked while bytes arrive. */
const checkIntervalBytes = 8 * 1024 * 1024;

export async function openFileStore(
  dir: string,
  { reserveBytes, owner = "this player", readOnly = null }: FileStoreOptions,
): Promise<FileStore> {
  const keptDir = path.join(dir, "kept");
  const asideDir = path.join(dir, "aside");
  const shownDir = path.join(dir, "shown");
  const damagedDir = path.join(dir, "damaged");
  for (const folder of [keptDir, asideDir, shownDir, damagedDir])
    await mkdir(folder, { recursive: true }).catch((error: unknown) => {
      if (readOnly === null) throw error;
    });

  const pathOf = (hash: string): string => {
    if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error("not a content hash");
    return path.join(keptDir, hash.slice(0, 2), hash);
  };

  /**
   * Recreates a folder that was removed from next to the stored files; folders that went away with their disk come back with it.
   */
  async function replaceAside(): Promise<void> {
    if (!existsSync(keptDir)) return;
    for (const folder of [asideDir, shownDir, damagedDir])
      await mkdir(folder, { recursive: true });
  }

  async function assertDiskSpace(): Promise<void> {
    if (readOnly !== null) throw new OutsideError("no-space", readOnly);
    const isThere = existsSync(asideDir) && existsSync(shownDir);
    if (!isThere) await replaceAside();
    const { bavail, bsize } = await statfs(asideDir).catch((error: unknown) => {
      throw new OutsideError(
        "no-space",
        `Cannot write to ${owner}'s disk.`,
        error,
      );
    });
    if (bavail * bsize < reserveBytes)
      throw new OutsideError(
        "no-space",
        `Only the reserved space is left on ${owner}'s disk.`,
      );
  }

  const newAside = (): string =>
    path.join(asideDir, `${randomBytes(16).toString("hex")}.part`);

  async function receive(source: Readable, maxBytes: number): Promise<Aside> {
    const target = newAside();
    let file: FileHandle | undefined;
    // Until it is read: an error before that is thrown by the first read.
    source.once("error", () => undefined);
    try {
      await assertDiskSpace();
      file = await open(target, "wx");
      const hash = createHash("sha256");
      let sizeBytes = 0;
      let nextCheckAt = checkIntervalBytes;
      for await (const chunk of source as AsyncIterable<Buffer>) {
        sizeBytes += chunk.length;
        if (sizeBytes > maxBytes)
          throw new OutsideError(
            "too-large",
            `The file is larger than the limit of ${maxBytes} bytes.`,
          );
        if (sizeBytes > nextCheckAt) {
          nextCheckAt = sizeBytes + checkIntervalBytes;
          await assertDiskSpace();
        }
        hash.update(chunk);
        await writeFully(file, chunk);
      }
      await file.sync();
      return { path: target, hash: hash.digest("hex"), sizeBytes };
    } catch (error) {
      // The handle first: Windows does not delete an open file.
      await file?.close().catch(() => undefined);
      file = undefined;
      await rm(target, { force: true });
      throw translated(error, owner);
    } finally {
      await file?.close();
    }
  }

  /** Windows cannot replace a file that is being read: if the existing one has the same length, it is kept. */
  async function isThere(
    { path: part, sizeBytes }: Aside,
    target: string,
  ): Promise<boolean> {
    const size = await stat(target).then(
      (fileStat) => fileStat.size,
      () => null,
    );
    if (size !== sizeBytes) return false;
    await rm(part, { force: true });
    return true;
  }

  async function moveIn(aside: Aside, target: string): Promise<void> {
    const isMoved = await moveFile(aside.path, target).then(
      () => true,
      async (error: unknown) => {
        if (systemCode(error) === "ENOENT") return false;
        if (isHeldByAnother(error) && (await isThere(aside, target)))
          return true;
        throw error;
      },
    );
    if (isMoved) return;
    // The first file of its folder is on disk only when the parent folder has been flushed too.
    await mkdir(path.dirname(target), { recursive: true });
    await flushFolder(keptDir);
    await moveFile(aside.path, target);
  }

  const damagedPath = (hash: string): string => path.join(damagedDir, hash);
  const shownPath = (hash: string): string => path.join(shownDir, hash);

  /** A rendition that is being read was made from the same bytes, and is as good as this one. */
  async function putShown(hash: string, file: string): Promise<void> {
    const target = shownPath(hash);
    await moveFile(file, target).catch(async (error: unknown) => {
      if (!isHeldByAnother(error) || !existsSync(target)) throw error;
      await rm(file, { force: true });
    });
  }

  async function keep(aside: Aside): Promise<void> {
    const target = pathOf(aside.hash);
    if (aside.shownPath !== undefined)
      await putShown(aside.hash, aside.shownPath);
    await moveIn(aside, target);
    await flushFolder(path.dirname(target));
    await rm(damagedPath(aside.hash), { force: true });
  }

  async function sweepAside(olderThanMs: number): Promise<number> {
    let swept = 0;
    for (const name of await namesIn(asideDir)) {
      const file = path.join(asideDir, name);
      const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Infinity }));
      if (Date.now() - mtimeMs < olderThanMs) continue;
      await rm(file, { force: true });
      swept += 1;
    }
    return swept;
  }

  /** The state in which each temporary file was first seen, and when that was. */
  let seen = new Map<string, { readonly state: string; readonly at: number }>();

  async function sweepStill(
    stillMs: number,
    monotonicMs: number,
  ): Promise<number> {
    let swept = 0;
    const before = seen;
    seen = new Map();
    for (const name of await namesIn(asideDir)) {
      const file = path.join(asideDir, name);
      const now = await stat(file).catch(() => null);
      if (now === null) continue;
      const state = `${now.ino} ${now.size} ${now.mtimeMs}`;
      const previous = before.get(name);
      const at = previous?.state === state ? previous.at : monotonicMs;
      if (monotonicMs - at < stillMs || previous === undefined)
        seen.set(name, { state, at });
      else {
        await rm(file, { force: true });
        swept += 1;
      }
    }
    return swept;
  }

  async function renewAside(): Promise<void> {
    const now = new Date();
    for (const name of await namesIn(asideDir))
      await utimes(path.join(asideDir, name), now, now).catch(() => undefined);
  }

  /** Cheap, however much is stored: it lists a folder and writes a byte. */
  async function check() {
    const canRead = await readdir(keptDir).then(
      () => true,
      () => false,
    );
    const file = newAside();
    const canWrite = await access(keptDir, constants.W_OK)
      .then(assertDiskSpace)
      .then(() => writeFile(file, "1", { flag: "wx" }))
      .then(
        () => true,
        () => false,
      );
    await rm(file, { force: true }).catch(() => undefined);
    return { canRead, canWrite };
  }

  return {
    ...{ receive, check },
    part: (name) => {
      if (!/^[0-9a-f]{32}$/.test(name))
        throw new Error("not the name of a partial file");
      return openFilePart(
        path.join(asideDir, `${name}.piece`),
        assertDiskSpace,
      );
    },
    partNames: async () =>
      (await namesIn(asideDir)).flatMap(
        (name) => /^([0-9a-f]{32})\.piece$/.exec(name)?.[1] ?? [],
      ),
    keep,
    newAside,
    discard: async ({ path: file, shownPath: shown }) => {
      if (shown !== undefined) await removeFile(shown);
      await removeFile(file);
    },
    pathOf,
    keepShown: putShown,
    setDamagedAside: async (hash) => {
      await moveFile(pathOf(hash), damagedPath(hash)).catch(
        (error: unknown) => {
          if (systemCode(error) !== "ENOENT") throw error;
        },
      );
      await rm(shownPath(hash), { force: true });
    },
    shownPathOf: (hash) => {
      const file = shownPath(hash);
      return existsSync(file) ? file : null;
    },
    has: (hash) => existsSync(pathOf(hash)),
    read: (hash) => createReadStream(pathOf(hash)),
    remove: async (hash) => {
      for (const file of [pathOf(hash), damagedPath(hash), shownPath(hash)])
        await removeFile(file);
    },
    list: async () => {
      const folders = await namesIn(keptDir);
      const names = await Promise.all(
        folders.map((folder) => namesIn(path.join(keptDir, folder))),
      );
      return names.flat().filter((name) => /^[0-9a-f]{64}$/.test(name));
    },
    isEmpty: async () => (await namesIn(keptDir)).length === 0,
    sweepAside,
    sweepStill,
    renewAside,
  };
}

/** A folder that was removed from outside is empty. */
async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** One write may write less than it was given; the rest follows, or the disk returns the error. */
async function writeFully(file: FileHandle, chunk: Buffer): Promise<void> {
  let written = 0;
  while (written < chunk.length) {
    const { bytesWritten } = await file.write(chunk, written);
    written += bytesWritten;
  }
}

function translated(error: unknown, owner: string): unknown {
  if (error instanceof OutsideError) return error;
  const code = systemCode(error);
  if (code === "ENOSPC" || code === "EDQUOT")
    return new OutsideError(
      "no-space",
      `There is no space left on ${owner}'s disk.`,
      error,
    );
  if (code === "ECONNRESET" || code === "ERR_STREAM_PREMATURE_CLOSE")
    return new OutsideError("broken-off", "The upload was interrupted.", error);
  return error;
}
