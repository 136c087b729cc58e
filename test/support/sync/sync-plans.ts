// Generates small services and libraries, and applies a plan to a library.

import {
  plainPresentation,
  plainWebOptions,
} from "../../../server/core/asset.ts";
import {
  changesOf,
  withFields,
  planSync,
  type Held,
  type SyncPlan,
} from "../../../server/core/sync-plan/sync-plan.ts";
import type {
  AssetFacts,
  DesiredContent,
  DesiredAsset,
  DesiredPlaylist,
} from "../../../server/core/sync-plan/desired-content.ts";

const facts = (change: Partial<AssetFacts> = {}): AssetFacts => ({
  ...{ name: "Red", uri: "https://cloud.example/1", mimetype: "image" },
  ...{ startsAt: null, endsAt: null, durationSeconds: 10, isEnabled: true },
  ...{ isPlaylistOnly: true, presentation: plainPresentation },
  ...{ web: plainWebOptions, metadata: {} },
  ...change,
});

export const asset = (
  remoteId: string,
  change: Partial<AssetFacts> = {},
  md5: string | null = null,
): DesiredAsset => ({
  remoteId,
  file: md5 === null ? null : { md5, sizeBytes: 5 },
  facts: facts({ name: remoteId, ...change }),
});

export const playlist = (
  remoteId: string,
  assetIds: readonly string[],
  change: Partial<DesiredPlaylist["facts"]> = {},
): DesiredPlaylist => ({
  remoteId,
  facts: {
    ...{ name: remoteId, predicate: "TRUE", priority: 0, isEnabled: true },
    ...{ transition: null, isShuffled: null, createdAt: 0 },
    items: assetIds.map((assetId) => ({ assetId, durationSeconds: null })),
    ...change,
  },
});

export const emptyHanded: Held = {
  ...{ assets: [], playlists: [], files: new Set(), idPrefix: "connection-" },
  ...{ changedAssets: new Map(), changedPlaylists: new Map() },
  ...{ otherAssets: new Map(), otherPlaylists: new Map() },
};

/** The library after a plan is applied, in a few lines. */
export function applied(held: Held, plan: SyncPlan): Held {
  const assets = new Map(held.assets.map((one) => [one.remoteId, one]));
  const playlists = new Map(held.playlists.map((one) => [one.remoteId, one]));
  for (const id of plan.forgetAssets) assets.delete(id);
  for (const id of plan.forgetPlaylists) playlists.delete(id);
  for (const {
    remoteId,
    applied: facts,
    change,
    md5,
    isFileChanged,
  } of plan.assets) {
    const before = assets.get(remoteId);
    const now = { ...(before?.now ?? facts), ...change };
    const shown = isFileChanged ? md5 : (before?.md5 ?? null);
    assets.set(remoteId, { remoteId, applied: facts, now, md5: shown });
  }
  for (const { remoteId, applied: facts, change } of plan.playlists) {
    const before = playlists.get(remoteId);
    const now = { ...(before?.now ?? facts), ...change };
    playlists.set(remoteId, { remoteId, applied: facts, now });
  }
  return {
    ...held,
    assets: [...assets.values()],
    playlists: [...playlists.values()],
  };
}

export const synced = (
  content: DesiredContent,
  held: Held = emptyHanded,
): Held => applied(held, planSync(content, held));

/** Fields of an asset are changed locally, and the change is recorded. */
export const changedHere = (
  held: Held,
  id: string,
  fields: Readonly<Record<string, unknown>>,
): Held => {
  const isThere = held.assets.some((one) => one.remoteId === id && one.now);
  if (!isThere) return held;
  const known = changesOf(held.changedAssets, id);
  const set = new Map([...known.fields, ...Object.entries(fields)]);
  return {
    ...held,
    changedAssets: new Map(held.changedAssets).set(id, {
      ...{ ...known, fields: set },
    }),
    assets: held.assets.map((one) =>
      one.remoteId === id && one.now
        ? { ...one, now: withFields(one.now, set) }
        : one,
    ),
  };
};

export const renamedHere = (held: Held, id: string, name: string): Held =>
  changedHere(held, id, { name });

export const deletedHere = (held: Held, id: string): Held => {
  const isThere = held.assets.some((one) => one.remoteId === id && one.now);
  if (!isThere) return held;
  return {
    ...held,
    changedAssets: new Map(held.changedAssets).set(id, {
      ...{ ...changesOf(held.changedAssets, id), isDeleted: true },
    }),
    assets: held.assets.map((one) =>
      one.remoteId === id ? { ...one, now: null, md5: null } : one,
    ),
    // Its items are removed with it, as in the library.
    playlists: held.playlists.map((one) =>
      one.now
        ? {
            ...one,
            now: {
              ...one.now,
              items: one.now.items.filter(({ assetId }) => assetId !== id),
            },
          }
        : one,
    ),
  };
};
