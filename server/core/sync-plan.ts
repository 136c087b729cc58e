// Cloud and library → what to fetch, write and forget.

import type { PlanEntry } from "./sync-state.ts";
import {
  fetchedFilesOf,
  filesOfAsset,
  type AssetFacts,
  type PlaylistFacts,
  type Wanted,
  type WantedAsset,
  type WantedFile,
  type WantedItem,
} from "./sync-wanted.ts";

/** An asset that a cloud brought, as it stands in the library. */
export interface HeldAsset {
  readonly remoteId: string;
  /** As the sync wrote it last. */
  readonly applied: AssetFacts;
  /** As it is; what differs from `applied` was changed here. Null: it was deleted here. */
  readonly now: AssetFacts | null;
  /** Of the bytes it shows; null where it has none. */
  readonly md5: string | null;
}

export interface HeldPlaylist {
  readonly remoteId: string;
  readonly applied: PlaylistFacts;
  readonly now: PlaylistFacts | null;
}

/** What one account has brought so far. */
export interface Held {
  readonly assets: readonly HeldAsset[];
  readonly playlists: readonly HeldPlaylist[];
  /** Names of everything else in the library, which keeps them. */
  readonly assetNames: ReadonlySet<string>;
  readonly playlistNames: ReadonlySet<string>;
  /** MD5 of every verified file on disk. */
  readonly files: ReadonlySet<string>;
}

export interface AssetWrite {
  readonly remoteId: string;
  readonly isNew: boolean;
  /** What is to be other than it is; all of a new one. */
  readonly change: Partial<AssetFacts>;
  /** What the sync stands for from now on. */
  readonly applied: AssetFacts;
  /** Null: without bytes. */
  readonly md5: string | null;
  readonly isFileChanged: boolean;
}

export interface PlaylistWrite {
  readonly remoteId: string;
  readonly isNew: boolean;
  readonly change: Partial<PlaylistFacts>;
  readonly applied: PlaylistFacts;
}

export interface Fetch extends WantedFile {
  /** Which assets show it. */
  readonly remoteIds: readonly string[];
}

export interface SyncPlan {
  readonly fetch: readonly Fetch[];
  readonly assets: readonly AssetWrite[];
  readonly playlists: readonly PlaylistWrite[];
  readonly forgetAssets: readonly string[];
  readonly forgetPlaylists: readonly string[];
}

/**
 * What makes the library show what the cloud wants. What was changed here stays as it is, field by field; what
 * was deleted here stays away; what nobody's cloud brought is not touched (V2-214). Applied, it plans to nothing.
 */
export function planSync(wanted: Wanted, held: Held): SyncPlan {
  const assets = new Map(held.assets.map((one) => [one.remoteId, one]));
  const playlists = new Map(held.playlists.map((one) => [one.remoteId, one]));
  const deleted = new Set(
    held.assets.filter(({ now }) => now === null).map((one) => one.remoteId),
  );
  const assetNames = uniqueNames(wanted.assets, assets, held.assetNames);
  const playlistNames = uniqueNames(
    wanted.playlists,
    playlists,
    held.playlistNames,
  );
  return {
    fetch: fetchesOf(wanted.assets, deleted, held.files),
    assets: wanted.assets
      .map((asset) => {
        const name = assetNames.get(asset.remoteId) ?? asset.facts.name;
        const facts = { ...asset.facts, name };
        const isHere = filesOfAsset(asset).every((one) =>
          held.files.has(one.md5),
        );
        const md5 = isHere ? (asset.file?.md5 ?? null) : null;
        return assetWrite(assets.get(asset.remoteId), facts, md5, asset);
      })
      .filter((write) => write !== null),
    playlists: wanted.playlists
      .map(({ remoteId, facts }) => {
        const name = playlistNames.get(remoteId) ?? facts.name;
        const items = without(facts.items, deleted);
        return playlistWrite(
          playlists.get(remoteId),
          { ...facts, name, items },
          remoteId,
          deleted,
        );
      })
      .filter((write) => write !== null),
    forgetAssets: missing(held.assets, wanted.assets),
    forgetPlaylists: missing(held.playlists, wanted.playlists),
  };
}

