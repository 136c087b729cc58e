// Carries out the changes on an adopted player: each is noted before it is sent, so that none is lost or made twice (V3-115, V3-116).

import type { Kysely } from "kysely";
import { playerReasonText } from "../../contract/v3/player-reasons.ts";
import type { ContentTables } from "../tables.ts";
import type { AnthiasClient } from "./anthias-client.ts";
import {
  inOrder,
  orderOf,
  planChanges,
  type OwnAsset,
  type PlayerChanges,
} from "./plan-changes.ts";
import { PlayerError } from "./player-error.ts";
import type { RemoteAsset } from "./player-rows.ts";
import type { Slot } from "./slots.ts";
import type { StoredFiles } from "../files/stored-files.ts";

export interface CarryOutOptions {
  readonly kysely: Kysely<ContentTables>;
  readonly store: Pick<StoredFiles, "sizeOf" | "withFile">;
  readonly client: AnthiasClient;
  readonly makeId: () => string;
  readonly now: () => number;
  /** At least 0 and below 1. */
  readonly random: () => number;
  readonly screenId: string;
  /** False ends the work early: what is left is done at the next contact. */
  readonly mayGoOn: () => boolean;
  /** Bytes of a file arrived at the player. */
  readonly onProgress: () => void;
}

export interface CarriedOut {
  /** As the player lists them afterwards. */
  readonly remote: readonly RemoteAsset[];
  readonly own: readonly OwnAsset[];
  /** Slots that are as they should be. */
  readonly here: number;
  readonly missing: readonly {
    readonly name: string;
    readonly reason: string;
  }[];
  readonly isUnfinished: boolean;
}

export interface KeptOrder {
  readonly isDue: boolean;
  readonly ids: readonly string[];
}

const firstPauseMs = 30_000;
const longestPauseMs = 3_600_000;
/** Random moments between 2001 and 2020: long past by any clock, and none occurs twice. */
const markersFrom = Date.UTC(2001, 0, 1);
const markersMs = Date.UTC(2020, 0, 1) - markersFrom;
const endDate = "2099-12-31T00:00:00Z";

export async function carryOut(
  options: CarryOutOptions,
  slots: readonly Slot[],
  kept: KeptOrder,
  listed: readonly RemoteAsset[],
): Promise<CarriedOut> {
  const { client, mayGoOn } = options;
  const owns = await readOwn(options);
  const changes = planChanges(slots, owns, listed);
  const problems = new Map<string, string>();
  for (const { slot, reason } of changes.refused)
    problems.set(slot.key, reason);
  for (const { slot, own } of [...changes.create, ...changes.change])
    if (own?.problem) problems.set(slot.key, own.problem);
  const isWriting = hasWrites(changes);
  // Before anything is written: every change makes the player renumber its assets.
  const keptIds = kept.isDue ? kept.ids : othersOf(listed, owns);
  if (isWriting && !kept.isDue) await noteOrder(options, true, keptIds);
  const done = await write(options, changes, problems);
  const remote = isWriting ? await client.assets() : listed;
  const own = isWriting ? await readOwn(options) : owns;
  const remoteIds = new Set(remote.map(({ id }) => id));
  const isOrderDue = kept.isDue || isWriting;
  const order = orderOf({
    remote,
    due: slots
      .filter(({ isEnabled }) => isEnabled)
      .flatMap((slot) => {
        const { remoteId } =
          own.find(
            (one) => one.slot === slot.key && one.source === slot.source,
          ) ?? {};
        return remoteId != null && remoteIds.has(remoteId) ? [remoteId] : [];
      }),
    own: new Set(own.flatMap(({ remoteId }) => remoteId ?? [])),
    kept: isOrderDue ? keptIds : null,
  });
  if (order) await client.order(order);
  if (isOrderDue) await noteOrder(options, false, []);
  const byKey = new Map(slots.map((slot) => [slot.key, slot]));
  return {
    ...{ remote, own, here: changes.settled.length + done },
    missing: [...problems].map(([key, reason]) => ({
      ...{ name: byKey.get(key)?.name ?? key, reason },
    })),
    isUnfinished: !mayGoOn(),
  };
}

function hasWrites(changes: PlayerChanges): boolean {
  const { create, change, remove, removeTwice } = changes;
  return [create, change, remove, removeTwice].some(({ length }) => length > 0);
}

function othersOf(
  listed: readonly RemoteAsset[],
  owns: readonly OwnAsset[],
): readonly string[] {
  const ownIds = new Set(owns.map(({ remoteId }) => remoteId));
  return inOrder(listed).filter((id) => !ownIds.has(id));
}

