// Maps rows of a content service, in whatever order they arrive, to the desired state of the player.

import type { Presentation } from "../../../core/asset.ts";
import type { ItemFailure } from "../../../core/sync-plan/sync-state.ts";
import {
  orderedContent,
  type DesiredAsset,
  type DesiredPlaylist,
} from "../../../core/sync-plan/desired-content.ts";
import {
  idIn,
  numberIn,
  rotationOf,
  type ReadPlaylist,
  type Row,
} from "../../../contract/service-rows/read-rows.ts";
import {
  isItemFailure,
  readAssetRow,
  type ReadAsset,
  type ReadOptions,
} from "./read-asset-row.ts";
import type { ReadApp } from "../edge-apps/map-app.ts";
import type { DesiredState } from "../../../core/sync-connection/plan-progress.ts";

export interface RemoteRowMapper {
  /** The first row of an asset counts. */
  add(assetRow: Row, isListedAlone?: boolean): void;
  /** A failure that is not given up means that the service did not return the playlist, not that the playlist is faulty. */
  addPlaylist(read: ReadPlaylist): void;
  /** The asset's own length. */
  secondsOf(assetId: string): number | null;
  /** Identifiers of the documents collected so far. */
  documents(): readonly string[];
  /** Installations of the apps collected so far. */
  installations(): readonly string[];
  /** Content of the apps by installation; the reason for one that cannot be shown. */
  addApps(apps: ReadonlyMap<string, ReadApp | string>): void;
  /** Rows of pages, of any of the documents. */
  addDocumentPages(rows: readonly Row[]): void;
  desiredState(itemFailures: readonly ItemFailure[]): DesiredState;
}

export interface MapperOptions extends ReadOptions {
  /** Assets come into the library without a playlist, too (V2-743). */
  readonly hasAllAssets?: boolean;
}

export function createRemoteRowMapper(options: MapperOptions): RemoteRowMapper {
  const assets = new Map<string, ReadAsset>();
  const playlists = new Map<string, DesiredPlaylist>();
  const itemFailures = new Map<string, ItemFailure>();
  let unreadablePlaylists = 0;
  const pages = new Map<string, Row[]>();
  const secrets = new Map<string, ReadApp["secrets"]>();
  const sources = new Map<string, readonly string[]>();
  const addSource = (md5: string, source: string): void => {
    const known = sources.get(md5) ?? [];
    if (!known.includes(source)) sources.set(md5, [...known, source]);
  };

  /** What is shown for each asset: the asset itself, or the runs of pages with the same orientation for a document. */
  const shownFor = (): ReadonlyMap<string, readonly DesiredAsset[]> =>
    new Map(
      [...assets].map(([id, { asset }]) => [
        id,
        withPages(
          options.hasAllAssets ? { ...asset, isInLibrary: true } : asset,
          pages.get(id),
        ),
      ]),
    );

  /** Items of missing assets are left out, the others stay. An unreadable asset may still be here from before (V2-213). */
  const withExistingItems = (
    { remoteId, facts }: DesiredPlaylist,
    shown: ReadonlyMap<string, readonly DesiredAsset[]>,
  ): DesiredPlaylist => ({
    remoteId,
    facts: {
      ...facts,
      items: facts.items.flatMap((item) =>
        itemFailures.has(item.assetId)
          ? [item]
          : (shown.get(item.assetId) ?? []).map((asset) => ({
              ...item,
              assetId: asset.remoteId,
            })),
      ),
    },
  });

  /** What is left out of assets that are shown (V2-548). */
  const notes = (): readonly ItemFailure[] =>
    [...assets.values()]
      .filter(({ leftOut }) => leftOut.length > 0)
      .map(({ asset: { remoteId, facts }, leftOut }) => ({
        ...{ remoteId, name: facts.name, isGivenUp: true },
        reason: `Left out: ${leftOut.join("; ")}.`,
      }));

  function desiredState(more: readonly ItemFailure[]): DesiredState {
    const shown = shownFor();
    for (const { asset, source } of assets.values())
      if (asset.file && source !== null) addSource(asset.file.md5, source);
    return {
      content: orderedContent({
        assets: [...shown.values()].flat(),
        playlists: [...playlists.values()].map((playlist) =>
          withExistingItems(playlist, shown),
        ),
      }),
      ...{ sources, secrets },
      itemFailures: [...itemFailures.values(), ...notes(), ...more],
      unreadable: new Set(itemFailures.keys()),
      unreadablePlaylists,
    };
  }

  return {
    add: (row, isListedAlone = options.isListedAlone) => {
      const id = idIn(row);
      // An asset in several playlists arrives several times.
      if (id === null || assets.has(id) || itemFailures.has(id)) return;
      const read = readAssetRow(row, { ...options, isListedAlone });
      if (read === null) return;
      if (isItemFailure(read)) itemFailures.set(id, read);
      else assets.set(id, read);
    },
    addPlaylist: (read) => {
      if (read === null) return;
      if ("reason" in read) {
        if (!itemFailures.has(read.remoteId)) unreadablePlaylists += 1;
        itemFailures.set(read.remoteId, read);
      } else playlists.set(read.remoteId, read);
    },
    secondsOf: (id) => assets.get(id)?.mediaSeconds ?? null,
    documents: () =>
      [...assets.values()]
        .map(({ asset }) => asset)
        .filter(({ facts }) => facts.mimetype === "application/pdf")
        .map(({ remoteId }) => remoteId),
    installations: () => {
      const all = [...assets.values()].map(({ installation }) => installation);
      return [...new Set(all.filter((id) => id !== null))];
    },
    addApps: (apps) => {
      for (const [remoteId, read] of [...assets]) {
        if (read.installation === null) continue;
        const installedApp = apps.get(read.installation) ?? noApp;
        if (typeof installedApp === "string") {
          const { name } = read.asset.facts;
          assets.delete(remoteId);
          itemFailures.set(remoteId, {
            ...{ remoteId, name, reason: installedApp, isGivenUp: true },
          });
          continue;
        }
        const { app, file } = installedApp;
        assets.set(remoteId, { ...read, asset: { ...read.asset, app, file } });
        secrets.set(file.md5, installedApp.secrets);
        for (const [md5, source] of installedApp.sources)
          addSource(md5, source);
      }
    },
    addDocumentPages: (rows) => {
      for (const row of rows) {
        const id = idIn(row, "pdf_asset_id");
        if (id !== null) pages.set(id, [...(pages.get(id) ?? []), row]);
      }
    },
    desiredState,
  };
}

