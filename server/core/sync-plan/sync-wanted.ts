// What a cloud wants this screen to have, in the player's words, and how much of it can be shown with what is on disk.

import type { Presentation, WebOptions } from "../asset.ts";
import type { Transition } from "../playlist.ts";
import { eachIn, indexIn, inOneGo, mapIn, type Sliced } from "./sync-slices.ts";

/** Bytes that a cloud vouches for. */
export interface WantedFile {
  /** 32 lower-case hex digits. */
  readonly md5: string;
  /** As far as the cloud told it. */
  readonly sizeBytes: number | null;
}

/** What an operator sees of an asset, and may change here. */
export interface AssetFacts {
  readonly name: string;
  readonly uri: string;
  readonly mimetype: string;
  readonly startsAt: number | null;
  readonly endsAt: number | null;
  readonly durationSeconds: number;
  readonly isEnabled: boolean;
  /** False: it plays by itself, without any playlist. */
  readonly isPlaylistOnly: boolean;
  readonly presentation: Presentation;
  readonly web: WebOptions;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface WantedAsset {
  /** As the cloud names it. */
  readonly remoteId: string;
  /** Null for what stays where it is: pages and streams. Of an app it is its description, which is made here. */
  readonly file: WantedFile | null;
  readonly facts: AssetFacts;
  /** Of apps alone. */
  readonly app?: WantedApp | undefined;
}

/** One revision of an app, set as it is for this screen. */
export interface WantedApp {
  readonly entry:
    | { readonly kind: "file"; readonly path: string }
    | { readonly kind: "remote"; readonly url: string };
  readonly waitsForSignal: boolean;
  /** What anybody may see; by name. */
  readonly settings: Readonly<Record<string, string>>;
  /** Stands for the values that nobody may see, and is another when one of them is; null without any. */
  readonly secretsMark: string | null;
  /** Each once, by path. */
  readonly files: readonly (WantedFile & { readonly path: string })[];
}

/** The same text for the same app, whatever order its parts came in: its bytes are what stands for it in the store. */
export function descriptionOf(app: WantedApp): string {
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

/** What is to be fetched for it. */
export function fetchedFilesOf({
  file,
  app,
}: WantedAsset): readonly WantedFile[] {
  if (app) return app.files;
  return file ? [file] : [];
}

/** MD5 of each file that is wanted as part of an app alone: it need not be media. */
export function partsOfApps({ assets }: Wanted): ReadonlySet<string> {
  const parts = new Set(
    assets.flatMap(({ app }) => app?.files ?? []).map(({ md5 }) => md5),
  );
  for (const { app, file } of assets) if (!app && file) parts.delete(file.md5);
  return parts;
}

/** Every verified file that it is shown with; of an app, its description too. */
export function filesOfAsset(asset: WantedAsset): readonly WantedFile[] {
  const { file, app } = asset;
  return app && file ? [file, ...app.files] : fetchedFilesOf(asset);
}

export interface WantedItem {
  /** As the cloud names it; an asset of this machine has `localItem` before its own identifier. */
  readonly assetId: string;
  readonly durationSeconds: number | null;
}

/** Before the identifier of an asset that no cloud knows, where an operator put it into a cloud's playlist. */
export const localItem = "local:";

export interface PlaylistFacts {
  readonly name: string;
  readonly predicate: string;
  readonly priority: number;
  readonly isEnabled: boolean;
  readonly transition: Transition | null;
  readonly isShuffled: boolean | null;
  readonly createdAt: number;
  readonly items: readonly WantedItem[];
}

export interface WantedPlaylist {
  readonly remoteId: string;
  readonly facts: PlaylistFacts;
}

/** Both by identifier, each once. */
export interface Wanted {
  readonly assets: readonly WantedAsset[];
  readonly playlists: readonly WantedPlaylist[];
}

export const nothingWanted: Wanted = { assets: [], playlists: [] };

/** Here, still to come, or given up. */
export type Arrival = "here" | "coming" | "never";

/** Ordered, and each identifier once: what came last counts. */
export function orderedWanted(wanted: Wanted): Wanted {
  return inOneGo(orderedSteps(wanted));
}

export function* orderedSteps({ assets, playlists }: Wanted): Sliced<Wanted> {
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
 * The part of it that can be shown now: a playlist whose files are still to come stays as it was before, whole,
 * and so do the assets that nothing else needs in their new version. What is given up keeps its version of
 * before; where there was none, the playlists go on without it (V2-212, V2-213).
 */
export function completeOf(...of: Parameters<typeof completeSteps>): Wanted {
  return inOneGo(completeSteps(...of));
}

export function* completeSteps(
  wanted: Wanted,
  before: Wanted,
  arrivalOf: (asset: WantedAsset) => Arrival,
  /** Assets and playlists that the cloud has, and of which nothing can be made for now: they stay as they were (V2-213, V2-545). */
  unreadable: ReadonlySet<string> = new Set(),
): Sliced<Wanted> {
  const assetsBefore = yield* indexIn(before.assets, idOf);
  const playlistsBefore = yield* indexIn(before.playlists, idOf);
  const arrivals = new Map<string, Arrival>();
  yield* eachIn(wanted.assets, (asset) =>
    arrivals.set(asset.remoteId, arrivalOf(asset)),
  );
  const fresh: WantedPlaylist[] = [];
  const old: WantedPlaylist[] = [];
  yield* eachIn(
    wanted.playlists,
    (playlist) => {
      const { remoteId, facts } = playlist;
      const known = playlistsBefore.get(remoteId);
      if (facts.items.every((one) => arrivals.get(one.assetId) !== "coming"))
        fresh.push(playlist);
      else if (known) old.push(known);
      playlistsBefore.delete(remoteId);
    },
    itemsOf,
  );
  for (const remoteId of unreadable) {
    const known = playlistsBefore.get(remoteId);
    if (known) old.push(known);
  }

  const chosen = new Map<string, WantedAsset>();
  const usedFresh = yield* usedBy(fresh);
  yield* eachIn(wanted.assets, (asset) => {
    const { remoteId, facts } = asset;
    if (facts.isPlaylistOnly && !usedFresh.has(remoteId)) return;
    const version =
      arrivals.get(remoteId) === "here" ? asset : assetsBefore.get(remoteId);
    if (version) chosen.set(remoteId, version);
  });
  for (const remoteId of unreadable) {
    const version = assetsBefore.get(remoteId);
    const isUsed =
      version?.facts.isPlaylistOnly === false || usedFresh.has(remoteId);
    if (version && isUsed) chosen.set(remoteId, version);
  }
  yield* eachIn(yield* usedBy(old), (remoteId) => {
    const version = assetsBefore.get(remoteId);
    if (version && !chosen.has(remoteId)) chosen.set(remoteId, version);
  });
  return yield* orderedSteps({
    assets: [...chosen.values()],
    playlists: yield* mapIn(
      [...fresh, ...old],
      (playlist) => withItemsOf(playlist, chosen),
      itemsOf,
    ),
  });
}

const idOf = ({ remoteId }: { readonly remoteId: string }): string => remoteId;

/** As much work as it has items. */
export function itemsOf({ facts }: WantedPlaylist): number {
  return 1 + facts.items.length;
}

function* usedBy(
  playlists: readonly WantedPlaylist[],
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
  playlist: WantedPlaylist,
  assets: ReadonlyMap<string, unknown>,
): WantedPlaylist {
  const items = playlist.facts.items.filter(({ assetId }) =>
    assets.has(assetId),
  );
  return items.length === playlist.facts.items.length
    ? playlist
    : { ...playlist, facts: { ...playlist.facts, items } };
}
