// Asset cache: all assets of the store in play order, so that reading them costs no query.

import type { Asset } from "../../core/asset.ts";

/** Only one process writes assets, so the cache is complete. */
export interface AssetCache {
  all(): readonly Asset[];
  get(id: string): Asset | undefined;
  /** This asset was written: it is new and the last one, or keeps its place. */
  put(asset: Asset): void;
  drop(id: string): void;
  /** These assets were written; they may be new, moved or deleted. Only they are read again. */
  refresh(ids: readonly string[]): void;
  /** More than one asset may have been written, or their order: all are read on the next access. */
  forget(): void;
}

export interface AssetCacheOptions {
  /** In play order. */
  readonly readAll: () => readonly Asset[];
  readonly read: (id: string) => Asset | null;
  /** Id of the asset before this one; null if it is the first. */
  readonly readBefore: (id: string) => string | null;
}

/** This many, if they are a large share of all, are read faster all at once than one by one. */
const minMany = 100;
const largePart = 1 / 4;

export function createAssetCache(options: AssetCacheOptions): AssetCache {
  // A map keeps the place of a replaced entry and appends a new one.
  let byId: Map<string, Asset> | null = null;
  let inOrder: readonly Asset[] | null = null;

  function cachedAssets(): Map<string, Asset> {
    byId ??= new Map(options.readAll().map((asset) => [asset.id, asset]));
    return byId;
  }

  function forget(): void {
    byId = null;
    inOrder = null;
  }

  /** Returns whether its place may have changed. */
  function readAgain(id: string, into: Map<string, Asset>): boolean {
    const [before, after] = [into.get(id), options.read(id)];
    if (after) into.set(id, after);
    else into.delete(id);
    return after !== null && after.playOrder !== before?.playOrder;
  }

  function movedIn(
    all: ReadonlyMap<string, Asset>,
    moved: readonly string[],
  ): Map<string, Asset> {
    const followers = new Map(moved.map((id) => [options.readBefore(id), id]));
    const stay = new Map(all);
    for (const id of moved) stay.delete(id);
    const ordered = new Map<string, Asset>();
    const addFollowers = (before: string | null): void => {
      let id = followers.get(before);
      for (; id !== undefined; id = followers.get(id)) {
        const asset = all.get(id);
        if (asset) ordered.set(id, asset);
      }
    };
    addFollowers(null);
    for (const [id, asset] of stay) {
      ordered.set(id, asset);
      addFollowers(id);
    }
    return ordered;
  }

  return {
    all: () => (inOrder ??= [...cachedAssets().values()]),
    get: (id) => cachedAssets().get(id),
    put: (asset) => {
      byId?.set(asset.id, asset);
      inOrder = null;
    },
    drop: (id) => {
      byId?.delete(id);
      inOrder = null;
    },
    refresh: (ids) => {
      if (!byId) return;
      if (ids.length >= minMany && ids.length > byId.size * largePart)
        return forget();
      const read = byId;
      inOrder = null;
      const moved = ids.filter((id) => readAgain(id, read));
      if (moved.length > 0) byId = movedIn(read, moved);
    },
    forget,
  };
}
