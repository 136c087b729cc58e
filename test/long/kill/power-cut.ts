// Simulates a power cut on a folder: a killed process's unflushed writes are lost, all or any of them, block by block.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import {
  link,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
} from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterThisTest } from "../../support/after-this-test.ts";
import type { Random } from "./random.ts";

const run = promisify(execFile);
const source = fileURLToPath(new URL("power-cut.c", import.meta.url));
const blockBytes = 4096;
const headBytes = 64;

export interface FileLayer {
  /** The environment in which a process's writes below the folder are journalled. */
  readonly env: Readonly<Record<string, string>>;
  /** Returns how many blocks and renames were lost. Flushed data is kept. */
  cutPower(random: Random): Promise<Lost>;
}

export interface Lost {
  readonly blocks: number;
  readonly renamings: number;
}

/** Null, with a message, if it cannot be built here. */
export async function layBefore(folder: string): Promise<FileLayer | null> {
  if (process.platform !== "linux") return reported("this is no Linux");
  const dir = await mkdtemp(path.join(os.tmpdir(), "vitrine-power-cut-"));
  afterThisTest(() => rm(dir, { recursive: true, force: true }));
  const library = path.join(dir, "power-cut.so");
  try {
    await run("gcc", [
      "-O2",
      "-fPIC",
      "-shared",
      "-o",
      library,
      source,
      "-ldl",
    ]);
  } catch (error) {
    return reported(`there is no gcc here (${(error as Error).message})`);
  }
  const journal = path.join(dir, "journal");
  return {
    env: {
      LD_PRELOAD: library,
      VITRINE_POWER_CUT_BELOW: folder,
      VITRINE_POWER_CUT_JOURNAL: journal,
    },
    cutPower: async (random) => {
      const bytes = await readFile(journal).catch(() => Buffer.alloc(0));
      const lost = await lose(folder, journal, recordsIn(bytes), random);
      for (const name of await readdir(dir))
        if (name.startsWith("journal")) await rm(path.join(dir, name));
      return lost;
    },
  };
}

function reported(why: string): null {
  console.warn(`Writes that were not flushed are not dropped: ${why}.`);
  return null;
}

interface Record_ {
  readonly kind: "W" | "F" | "R";
  readonly name: string;
  /** The target of a rename. */
  readonly other: string;
  readonly number: bigint;
  readonly offset: number;
  readonly length: number;
  readonly old: Buffer;
  readonly oldSize: number;
  readonly file: string;
}

function recordsIn(bytes: Buffer): readonly Record_[] {
  const records: Record_[] = [];
  for (let at = 0; at + headBytes <= bytes.length;) {
    const word = (place: number): number => bytes.readUInt32LE(at + place);
    const long = (place: number): bigint => bytes.readBigUInt64LE(at + place);
    const [nameLength, otherLength, oldLength] = [word(4), word(8), word(12)];
    const names = at + headBytes;
    const end = names + nameLength + otherLength + oldLength;
    // Killed while it was journalled: the change itself was not made.
    if (end > bytes.length) break;
    const text = (from: number, length: number): string =>
      bytes.toString("utf8", from, from + length);
    records.push({
      kind: String.fromCharCode(word(0)) as Record_["kind"],
      name: text(names, nameLength),
      other: text(names + nameLength, otherLength),
      ...{ number: long(16), offset: Number(long(24)) },
      ...{ length: Number(long(32)), oldSize: Number(long(40)) },
      old: bytes.subarray(end - oldLength, end),
      file: `${long(48)} ${long(56)}`,
    });
    at = end;
  }
  return records;
}

async function lose(
  folder: string,
  journal: string,
  records: readonly Record_[],
  random: Random,
): Promise<Lost> {
  // Half of the power cuts are clean: everything unflushed is lost.
  const share = random.share() < 0.5 ? 1 : random.share();
  const isLost = (): boolean => random.share() < share;
  const flushed = new Map<string, bigint>();
  const flushedFolders = new Map<string, bigint>();
  for (const { kind, file, name, number } of records)
    if (kind === "F") {
      flushed.set(file, number);
      flushedFolders.set(name, number);
    }
  const pending = new Map<string, Record_[]>();
  for (const one of records)
    if (one.kind === "W" && one.number > (flushed.get(one.file) ?? -1n))
      pending.set(one.file, [...(pending.get(one.file) ?? []), one]);
  const places = await placesBelow(folder);
  let blocks = 0;
  for (const [file, writes] of pending) {
    const place = places.get(file);
    if (place !== undefined) blocks += await loseWrites(place, writes, isLost);
  }
  let renamings = 0;
  for (const { kind, name, other, number } of [...records].reverse()) {
    if (kind !== "R") continue;
    if (number <= (flushedFolders.get(path.dirname(other)) ?? -1n)) continue;
    if (!isLost() || existsSync(name) || !existsSync(other)) continue;
    await rename(other, name);
    const before = `${journal}.${number}`;
    if (existsSync(before)) await link(before, other);
    renamings += 1;
  }
  return { blocks, renamings };
}

/** Loses some of the newest writes of each block, never one without the later ones. */
async function loseWrites(
  place: string,
  writes: readonly Record_[],
  isLost: () => boolean,
): Promise<number> {
  const handle = await open(place, "r+");
  let blocks = 0;
  try {
    const gone = new Set<number>();
    const settled = new Set<number>();
    let size = (await handle.stat()).size;
    const flushedSize = writes[0]?.oldSize ?? 0;
    for (const { offset, length, old, oldSize } of [...writes].reverse())
      for (let from = offset; from < offset + length;) {
        const block = Math.floor(from / blockBytes);
        const to = Math.min((block + 1) * blockBytes, offset + length);
        if (!settled.has(block) && isLost()) {
          gone.add(block);
          blocks += 1;
          const had = old.subarray(from - offset, to - offset);
          const rest = Buffer.alloc(to - from);
          had.copy(rest);
          // Truncated or never written: bytes beyond the old end read as zeros.
          if (from < Math.max(size, oldSize))
            await handle.write(rest, 0, rest.length, from);
        } else settled.add(block);
        from = to;
      }
    size = (await handle.stat()).size;
    // The file's size may reach the disk at any time: it is the flushed size, or the end of the last block that is there.
    let end = size;
    while (
      end > flushedSize &&
      gone.has(Math.floor((end - 1) / blockBytes)) &&
      !settled.has(Math.floor((end - 1) / blockBytes))
    )
      end = Math.max(
        flushedSize,
        Math.floor((end - 1) / blockBytes) * blockBytes,
      );
    if (end < size && isLost()) await handle.truncate(end);
  } finally {
    await handle.close();
  }
  return blocks;
}

/** The current path of each file. */
async function placesBelow(
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, {
    ...{ recursive: true, withFileTypes: true },
  });
  const places = new Map<string, string>();
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const place = path.join(entry.parentPath, entry.name);
    const { ino, birthtimeNs } = await stat(place, { bigint: true });
    places.set(`${ino} ${birthtimeNs}`, place);
  }
  return places;
}
