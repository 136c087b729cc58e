// Duplicates within one drop: files with the same bytes, whatever their names are.

import type { ChosenFile } from "./dropped-files.ts";

interface Unique {
  readonly files: readonly ChosenFile[];
  readonly duplicateCount: number;
}

/** Reading larger ones would take longer than the person waits; they are added as they are. */
const maxComparedBytes = 64 * 1024 * 1024;

/** The first of each is kept. Only files of the same size are read. */
export async function withoutDuplicates(
  files: readonly ChosenFile[],
): Promise<Unique> {
  const ofSize = new Map<number, number>();
  for (const { file } of files)
    ofSize.set(file.size, (ofSize.get(file.size) ?? 0) + 1);
  const kept: ChosenFile[] = [];
  const byDigest = new Map<string, File>();
  for (const one of files) {
    const { file } = one;
    const isAlone = ofSize.get(file.size) === 1;
    const canRead = file.size > 0 && file.size <= maxComparedBytes;
    const digest = isAlone || !canRead ? null : await digestOf(file);
    if (digest !== null) {
      const other = byDigest.get(digest);
      if (other && (await hasSameBytes(file, other))) continue;
      byDigest.set(digest, file);
    }
    kept.push(one);
  }
  return { files: kept, duplicateCount: files.length - kept.length };
}

/** FNV-1a with 32 bits and the size: files that differ have the same one rarely. Null: it cannot be read, which the upload reports. */
async function digestOf(file: File): Promise<string | null> {
  const bytes = await bytesOf(file);
  if (!bytes) return null;
  let digest = 0x811c9dc5;
  for (const byte of bytes) digest = Math.imul(digest ^ byte, 0x01000193);
  return `${file.size} ${digest}`;
}

async function hasSameBytes(one: File, other: File): Promise<boolean> {
  const [left, right] = [await bytesOf(one), await bytesOf(other)];
  return (
    left !== null &&
    right !== null &&
    left.length === right.length &&
    left.every((byte, place) => byte === right[place])
  );
}

async function bytesOf(file: File): Promise<Uint8Array | null> {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch {
    return null;
  }
}
