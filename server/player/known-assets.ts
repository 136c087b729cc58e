// The assets of the store as they stand, in play order, kept at hand so that asking for them costs no query.

import type { Asset } from "../core/asset.ts";

/** Only one process writes assets, so what it wrote is what there is. */
export interface KnownAssets {
  all(): readonly Asset[];
  get(id: string): Asset | undefined;
  /** This one was written: it is new and the last, or stands where it stood. */
  put(asset: Asset): void;
  drop(id: string): void;
  /** More than one may have been written, or their order: they are read when next asked for. */
  forget(): void;
}

export function createKnownAssets(read: () => readonly Asset[]): KnownAssets {
  // A map keeps the place of what is replaced and puts what is new at the end.
  let byId: Map<string, Asset> | null = null;
  let inOrder: readonly Asset[] | null = null;

  function known(): Map<string, Asset> {
    byId ??= new Map(read().map((asset) => [asset.id, asset]));
    return byId;
  }

  return {
    all: () => (inOrder ??= [...known().values()]),
    get: (id) => known().get(id),
    put: (asset) => {
      byId?.set(asset.id, asset);
      inOrder = null;
    },
    drop: (id) => {
      byId?.delete(id);
      inOrder = null;
    },
    forget: () => {
      byId = null;
      inOrder = null;
    },
  };
}