/** Nothing to write and nothing to forget; what is to be fetched changes nothing by itself. */
export function isNothingToApply(plan: SyncPlan): boolean {
  const { assets, playlists, forgetAssets, forgetPlaylists } = plan;
  return (
    assets.length +
      playlists.length +
      forgetAssets.length +
      forgetPlaylists.length ===
    0
  );
}

/** The plan as people read it. */
export function entriesOf(
  plan: SyncPlan,
  wanted: Wanted,
  held: Held,
): readonly PlanEntry[] {
  const sizes = sizesOf(plan.fetch);
  const fetched = new Set(sizes.keys());
  const written = new Set(plan.assets.map(({ remoteId }) => remoteId));
  const heldAssets = new Map(held.assets.map((one) => [one.remoteId, one]));
  const entry = (
    what: PlanEntry["what"],
    deed: PlanEntry["deed"],
    remoteId: string,
    name: string,
  ): PlanEntry => ({
    ...{ what, deed, remoteId, name },
    bytes: what === "asset" ? (sizes.get(remoteId) ?? null) : null,
  });
  const nameOf = (
    list: readonly (HeldAsset | HeldPlaylist)[],
    id: string,
  ): string => list.find(({ remoteId }) => remoteId === id)?.applied.name ?? id;
  const waiting = wanted.assets.filter(
    ({ remoteId }) => fetched.has(remoteId) && !written.has(remoteId),
  );
  return [
    ...plan.assets.map(({ remoteId, isNew, applied }) =>
      entry("asset", isNew ? "add" : "change", remoteId, applied.name),
    ),
    ...waiting.map(({ remoteId, facts }) =>
      entry(
        "asset",
        heldAssets.has(remoteId) ? "change" : "add",
        remoteId,
        facts.name,
      ),
    ),
    ...plan.playlists.map(({ remoteId, isNew, applied }) =>
      entry("playlist", isNew ? "add" : "change", remoteId, applied.name),
    ),
    ...plan.forgetAssets
      .filter((id) => heldAssets.get(id)?.now !== null)
      .map((id) => entry("asset", "remove", id, nameOf(held.assets, id))),
    ...plan.forgetPlaylists.map((id) =>
      entry("playlist", "remove", id, nameOf(held.playlists, id)),
    ),
  ];
}

/** To be fetched for each asset; null where nobody told. */
function sizesOf(
  fetches: readonly Fetch[],
): ReadonlyMap<string, number | null> {
  const sizes = new Map<string, number | null>();
  for (const { remoteIds, sizeBytes } of fetches)
    for (const remoteId of remoteIds) {
      const before = sizes.get(remoteId) ?? null;
      const isFirst = before === null || sizeBytes === null;
      sizes.set(remoteId, isFirst ? (sizeBytes ?? before) : before + sizeBytes);
    }
  return sizes;
}

function fetchesOf(
  assets: readonly WantedAsset[],
  deleted: ReadonlySet<string>,
  files: ReadonlySet<string>,
): readonly Fetch[] {
  const fetches = new Map<string, Fetch>();
  for (const asset of assets) {
    const { remoteId } = asset;
    if (deleted.has(remoteId)) continue;
    for (const { md5, sizeBytes } of fetchedFilesOf(asset)) {
      if (files.has(md5)) continue;
      const known = fetches.get(md5);
      fetches.set(md5, {
        ...{ md5, sizeBytes: known?.sizeBytes ?? sizeBytes },
        // The same bytes may stand in one app under two names.
        remoteIds: [...new Set(known?.remoteIds).add(remoteId)],
      });
    }
  }
  return [...fetches.values()];
}

