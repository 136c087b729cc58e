// Desired content: what a content service wants on this screen, in the player's terms, and how much of it can be shown with the
// files on disk.

import type { Presentation, WebOptions } from "../asset.ts";
import type { Transition } from "../playlist.ts";
import { eachIn, indexIn, inOneGo, mapIn, type Sliced } from "../slices.ts";

/** Bytes that a service vouches for. */
export interface DesiredFile {
  /** 32 lower-case hex digits. */
  readonly md5: string;
  /** Null if the service did not send it. */
  readonly sizeBytes: number | null;
}

/** What an operator sees of an asset and may change locally. */
export interface AssetFacts {
  readonly name: string;
  readonly uri: string;
  readonly mimetype: string;
  readonly startsAt: number | null;
  readonly endsAt: number | null;
  readonly durationSeconds: number;
  readonly isEnabled: boolean;
  /** False: it plays without a playlist. */
  readonly isPlaylistOnly: boolean;
  readonly presentation: Presentation;
  readonly web: WebOptions;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface DesiredAsset {
  /** The service's identifier. */
  readonly remoteId: string;
  /** Null for pages and streams, which stay remote. For an app it is its description, which is generated here. */
  readonly file: DesiredFile | null;
  readonly facts: AssetFacts;
  /** It comes into the library without a playlist (V2-743). */
  readonly isInLibrary?: true | undefined;
  /** Only for apps. */
  readonly app?: DesiredApp | undefined;
}

/** One revision of an app with its settings for this screen. */
export interface DesiredApp {
  readonly entry:
    | { readonly kind: "file"; readonly path: string }
    | { readonly kind: "remote"; readonly url: string };
  readonly waitsForSignal: boolean;
  /** Non-secret settings, by name. */
  readonly settings: Readonly<Record<string, string>>;
  /** Stands for the secret settings and changes when one of them does; null without any. */
  readonly secretsMark: string | null;
  /** Each once, by path. */
  readonly files: readonly (DesiredFile & { readonly path: string })[];
}

/** Returns the same text for the same app, whatever the order of its parts: these bytes represent it in the store. */
export function descriptionOf(app: DesiredApp): string {
  const { entry, waitsForSignal, settings, secretsMark, files } = app;
  return JSON.stringify({
    format: "vitrine-app-1",
    entry: entry.kind === "file" ? ["file", entry.path] : ["remote", entry.url],
    waitsForSignal,
    settings: Object.entries(settings).sort(byFirst),
    secretsMark,
    files: files.map(({ path, md5 }) => [path, md5] as const).sort(byFirst),
  });
}

function byFirst(
  [a]: readonly [string, string],
  [b]: readonly [string, string],
): number {
  return a < b ? -1 : Number(a > b);
}

/** The files to download for an asset. */
export function fetchedFilesOf({
  file,
  app,
}: DesiredAsset): readonly DesiredFile[] {
  if (app) return app.files;
  return file ? [file] : [];
}

/** MD5 of each file that is only wanted as part of an app: it need not be media. */
export function partsOfApps({ assets }: DesiredContent): ReadonlySet<string> {
  const parts = new Set(
    assets.flatMap(({ app }) => app?.files ?? []).map(({ md5 }) => md5),
  );
  for (const { app, file } of assets) if (!app && file) parts.delete(file.md5);
  return parts;
}

/** Every verified file that the asset is shown with, including the description of an app. */
export function filesOfAsset(asset: DesiredAsset): readonly DesiredFile[] {
  const { file, app } = asset;
  return app && file ? [file, ...app.files] : fetchedFilesOf(asset);
}

export interface DesiredItem {
  /** The service's identifier; a local asset has `localItem` in front of its own identifier. */
  readonly assetId: string;
  readonly durationSeconds: number | null;
}

/** Prefix for the identifier of a local asset that an operator added to a playlist of a service. */
export const localItem = "local:";

export interface PlaylistFacts {
  readonly name: string;
  readonly predicate: string;
  readonly priority: number;
  readonly isEnabled: boolean;
  readonly transition: Transition | null;
  readonly isShuffled: boolean | null;
  readonly createdAt: number;
  readonly items: readonly DesiredItem[];
}

export interface DesiredPlaylist {
  readonly remoteId: string;
  readonly facts: PlaylistFacts;
}

/** Both sorted by identifier, each once. */
export interface DesiredContent {
  readonly assets: readonly DesiredAsset[];
  readonly playlists: readonly DesiredPlaylist[];
}

export const emptyContent: DesiredContent = { assets: [], playlists: [] };

/** Stored here, still to come, or given up. */
export type Arrival = "here" | "coming" | "never";

/** Sorted, with each identifier once: the last one counts. */
export function orderedContent(desired: DesiredContent): DesiredContent {
  return inOneGo(orderedSliced(desired));
}

export function* orderedSliced({
  assets,
  playlists,
}: DesiredContent): Sliced<DesiredContent> {
  return {
    assets: yield* ordered(assets),
    playlists: yield* ordered(playlists),
  };
}

function* ordered<T extends { readonly remoteId: string }>(
  list: readonly T[],
): Sliced<readonly T[]> {
  let isOrdered = true;
  let before = "";
  yield* eachIn(list, ({ remoteId }) => {
    isOrdered &&= before < remoteId;
    before = remoteId;
  });
  if (isOrdered) return list;
  const byId = yield* indexIn(list, ({ remoteId }) => remoteId);
  return [...byId.values()].sort((a, b) => (a.remoteId < b.remoteId ? -1 : 1));
}

/**
 * The part that can be shown now: a playlist with missing files stays completely as it was before, and so do the assets that
 * nothing else needs in their new version. Files that were given up keep their previous version; if there was none, the playlists
 * continue without them (V2-212, V2-213).
 */
export function completeOf(
  ...of: Parameters<typeof completeSliced>
): DesiredContent {
  return inOneGo(completeSliced(...of));
}

export function* completeSliced(
  desired: DesiredContent,
  before: DesiredContent,
  arrivalOf: (asset: DesiredAsset) => Arrival,
  /** Assets and playlists that the service has but that cannot be read for now: they stay as they were (V2-213, V2-545). */
  unreadable: ReadonlySet<string> = new Set(),
  /** Their places in the playback order, where the service has reported those. */
  places: ReadonlyMap<string, number> = new Map(),
): Sliced<DesiredContent> {
  const assetsBefore = yield* indexIn(before.assets, idOf);
  const playlistsBefore = yield* indexIn(before.playlists, idOf);
  const arrivals = new Map<string, Arrival>();
  yield* eachIn(desired.assets, (asset) =>
    arrivals.set(asset.remoteId, arrivalOf(asset)),
  );
  const fresh: DesiredPlaylist[] = [];
  const old: DesiredPlaylist[] = [];
  yield* eachIn(
    desired.playlists,
    (playlist) => {
      const { remoteId, facts } = playlist;
      const previous = playlistsBefore.get(remoteId);
      if (facts.items.every((one) => arrivals.get(one.assetId) !== "coming"))
        fresh.push(playlist);
      else if (previous) old.push(previous);
      playlistsBefore.delete(remoteId);
    },
    itemsOf,
  );
  for (const remoteId of unreadable) {
    const previous = playlistsBefore.get(remoteId);
    if (!previous) continue;
    const { facts } = previous;
    const createdAt = places.get(remoteId) ?? facts.createdAt;
    old.push({ remoteId, facts: { ...facts, createdAt } });
  }

  const chosen = new Map<string, DesiredAsset>();
  const usedFresh = yield* usedBy(fresh);
  yield* eachIn(desired.assets, (asset) => {
    const { remoteId } = asset;
    if (!isWithoutPlaylist(asset) && !usedFresh.has(remoteId)) return;
    const version =
      arrivals.get(remoteId) === "here" ? asset : assetsBefore.get(remoteId);
    if (version) chosen.set(remoteId, version);
  });
  for (const remoteId of unreadable) {
    const version = assetsBefore.get(remoteId);
    if (version && (isWithoutPlaylist(version) || usedFresh.has(remoteId)))
      chosen.set(remoteId, version);
  }
  yield* eachIn(yield* usedBy(old), (remoteId) => {
    const version = assetsBefore.get(remoteId);
    if (version && !chosen.has(remoteId)) chosen.set(remoteId, version);
  });
  return yield* orderedSliced({
    assets: [...chosen.values()],
    playlists: yield* mapIn(
      [...fresh, ...old],
      (playlist) => withItemsOf(playlist, chosen),
      itemsOf,
    ),
  });
}

/** It is here whether a playlist uses it or not. */
function isWithoutPlaylist(asset: DesiredAsset): boolean {
  return asset.isInLibrary === true || !asset.facts.isPlaylistOnly;
}

/** Nothing of it would be here even if all files were: no asset is listed by itself or is in a playlist. */
export function bringsNothing({ assets, playlists }: DesiredContent): boolean {
  if (assets.some(isWithoutPlaylist)) return false;
  const ids = new Set(assets.map(({ remoteId }) => remoteId));
  return playlists.every(({ facts }) =>
    facts.items.every(({ assetId }) => !ids.has(assetId)),
  );
}

const idOf = ({ remoteId }: { readonly remoteId: string }): string => remoteId;

/** It takes as much work as it has items. */
export function itemsOf({ facts }: DesiredPlaylist): number {
  return 1 + facts.items.length;
}

function* usedBy(
  playlists: readonly DesiredPlaylist[],
): Sliced<ReadonlySet<string>> {
  const used = new Set<string>();
  yield* eachIn(
    playlists,
    ({ facts }) => facts.items.forEach(({ assetId }) => used.add(assetId)),
    itemsOf,
  );
  return used;
}

function withItemsOf(
  playlist: DesiredPlaylist,
  assets: ReadonlyMap<string, unknown>,
): DesiredPlaylist {
  const items = playlist.facts.items.filter(({ assetId }) =>
    assets.has(assetId),
  );
  return items.length === playlist.facts.items.length
    ? playlist
    : { ...playlist, facts: { ...playlist.facts, items } };
}
