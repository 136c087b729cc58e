// Replaces the items of a playlist by a list: items that stay keep their rows and are not reported as changed (V3-34).

import { defaultDurationSeconds } from "../../../core/asset-limits.ts";
import type { PlaylistItemInput } from "../../../contract/v3/v3.ts";
import { named, sql } from "../../sql.ts";
import { refuseUnknown } from "../operation/references.ts";
import type { RunQuery, V3 } from "../operation/v3.ts";

interface Place {
  readonly team: string;
  readonly id: string;
  readonly isNew: boolean;
}

interface Item {
  readonly id: string;
  readonly assetId: string;
  readonly duration: number;
  readonly position: number;
}

/** Clients of version 4 insert between two items, so the gaps are wide (V4-41). */
const positionGap = 100_000;

export async function replaceItems(
  v3: V3,
  runQuery: RunQuery,
  place: Place,
  inputs: readonly PlaylistItemInput[],
): Promise<void> {
  const ids = inputs.map(({ id }) => id);
  const mediaDurations = await assetDurations(v3, runQuery, place.team, ids);
  refuseUnknown("assets", ids, mediaDurations);
  const before = place.isNew ? [] : await itemsOf(runQuery, place);
  const unused = new Map<string, Item[]>();
  for (const item of before)
    unused.set(item.assetId, [...(unused.get(item.assetId) ?? []), item]);
  const targetItems = inputs.map(({ id, duration }, at) => {
    const reused = unused.get(id)?.shift();
    return {
      ...{ id: reused?.id ?? null, assetId: id },
      duration: duration ?? mediaDurations.get(id) ?? defaultDurationSeconds,
      position: (at + 1) * positionGap,
    };
  });
  const isSame =
    targetItems.length === before.length &&
    targetItems.every(
      ({ id, duration }, at) =>
        before[at]?.id === id && before[at]?.duration === duration,
    );
  // Keeps the positions of version 4, too.
  if (isSame) return;
  await removeItems(v3, runQuery, place, [...unused.values()].flat());
  const existing = new Map(before.map((item) => [item.id, item]));
  for (const { id, duration, position } of targetItems) {
    const old = id === null ? undefined : existing.get(id);
    if (!old || (old.duration === duration && old.position === position))
      continue;
    await runQuery(
      sql`UPDATE playlist_items SET duration = ${duration}, position = ${position}
        WHERE team_id = ${place.team} AND id = ${old.id}`,
    );
  }
  await insertItems(
    v3,
    runQuery,
    place,
    targetItems.filter(({ id }) => id === null),
  );
}

/** Of those assets that exist. */
async function assetDurations(
  { dialect }: V3,
  runQuery: RunQuery,
  team: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number | null>> {
  const rows = await runQuery(
    sql`SELECT id, duration FROM assets WHERE team_id = ${team} AND ${dialect.keysOneOf(named("id"), [...new Set(ids)])}`,
  );
  return new Map(
    rows.map(({ id, duration }) => [
      String(id),
      duration === null ? null : Number(duration),
    ]),
  );
}

async function itemsOf(
  runQuery: RunQuery,
  { team, id }: Place,
): Promise<readonly Item[]> {
  const rows = await runQuery(
    sql`SELECT id, asset_id, duration, position FROM playlist_items
      WHERE team_id = ${team} AND playlist_id = ${id} ORDER BY position, id`,
  );
  return rows.map((row) => ({
    id: String(row["id"]),
    assetId: String(row["asset_id"]),
    duration: Number(row["duration"]),
    position: Number(row["position"]),
  }));
}

async function removeItems(
  { dialect }: V3,
  runQuery: RunQuery,
  { team }: Place,
  items: readonly Item[],
): Promise<void> {
  if (items.length === 0) return;
  const ids = items.map(({ id }) => id);
  await runQuery(
    sql`DELETE FROM playlist_items WHERE team_id = ${team} AND ${dialect.keysOneOf(named("id"), ids)}`,
  );
}

/** One text for any number of items, so that the database prepares it once. */
async function insertItems(
  v3: V3,
  runQuery: RunQuery,
  { team, id: playlist }: Place,
  items: readonly Omit<Item, "id">[],
): Promise<void> {
  if (items.length === 0) return;
  const ids = items.map(() => v3.makeId());
  const assets = items.map(({ assetId }) => assetId);
  const durations = items.map(({ duration }) => duration);
  const positions = items.map(({ position }) => position);
  const columns = sql`INSERT INTO playlist_items (id, team_id, playlist_id, asset_id, duration, position, created_at)`;
  if (v3.dialect.kind === "postgres")
    await runQuery(
      sql`${columns} SELECT i.id, ${team}::text, ${playlist}::text, i.asset_id, i.duration, i.position, ${v3.now()}::bigint
        FROM unnest(${ids}::text[], ${assets}::text[], ${durations}::double precision[], ${positions}::bigint[])
          AS i (id, asset_id, duration, position)`,
    );
  else {
    const rows = items.map((_, at) => [
      ...[ids[at], assets[at], durations[at], positions[at]],
    ]);
    await runQuery(
      sql`${columns} SELECT value ->> 0, ${team}, ${playlist}, value ->> 1, value ->> 2, value ->> 3, ${v3.now()}
        FROM json_each(${JSON.stringify(rows)})`,
    );
  }
}
