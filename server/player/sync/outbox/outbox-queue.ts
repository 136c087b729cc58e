// The changes of one account as rows: read with care, written whole, and the done ones kept for a while.

import * as z from "zod";
import {
  changeActions,
  makersNamedBy,
  writtenCollections,
  type CloudChange,
} from "../../../core/sync-plan/outbox.ts";
import type { OutboxRows } from "./outbox-rows.ts";

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
  /** Not written down: what is not worth it, like how much of a file is sent, or cannot be just now. */
  noteHere(id: string, step: Partial<CloudChange>): void;
  drop(ids: readonly string[]): void;
  fileOf(id: string): string | null;
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
  // Rows of before it was noted have none.
  begun: fields.nullable().default(null),
  file: z
    .object({ name: z.string(), sizeBytes: z.number(), sentBytes: z.number() })
    .nullable(),
  createdAt: z.number(),
  doneAt: z.number().nullable(),
  // Rows of before it was noted have none.
  sentTo: z.string().nullable().default(null),
});

/** Enough to see what a busy hour did. */
const maxDone = 100;

export function openQueue(connectionId: string, rows: OutboxRows): Queue {
  /** In the order in which they came. */
  const changes = new Map<string, CloudChange>();
  const hashes = new Map<string, string>();
  /** By how many that are not done each is named. */
  const needed = new Map<string, number>();
  /** Those that are done, the first of them first. */
  const done = new Set<string>();
  for (const { id, value, fileHash } of rows.changes(connectionId)) {
    const reading = stored.safeParse(value);
    if (!reading.success) continue;
    const { state, ...data } = reading.data;
    // Whoever was sending it is no more.
    const now = state === "sending" ? "waiting" : state;
    keep({ id, ...data, state: now });
    if (fileHash !== null) hashes.set(id, fileHash);
  }
  const byTime = [...changes.values()]
    .filter(({ state }) => state === "done")
    .toSorted((a, b) => (a.doneAt ?? 0) - (b.doneAt ?? 0));
  done.clear();
  for (const { id } of byTime) done.add(id);

  function keep(change: CloudChange): void {
    const before = changes.get(change.id);
    changes.set(change.id, change);
    if (change.state === "done") done.add(change.id);
    else done.delete(change.id);
    // What is only further on its way names the same.
    const isSame =
      before?.fields === change.fields &&
      before.target === change.target &&
      (before.state === "done") === (change.state === "done");
    if (isSame) return;
    if (before) countNeeded(before, -1);
    countNeeded(change, 1);
  }

  function countNeeded(by: CloudChange, one: 1 | -1): void {
    if (by.state === "done") return;
    for (const id of makersNamedBy(by)) {
      const count = (needed.get(id) ?? 0) + one;
      if (count === 0) needed.delete(id);
      else needed.set(id, count);
    }
  }

  function forget(ids: readonly string[]): void {
    for (const id of ids) {
      const before = changes.get(id);
      if (before) countNeeded(before, -1);
      changes.delete(id);
      done.delete(id);
      hashes.delete(id);
    }
  }

  /** Done so long ago that they need not be listed, and nobody asks any more what came of them. */
  function tooOld(): readonly string[] {
    const found: string[] = [];
    let over = done.size - maxDone;
    for (const id of done) {
      if ((over -= 1) < 0) break;
      if (!needed.has(id)) found.push(id);
    }
    return found;
  }

  return {
    all: () => [...changes.values()],
    get: (id) => changes.get(id),
    put: (change, more = {}) => {
      const { id, ...value } = change;
      const old = change.state === "done" ? tooOld() : [];
      const gone = [...(more.drop ?? []), ...old];
      rows.putChange(connectionId, id, value, { ...more, drop: gone });
      if (more.fileHash === null) hashes.delete(id);
      else if (more.fileHash !== undefined) hashes.set(id, more.fileHash);
      keep(change);
      forget(gone);
    },
    noteHere: (id, step) => {
      const existing = changes.get(id);
      if (existing) keep({ ...existing, ...step });
    },
    drop: (ids) => {
      rows.dropChanges(ids);
      forget(ids);
    },
    fileOf: (id) => hashes.get(id) ?? null,
  };
}
