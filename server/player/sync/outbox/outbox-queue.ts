// Queue of one connection's local changes as rows: validated when read, written completely, with finished ones kept for a while.

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
  /** In memory only: for what is not worth saving, like upload progress, or cannot be saved at the moment. */
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
  // Missing in rows from older versions.
  begun: fields.nullable().default(null),
  file: z
    .object({ name: z.string(), sizeBytes: z.number(), sentBytes: z.number() })
    .nullable(),
  createdAt: z.number(),
  doneAt: z.number().nullable(),
  // Missing in rows from older versions.
  sentTo: z.string().nullable().default(null),
});

/** Enough to show the changes of a busy hour. */
const maxDone = 100;

export function openQueue(connectionId: string, rows: OutboxRows): Queue {
  /** In order of arrival. */
  const changes = new Map<string, CloudChange>();
  const hashes = new Map<string, string>();
  /** Number of unfinished changes that refer to each change. */
  const needed = new Map<string, number>();
  /** Finished changes, oldest first. */
  const done = new Set<string>();
  for (const { id, value, fileHash } of rows.changes(connectionId)) {
    const reading = stored.safeParse(value);
    if (!reading.success) continue;
    const { state, ...data } = reading.data;
    // The process that was sending it has ended.
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
    // Progress of the same change does not alter its references.
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

  /** Finished so long ago that they need not be listed, and no change refers to them any more. */
  function tooOld(): readonly string[] {
    const ids: string[] = [];
    let over = done.size - maxDone;
    for (const id of done) {
      if ((over -= 1) < 0) break;
      if (!needed.has(id)) ids.push(id);
    }
    return ids;
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
