// Records of unfinished uploads, next to their bytes: an upload in pieces continues after a restart of the player (V2-800).

import { readFile, rm, stat, utimes } from "node:fs/promises";
import * as z from "zod";
import type { FilePart } from "../../platform/files/partial-file.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import { replaceFile } from "../../platform/files/replace-file.ts";

/** Ranges that have arrived, disjoint and in order; both ends inclusive. */
export type Ranges = readonly (readonly [from: number, to: number])[];

export interface UnfinishedUpload {
  readonly total: number;
  readonly ranges: Ranges;
}

/** An unfinished upload without a new piece is swept after a day: a phone may sleep through a night (V2-801). */
export const unfinishedUploadMs = 24 * 3_600_000;

const unfinished = z.object({
  total: z.number().int().positive(),
  ranges: z.array(z.tuple([z.number().int(), z.number().int()])),
});

const recordOf = ({ path }: FilePart): string => `${path}.json`;

/** Call when the bytes of these ranges are flushed. */
export async function keepRecord(
  part: FilePart,
  { total, ranges }: UnfinishedUpload,
): Promise<void> {
  await replaceFile(recordOf(part), JSON.stringify({ total, ranges }));
}

export async function dropRecord(part: FilePart): Promise<void> {
  await rm(recordOf(part), { force: true });
}

/** Current as of now: the sweep of temporary files leaves them alone. */
export async function renew(part: FilePart): Promise<void> {
  const now = new Date();
  for (const file of [part.path, recordOf(part)])
    await utimes(file, now, now).catch(() => undefined);
}

/** What an earlier run left, by identifier; what cannot be read is left to the sweep of temporary files. */
export async function unfinishedUploads(
  store: FileStore,
): Promise<ReadonlyMap<string, UnfinishedUpload>> {
  const found = new Map<string, UnfinishedUpload>();
  for (const name of await store.partNames()) {
    const record = await read(store.part(name));
    if (record) found.set(name, record);
  }
  return found;
}

async function read(part: FilePart): Promise<UnfinishedUpload | null> {
  try {
    const { size } = await stat(part.path);
    const text = await readFile(recordOf(part), "utf8");
    const record = unfinished.parse(JSON.parse(text));
    // Bytes that a power cut has taken are missing again; the others are there.
    const ranges = record.ranges
      .map(([from, to]) => [from, Math.min(to, size - 1)] as const)
      .filter(([from, to]) => from <= to);
    return { ...record, ranges };
  } catch {
    return null;
  }
}
