// The changes of one account as rows: read with care, written whole, and the done ones kept for a while.

import * as z from "zod";
import {
  changeActions,
  writtenCollections,
  type CloudChange,
} from "../core/upwards.ts";
import type { UpwardsRows } from "./upwards-rows.ts";

export interface Queue {
  all(): readonly CloudChange[];
  get(id: string): CloudChange | undefined;
  put(
    change: CloudChange,
    more?: {
      readonly fileHash?: string | null;
      readonly drop?: readonly string[];
    },
  ): void;
  /** Under way, and not worth a write: how much of a file is sent. */
  noteSent(id: string, sentBytes: number): void;
  drop(ids: readonly string[]): void;
  fileOf(id: string): string | null;
  /** Its rows were written by other means. */
  readAgain(): void;
}

const fields = z.record(z.string(), z.unknown());

const stored = z.object({
  collection: z.enum(writtenCollections),
  action: z.enum(changeActions),
  target: z.string().nullable(),
  fields,
  base: fields.nullable(),
  state: z.enum(["waiting", "sending", "done", "conflict", "refused"]),
  tries: z.int().nonnegative(),
  reason: z.string().nullable(),
  theirs: fields.nullable(),
  clashes: z.array(z.string()),
  madeId: z.string().nullable(),
  alikeBefore: z.array(z.string()).nullable(),
  file: z
    .object({ name: z.string(), sizeBytes: z.number(), sentBytes: z.number() })
    .nullable(),
  createdAt: z.number(),
  doneAt: z.number().nullable(),
});

/** Enough to see what a busy hour did. */
const mostDone = 100;

export function openQueue(accountId: string, rows: UpwardsRows): Queue {
  let changes: CloudChange[] = [];
  let hashes = new Map<string, string>();

  function readAgain(): void {
    hashes = new Map();
    changes = [];
    for (const { id, value, fileHash } of rows.changes(accountId)) {
      const reading = stored.safeParse(value);
      if (!reading.success) continue;
      changes.push({ id, ...reading.data });
      if (fileHash !== null) hashes.set(id, fileHash);
    }
  }
  readAgain();

  function drop(ids: readonly string[]): void {
    rows.dropChanges(ids);
    changes = changes.filter(({ id }) => !ids.includes(id));
    for (const id of ids) hashes.delete(id);
  }

  return {
    all: () => changes,
    get: (id) => changes.find((one) => one.id === id),
    put: (change, more = {}) => {
      const { id, ...value } = change;
      const over = changes
        .filter(({ state }) => state === "done")
        .slice(0, -mostDone)
        // Whoever names it still asks what came of it.
        .filter((one) => !JSON.stringify(changes).includes(`change:${one.id}`))
        .map((one) => one.id);
      const gone = [...(more.drop ?? []), ...over];
      rows.putChange(accountId, id, value, { ...more, drop: gone });
      if (more.fileHash === null) hashes.delete(id);
      else if (more.fileHash !== undefined) hashes.set(id, more.fileHash);
      const isNew = changes.every((one) => one.id !== id);
      changes = changes
        .filter((one) => !gone.includes(one.id))
        .map((one) => (one.id === id ? change : one));
      if (isNew) changes.push(change);
    },
    noteSent: (id, sentBytes) => {
      changes = changes.map((one) =>
        one.id === id && one.file
          ? { ...one, file: { ...one.file, sentBytes } }
          : one,
      );
    },
    drop,
    fileOf: (id) => hashes.get(id) ?? null,
    readAgain,
  };
}