const noApp = "The content service does not report this app's files.";

/**
 * A document is one asset with the pages that are shown; if their orientations differ, one asset for each run of pages (V2-216).
 */
function withPages(
  asset: DesiredAsset,
  rows: readonly Row[] | undefined,
): readonly DesiredAsset[] {
  if (!rows || rows.length === 0) return [asset];
  const enabled = rows.filter((row) => row["pdf_page_enabled"] !== false);
  const runs = runsOf(enabled);
  const [only] = runs;
  const isEveryPage = enabled.length === rows.length || only === undefined;
  if (runs.length > 1)
    // The document itself stays: rotating a page does not count as a removal.
    return runs.map(({ id, rotation, numbers }, place) => ({
      ...withPresentation(asset, { pages: numbers, rotation }),
      remoteId: place === 0 ? asset.remoteId : id,
    }));
  const { facts } = asset;
  const isEnabled = facts.isEnabled && enabled.length > 0;
  return [
    withPresentation(
      { ...asset, facts: { ...facts, isEnabled } },
      {
        pages: isEveryPage ? null : only.numbers,
        rotation: only?.rotation ?? commonRotation(enabled),
      },
    ),
  ];
}

interface Run {
  /** Identifier of its first page. */
  readonly id: string;
  readonly rotation: Presentation["rotation"];
  readonly numbers: readonly number[];
}

/** Consecutive pages with the same orientation, in document order. */
function runsOf(rows: readonly Row[]): readonly Run[] {
  const pages = rows
    .map((row) => ({
      ...{ id: idIn(row), rotation: rotationOf(row) },
      number: numberIn(row, "pdf_page_number") ?? NaN,
    }))
    .filter(({ number }) => Number.isInteger(number))
    .sort((one, other) => one.number - other.number);
  const runs: Run[] = [];
  for (const { id, rotation, number } of pages) {
    const last = runs.at(-1);
    if (last?.rotation === rotation)
      runs.splice(-1, 1, { ...last, numbers: [...last.numbers, number] });
    else if (id !== null) runs.push({ id, rotation, numbers: [number] });
  }
  return runs;
}

/** The common orientation of pages without numbers. */
function commonRotation(rows: readonly Row[]): Presentation["rotation"] {
  const rotations = new Set(rows.map(rotationOf));
  const [rotation = 0] = rotations.size === 1 ? rotations : [];
  return rotation;
}

function withPresentation(
  asset: DesiredAsset,
  change: Partial<Presentation>,
): DesiredAsset {
  const { facts } = asset;
  const presentation = { ...facts.presentation, ...change };
  return { ...asset, facts: { ...facts, presentation } };
}