function assetWrite(
  held: HeldAsset | undefined,
  wanted: AssetFacts,
  md5: string | null,
  { remoteId }: WantedAsset,
): AssetWrite | null {
  const known = { remoteId, applied: wanted, md5 };
  if (!held)
    return { ...known, isNew: true, change: wanted, isFileChanged: true };
  const isFileChanged = held.now !== null && held.md5 !== md5;
  const change =
    held.now === null
      ? {}
      : differing(held.now, mergedFacts(held.applied, held.now, wanted));
  if (
    isEmpty(change) &&
    !isFileChanged &&
    isEqual<unknown>(held.applied, wanted)
  )
    return null;
  return { ...known, isNew: false, change, isFileChanged };
}

function playlistWrite(
  held: HeldPlaylist | undefined,
  wanted: PlaylistFacts,
  remoteId: string,
  deleted: ReadonlySet<string>,
): PlaylistWrite | null {
  const known = { remoteId, applied: wanted };
  if (!held) return { ...known, isNew: true, change: wanted };
  // What an asset took with it when it was deleted here is no change of the playlist.
  const applied = {
    ...held.applied,
    items: without(held.applied.items, deleted),
  };
  const change =
    held.now === null
      ? {}
      : differing(held.now, merged(applied, held.now, wanted));
  if (isEmpty(change) && isEqual<unknown>(held.applied, wanted)) return null;
  return { ...known, isNew: false, change };
}

function mergedFacts(
  applied: AssetFacts,
  now: AssetFacts,
  wanted: AssetFacts,
): AssetFacts {
  return {
    ...merged(applied, now, wanted),
    presentation: merged(
      applied.presentation,
      now.presentation,
      wanted.presentation,
    ),
    web: merged(applied.web, now.web, wanted.web),
  };
}

/** Each field as it is wanted, unless it was changed here. */
function merged<T extends object>(applied: T, now: T, wanted: T): T {
  const fields = Object.keys(wanted) as (keyof T)[];
  return Object.fromEntries(
    fields.map((field) => [
      field,
      isEqual(now[field], applied[field]) ? wanted[field] : now[field],
    ]),
  ) as T;
}

function differing<T extends object>(now: T, after: T): Partial<T> {
  const fields = Object.keys(after) as (keyof T)[];
  return Object.fromEntries(
    fields
      .filter((field) => !isEqual(now[field], after[field]))
      .map((field) => [field, after[field]]),
  ) as Partial<T>;
}

interface Named {
  readonly remoteId: string;
  readonly facts: { readonly name: string };
}

interface HeldName {
  readonly applied: { readonly name: string };
  readonly now: { readonly name: string } | null;
}

/** A taken name gets `-1`, `-2` … behind it; what was renamed here keeps its name before all others (V2-16). */
function uniqueNames(
  wanted: readonly Named[],
  held: ReadonlyMap<string, HeldName>,
  takenElsewhere: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const taken = new Set(takenElsewhere);
  for (const { remoteId } of wanted) {
    const { now, applied } = held.get(remoteId) ?? {};
    if (now && now.name !== applied?.name) taken.add(now.name);
  }
  const names = new Map<string, string>();
  for (const { remoteId, facts } of wanted) {
    let name = facts.name;
    for (let number = 1; taken.has(name); number += 1)
      name = `${facts.name}-${number}`;
    taken.add(name);
    names.set(remoteId, name);
  }
  return names;
}

function without(
  items: readonly WantedItem[],
  deleted: ReadonlySet<string>,
): readonly WantedItem[] {
  return deleted.size === 0
    ? items
    : items.filter(({ assetId }) => !deleted.has(assetId));
}

function missing(
  held: readonly { readonly remoteId: string }[],
  wanted: readonly { readonly remoteId: string }[],
): readonly string[] {
  const known = new Set(wanted.map(({ remoteId }) => remoteId));
  return held
    .map(({ remoteId }) => remoteId)
    .filter((remoteId) => !known.has(remoteId));
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

/** Equal by structure; the order of an object's members means nothing. */
function isEqual<T>(a: T, b: T): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || !a || !b) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = Object.entries(a as object);
  const right = new Map(Object.entries(b as object));
  return (
    left.length === right.size &&
    left.every(
      ([key, value]) => right.has(key) && isEqual(value, right.get(key)),
    )
  );
}
