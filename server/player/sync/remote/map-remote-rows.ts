// Maps rows of a content service, in whatever order they arrive, to the desired state of the player, or to the reason why it cannot
// show them.

import { composeSentence } from "../../../contract/sentence-templates.ts";
import { connectionSentences } from "../../../contract/sentences/connection-sentences.ts";
import {
  type Presentation,
  noEndMs,
  plainPresentation,
} from "../../../core/asset.ts";
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
  isRemoteKind,
  kindOfRow,
  mimetypesOfRows,
  nameOf,
  sizeOf,
  takeValues,
  textIn,
} from "../../../contract/service-rows/read-rows.ts";
import type { ReadApp } from "../edge-apps/map-app.ts";
import type { DesiredState } from "../../../core/sync-connection/plan-progress.ts";
import {
  assetLimits,
  defaultDurationSeconds,
} from "../../../core/asset-limits.ts";
import { cutText } from "../../../core/text-limit.ts";

export interface RemoteRowMapper {
  /** The first row of an asset counts. */
  add(assetRow: Row, isListedAlone?: boolean): void;
  /** A failure that is not given up means that the service did not return the playlist, not that the playlist is faulty. `place`: its current one in the list of version 3. */
  addPlaylist(read: ReadPlaylist, place?: number): void;
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
  const places = new Map<string, number>();
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
      ...{ unreadable: new Set(itemFailures.keys()), places },
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
    addPlaylist: (read, place) => {
      if (read === null) return;
      if ("reason" in read) {
        if (place !== undefined) places.set(read.remoteId, place);
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

/** What is set for this connection and does not exist at the service. */
export function missing(name: string, reason: string): ItemFailure {
  return {
    ...{ remoteId: name, name, isGivenUp: true },
    reason,
  };
}

const noApp = "The content service does not provide this app's files.";

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

interface ReadAsset {
  readonly asset: DesiredAsset;
  /** Address of its bytes; null for what stays remote. */
  readonly source: string | null;
  readonly mediaSeconds: number | null;
  /** Installation of an app, by which its content is fetched. */
  readonly installation: string | null;
  /** What the player does not take from it, in sentences. */
  readonly leftOut: readonly string[];
}

interface ReadOptions {
  /** It plays without a playlist. */
  readonly isListedAlone: boolean;
  /** Address of the asset at the service, the same in every poll. */
  readonly addressOf: (remoteId: string) => string;
  /** The API version lists the files of apps. */
  readonly hasApps: boolean;
}

/** Null: nothing to show and nothing to report. */
function readAssetRow(
  row: Row,
  { isListedAlone, addressOf, hasApps }: ReadOptions,
): ReadAsset | ItemFailure | null {
  const remoteId = idIn(row);
  if (remoteId === null) return null;
  const type = textIn(row, "type");
  // Files of apps are not content of their own.
  if (type === "edge-app-file") return null;
  const name = nameOf(row, remoteId);
  const failure = (reason: string): ItemFailure => ({
    ...{ remoteId, name, reason, isGivenUp: true },
  });
  const status = textIn(row, "status");
  if (status === "error")
    return failure(
      `The content service failed to process it${textIn(row, "processing_error") ? `: ${cutText(textIn(row, "processing_error"), 300)}` : "."}`,
    );
  if (status !== "finished")
    return failure(
      status === "" || status in waitingStatuses
        ? "The content service is still processing it."
        : composeSentence(connectionSentences["status-unknown"], {
            status: cutText(status, 40),
          }),
    );
  const kind = kindOfRow(row);
  if (!kind)
    return failure(
      `This player cannot show assets of type "${cutText(type, 40)}".`,
    );
  const isApp = kind === "app";
  const installation = isApp ? idIn(row, "app_installation_id") : null;
  if (isApp && !hasApps) return failure(connectionSentences["app-version-3"]);
  if (isApp && installation === null)
    return failure(connectionSentences["app-installation-missing"]);
  const address = textIn(row, "asset_url") || textIn(row, "source_url");
  if (!isApp && !isWebAddress(address, kind === "streaming"))
    return failure(
      "The content service does not provide a usable address for it.",
    );
  const isRemote = isRemoteKind(kind);
  const md5 = textIn(row, "md5").toLowerCase();
  if (!isRemote && !/^[0-9a-f]{32}$/.test(md5))
    return failure(
      "The content service does not provide an MD5 checksum for it, so the file cannot be verified.",
    );
  const isMoving = kind === "video" || kind === "audio";
  const { web, metadata, leftOut } = takeValues(row, kind === "web" || isApp);
  return {
    leftOut: isNameCut(row) ? [longName, ...leftOut] : leftOut,
    asset: {
      remoteId,
      file: isRemote ? null : { md5, sizeBytes: sizeOf(row, md5) },
      facts: {
        name,
        // An asset whose bytes are stored here is identified by what does not change from hour to hour.
        uri: isRemote && !isApp ? address : addressOf(remoteId),
        mimetype: mimetypesOfRows[kind],
        startsAt: isListedAlone ? 0 : null,
        endsAt: isListedAlone ? noEndMs : null,
        durationSeconds: isMoving ? 0 : defaultDurationSeconds,
        isEnabled: row["pdf_page_enabled"] !== false || type !== "pdf-page",
        isPlaylistOnly: !isListedAlone,
        presentation: {
          ...plainPresentation,
          rotation: type === "pdf-page" ? rotationOf(row) : 0,
        },
        ...{ web, metadata },
      },
    },
    source: isRemote ? null : address,
    mediaSeconds: isMoving ? numberIn(row, "duration") : null,
    installation,
  };
}

function isItemFailure(read: ReadAsset | ItemFailure): read is ItemFailure {
  return "reason" in read;
}

const waitingStatuses = {
  ...{ none: true, downloading: true, processing: true, "not-promoted": true },
};

const longName = `title must have at most ${assetLimits.nameLetters} characters`;

function isNameCut(row: Row): boolean {
  const given = textIn(row, "title").replaceAll("\0", "").trim();
  return cutText(given, assetLimits.nameLetters) !== given;
}

function isWebAddress(address: string, isStream: boolean): boolean {
  if (address.length > assetLimits.addressLetters || !URL.canParse(address))
    return false;
  const scheme = /^([a-z]+):\/\/[^/?#]/i.exec(address)?.[1]?.toLowerCase();
  return (
    scheme === "http" || scheme === "https" || (isStream && scheme === "rtsp")
  );
}
