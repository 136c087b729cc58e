// Rows of a cloud gathered, in whatever order they come, into what the player is to have.

import type { SyncTrouble } from "../core/sync-state.ts";
import {
  orderedWanted,
  type WantedAsset,
  type WantedPlaylist,
} from "../core/sync-wanted.ts";
import {
  isTrouble,
  readAssetRow,
  rotationOf,
  type ReadAsset,
  type ReadOptions,
} from "./asset-rows.ts";
import { idIn, numberIn, type Look, type Row } from "./cloud.ts";
import type { ReadPlaylist } from "./playlist-rows.ts";

export interface Gathering {
  add(assetRow: Row): void;
  addPlaylist(read: ReadPlaylist): void;
  /** What an asset brings of its own length. */
  secondsOf(assetId: string): number | null;
  /** Identifiers of the documents gathered so far. */
  documents(): readonly string[];
  /** Rows of pages, of whichever documents. */
  addDocumentPages(rows: readonly Row[]): void;
  look(troubles: readonly SyncTrouble[]): Look;
}

export function createGathering(options: ReadOptions): Gathering {
  const assets = new Map<string, ReadAsset>();
  const playlists = new Map<string, WantedPlaylist>();
  const troubles = new Map<string, SyncTrouble>();
  const pages = new Map<string, Row[]>();

  /** Items of assets that are not there are left out: the others go on (V2-213). */
  const withKnownItems = ({
    remoteId,
    facts,
  }: WantedPlaylist): WantedPlaylist => ({
    remoteId,
    facts: {
      ...facts,
      items: facts.items.filter(({ assetId }) => assets.has(assetId)),
    },
  });

  return {
    add: (row) => {
      const id = idIn(row);
      // One asset in many playlists comes many times.
      if (id === null || assets.has(id) || troubles.has(id)) return;
      const read = readAssetRow(row, options);
      if (read === null) return;
      if (isTrouble(read)) troubles.set(id, read);
      else assets.set(id, read);
    },
    addPlaylist: (read) => {
      if (read === null) return;
      if ("reason" in read) troubles.set(read.remoteId, read);
      else playlists.set(read.remoteId, read);
    },
    secondsOf: (id) => assets.get(id)?.ownSeconds ?? null,
    documents: () =>
      [...assets.values()]
        .map(({ asset }) => asset)
        .filter(({ facts }) => facts.mimetype === "application/pdf")
        .map(({ remoteId }) => remoteId),
    addDocumentPages: (rows) => {
      for (const row of rows) {
        const id = idIn(row, "pdf_asset_id");
        if (id !== null) pages.set(id, [...(pages.get(id) ?? []), row]);
      }
    },
    look: (more) => ({
      wanted: orderedWanted({
        assets: [...assets.values()].map(({ asset }) =>
          withPages(asset, pages.get(asset.remoteId)),
        ),
        playlists: [...playlists.values()].map(withKnownItems),
      }),
      sources: new Map(
        [...assets]
          .map(([id, { source }]) => [id, source] as const)
          .filter((pair): pair is [string, string] => pair[1] !== null),
      ),
      troubles: [...troubles.values(), ...more],
    }),
  };
}

/** A document is one asset here: its pages say which of them are shown, and how all of them are turned (V2-216). */
function withPages(
  asset: WantedAsset,
  rows: readonly Row[] | undefined,
): WantedAsset {
  if (!rows || rows.length === 0) return asset;
  const enabled = rows.filter((row) => row["pdf_page_enabled"] !== false);
  const numbers = enabled
    .map((row) => numberIn(row, "pdf_page_number"))
    .filter((number) => number !== null && Number.isInteger(number))
    .map(Number)
    .sort((a, b) => a - b);
  const rotations = new Set(enabled.map(rotationOf));
  const [rotation = 0] = rotations.size === 1 ? rotations : [];
  const isWhole = enabled.length === rows.length || numbers.length === 0;
  const { facts } = asset;
  return {
    ...asset,
    facts: {
      ...facts,
      isEnabled: facts.isEnabled && enabled.length > 0,
      presentation: {
        ...facts.presentation,
        pages: isWhole ? null : numbers,
        rotation,
      },
    },
  };
}
