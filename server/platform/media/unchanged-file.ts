// Accepts a verdict on a file only if the bytes could be read and were in place all the time: decoders report a file that is missing
// for a moment, and a disk that fails, as damage.

import type { BigIntStats } from "node:fs";
import { open, stat, type FileHandle } from "node:fs/promises";
import type { JudgedMedia } from "./media-job.ts";

/** More would take longer than a verdict may. */
const maxReadAgainBytes = 512 * 1024 ** 2;

/** Throws the system error of a disk that cannot read the file, and an error if another file is in its place by now. */
export async function judgeUnchanged(
  file: string,
  judge: () => Promise<JudgedMedia>,
): Promise<JudgedMedia> {
  // As long as it is open, no other file gets its number.
  const opened = await open(file);
  try {
    const media = await judge();
    if (media.isDamaged) {
      await assertReadable(opened);
      await assertInPlace(opened, file);
    }
    return media;
  } finally {
    await opened.close();
  }
}

/** Of a large file, its beginning is read. */
async function assertReadable(opened: FileHandle): Promise<void> {
  const stream = opened.createReadStream({
    ...{ autoClose: false, start: 0, end: maxReadAgainBytes - 1 },
  });
  for await (const chunk of stream) void chunk;
}

async function assertInPlace(opened: FileHandle, file: string): Promise<void> {
  const [judged, now] = await Promise.all([
    opened.stat({ bigint: true }),
    stat(file, { bigint: true }),
  ]);
  if (!isSame(judged, now))
    throw new Error("The file was replaced while it was being read.");
}

function isSame(one: BigIntStats, other: BigIntStats): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}