/** Returns how many slots are as they should be now. */
async function write(
  options: CarryOutOptions,
  changes: PlayerChanges,
  problems: Map<string, string>,
): Promise<number> {
  const { client, now, mayGoOn } = options;
  let done = 0;
  let isFull = false;
  for (const { own, remoteId } of changes.found)
    await update(options, own.id, { remote_id: remoteId });
  for (const { id } of changes.lost)
    await update(options, id, { remote_id: null, marker: marker(options) });
  for (const id of changes.removeTwice) await client.remove(id);

  /** A rejection concerns one slot only; whatever else fails ends the contact. */
  const attempt = async (
    slot: Slot,
    own: OwnAsset,
    act: () => Promise<void>,
  ): Promise<void> => {
    try {
      await act();
      problems.delete(slot.key);
      done += 1;
    } catch (error) {
      if (!(error instanceof PlayerError) || error.endsContact) throw error;
      isFull ||= error.kind === "full";
      const pauseMs = Math.min(firstPauseMs * 2 ** own.tries, longestPauseMs);
      await update(options, own.id, {
        ...{ tries: own.tries + 1, due_at: now() + pauseMs },
        problem: error.message,
      });
      problems.set(slot.key, error.message);
    }
  };

  for (const { slot, own, remoteId, change } of changes.change)
    if (own.dueAt <= now() && mayGoOn())
      await attempt(slot, own, async () => {
        await client.change(remoteId, change);
        await update(options, own.id, { ...settled, name: slot.name });
      });
  for (const { slot, own: before } of changes.create) {
    if (!mayGoOn()) break;
    if (before && before.dueAt > now()) continue;
    // Pages need no space.
    if (isFull && slot.hash !== null) {
      problems.set(slot.key, playerReasonText("disk-full"));
      continue;
    }
    const own = before ?? (await insert(options, slot));
    await attempt(slot, own, () => create(options, slot, own.id));
  }
  const found = new Map(
    changes.found.map(({ own, remoteId }) => [own.id, remoteId]),
  );
  for (const own of changes.remove) {
    if (!mayGoOn()) break;
    const remoteId = own.remoteId ?? found.get(own.id) ?? null;
    if (remoteId !== null) await client.remove(remoteId);
    await options.kysely
      .deleteFrom("adopted_assets")
      .where("id", "=", own.id)
      .execute();
  }
  return done;
}

const settled = { tries: 0, due_at: 0, problem: null } as const;

async function create(
  options: CarryOutOptions,
  slot: Slot,
  ownId: string,
): Promise<void> {
  const { client, kysely } = options;
  const { marker: startsAt } = await kysely
    .selectFrom("adopted_assets")
    .select("marker")
    .where("id", "=", ownId)
    .executeTakeFirstOrThrow();
  const { name, kind, hash, isEnabled, skipsCheck, durationSeconds } = slot;
  const at =
    hash === null ? { uri: slot.source } : await upload(options, slot, hash);
  const made = await client.create({
    ...{ name, ...at, mimetype: kind, duration: durationSeconds },
    start_date: new Date(Number(startsAt)).toISOString(),
    ...{ end_date: endDate, is_enabled: isEnabled },
    skip_asset_check: skipsCheck,
  });
  await update(options, ownId, { ...settled, name, remote_id: made.id });
}

async function upload(
  { client, store, onProgress }: CarryOutOptions,
  { extension }: Slot,
  hash: string,
): Promise<{ readonly uri: string; readonly ext?: string }> {
  const sizeBytes = await store.sizeOf(hash);
  if (sizeBytes === null) throw new PlayerError("refused", "file-missing");
  const { uri, ext } = await store.withFile(hash, (path) =>
    client.upload({
      ...{ path, sizeBytes, field: "file_upload", onSent: onProgress },
      fileName: `${hash.slice(0, 16)}${extension}`,
    }),
  );
  return { uri, ...(ext ? { ext } : {}) };
}

async function insert(
  options: CarryOutOptions,
  { key, source, name }: Slot,
): Promise<OwnAsset> {
  const row = {
    ...{ id: options.makeId(), slot: key, source, name, problem: null },
    ...{ marker: marker(options), remote_id: null, tries: 0, due_at: 0 },
  };
  await options.kysely
    .insertInto("adopted_assets")
    .values({ ...row, screen_id: options.screenId })
    .execute();
  return { ...row, remoteId: null, dueAt: 0 };
}

function marker({ random }: CarryOutOptions): number {
  return markersFrom + Math.floor(random() * markersMs);
}

async function update(
  { kysely }: CarryOutOptions,
  id: string,
  change: Partial<Omit<ContentTables["adopted_assets"], "id" | "screen_id">>,
): Promise<void> {
  await kysely
    .updateTable("adopted_assets")
    .set(change)
    .where("id", "=", id)
    .execute();
}

async function noteOrder(
  { kysely, screenId }: CarryOutOptions,
  isDue: boolean,
  ids: readonly string[],
): Promise<void> {
  await kysely
    .updateTable("adopted_players")
    .set({ is_order_due: isDue, kept_order: JSON.stringify(ids) })
    .where("screen_id", "=", screenId)
    .execute();
}

async function readOwn({
  kysely,
  screenId,
}: CarryOutOptions): Promise<readonly OwnAsset[]> {
  const rows = await kysely
    .selectFrom("adopted_assets")
    .selectAll()
    .where("screen_id", "=", screenId)
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    ...{ id: row.id, slot: row.slot, source: row.source, name: row.name },
    ...{ marker: Number(row.marker), remoteId: row.remote_id },
    ...{ tries: Number(row.tries), dueAt: Number(row.due_at) },
    problem: row.problem,
  }));
}

/** Everything that the service created there, as far as it is still there (V3-118). */
export async function removeAll(options: CarryOutOptions): Promise<void> {
  const listed = await options.client.assets();
  await write(
    options,
    planChanges([], await readOwn(options), listed),
    new Map(),
  );
}
