// Plans a sync: compares what a content service wants with what is here, local changes included, and returns what to download, write
// and remove.

import { eachIn, indexIn, inOneGo, mapIn, type Sliced } from "../slices.ts";
import type { PlanEntry, PlanView } from "./sync-state.ts";
import {
  completeOf,
  fetchedFilesOf,
  filesOfAsset,
  itemsOf,
  localItem,
  type Arrival,
  type AssetFacts,
  type PlaylistFacts,
  type DesiredContent,
  type DesiredAsset,
  type DesiredFile,
  type DesiredItem,
  type DesiredPlaylist,
} from "./desired-content.ts";

/** An asset received from a content service, as it is in the library. */
export interface HeldAsset {
  readonly remoteId: string;
  /** As the service wanted it when it was last applied. */
  readonly applied: AssetFacts;
  /** Its current state; null if it does not exist. */
  readonly now: AssetFacts | null;
  /** MD5 of the bytes it shows; null if it has none. */
  readonly md5: string | null;
}

export interface HeldPlaylist {
  readonly remoteId: string;
  readonly applied: PlaylistFacts;
  readonly now: PlaylistFacts | null;
}

/** Content received through one connection so far. */
export interface Held {
  readonly assets: readonly HeldAsset[];
  readonly playlists: readonly HeldPlaylist[];
  readonly changedAssets: AllLocalChanges;
  readonly changedPlaylists: AllLocalChanges;
  /** All other content of the library, which keeps its names: names by identifier. */
  readonly otherAssets: ReadonlyMap<string, string>;
  readonly otherPlaylists: ReadonlyMap<string, string>;
  /** A local identifier is this prefix and the service's: some of the content above may become the service's again. */
  readonly idPrefix: string;
  /** MD5 of every verified file on disk. */
  readonly files: Pick<ReadonlySet<string>, "has">;
}

export interface AssetWrite {
  readonly remoteId: string;
  readonly isNew: boolean;
  /** What differs from the current state; everything for a new one. */
  readonly change: Partial<AssetFacts>;
  /** Recorded as applied from now on. */
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

export interface Fetch extends DesiredFile {
  /** The assets that show it. */
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
 * Computes what makes the library show what the service wants. Local changes stay, field by field (V2-560); what was deleted here
 * stays deleted (V2-562); content of no service is not touched. Planning again after applying the result yields nothing.
 */
export function planSync(desired: DesiredContent, held: Held): SyncPlan {
  return inOneGo(planSliced(desired, held));
}

export function* planSliced(
  desired: DesiredContent,
  held: Held,
): Sliced<SyncPlan> {
  const assets = yield* kept(desired.assets, held.changedAssets);
  const playlists = yield* kept(desired.playlists, held.changedPlaylists);
  return {
    fetch: yield* fetchSliced(desired, held),
    assets: yield* assetWrites(assets, held),
    playlists: yield* playlistWrites(playlists, assets, held),
    forgetAssets: yield* missing(held.assets, desired.assets),
    forgetPlaylists: yield* missing(held.playlists, desired.playlists),
  };
}

/** Content that was not deleted here. */
function* kept<T extends { readonly remoteId: string }>(
  list: readonly T[],
  changes: AllLocalChanges,
): Sliced<readonly T[]> {
  if (changes.size === 0) return list;
  return yield* mapIn(list, (one) =>
    changesOf(changes, one.remoteId).isDeleted ? null : one,
  );
}

/** What was deleted here is never downloaded and holds up nothing; what was replaced here needs no file. */
export function arrivalHere(
  held: Held,
  arrivalOf: (asset: DesiredAsset) => Arrival,
): (asset: DesiredAsset) => Arrival {
  if (held.changedAssets.size === 0) return arrivalOf;
  let shown: ReadonlySet<string> | null = null;
  const isShown = (id: string): boolean =>
    (shown ??= new Set(
      held.assets
        .filter(({ now }) => now !== null)
        .map(({ remoteId }) => remoteId),
    )).has(id);
  return (asset) => {
    const changes = held.changedAssets.get(asset.remoteId);
    if (changes?.isDeleted) return "never";
    return changes && hasLocalSource(changes) && isShown(asset.remoteId)
      ? "here"
      : arrivalOf(asset);
  };
}

/** Nothing to write and nothing to forget; downloads alone change nothing. */
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

/** What waits to be applied, as people read it. */
export function planViewOf(
  waiting: Pick<PlanView, "connectionId" | "planId" | "seenAt" | "hold">,
  desired: {
    readonly content: DesiredContent;
    readonly unreadable: ReadonlySet<string>;
    readonly places?: ReadonlyMap<string, number>;
  },
  current: DesiredContent,
  held: Held,
): PlanView {
  const content = completeOf(
    ...([desired.content, current] as const),
    () => "here",
    ...([desired.unreadable, desired.places] as const),
  );
  const plan = planSync(content, held);
  const entries = entriesOf(plan, content, held);
  const count = (action: PlanEntry["action"]): number =>
    entries.filter((entry) => entry.action === action).length;
  return {
    ...{ ...waiting, entries },
    adds: count("add"),
    changes: count("change"),
    removes: count("remove"),
    bytes: plan.fetch.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0),
  };
}

/**
 * The content of an earlier plan without what has become this player's own since: that is not taken over, and the playlists of the
 * plan show it as local content (V2-836).
 */
export function withoutOwn(
  { assets, playlists }: DesiredContent,
  { idPrefix, otherAssets, otherPlaylists }: Held,
): DesiredContent {
  const isOwnAsset = (remoteId: string): boolean =>
    otherAssets.has(idPrefix + remoteId);
  const itemHere = (item: DesiredItem): DesiredItem =>
    isOwnAsset(item.assetId)
      ? { ...item, assetId: localItem + idPrefix + item.assetId }
      : item;
  return {
    assets: assets.filter(({ remoteId }) => !isOwnAsset(remoteId)),
    playlists: playlists
      .filter(({ remoteId }) => !otherPlaylists.has(idPrefix + remoteId))
      .map(({ remoteId, facts }) => ({
        remoteId,
        facts: { ...facts, items: facts.items.map(itemHere) },
      })),
  };
}

/** The plan as people read it. */
export function entriesOf(
  plan: SyncPlan,
  desired: DesiredContent,
  held: Held,
): readonly PlanEntry[] {
  const sizes = sizesOf(plan.fetch);
  const fetched = new Set(sizes.keys());
  const written = new Set(plan.assets.map(({ remoteId }) => remoteId));
  const heldAssets = new Map(held.assets.map((one) => [one.remoteId, one]));
  const heldPlaylists = new Map(
    held.playlists.map((one) => [one.remoteId, one]),
  );
  const entry = (
    what: PlanEntry["what"],
    action: PlanEntry["action"],
    remoteId: string,
    name: string,
  ): PlanEntry => ({
    ...{ what, action, remoteId, name },
    bytes: what === "asset" ? (sizes.get(remoteId) ?? null) : null,
  });
  const nameOf = (
    all: ReadonlyMap<string, HeldAsset | HeldPlaylist>,
    id: string,
  ): string => all.get(id)?.applied.name ?? id;
  const waiting = desired.assets.filter(
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
      .map((id) => entry("asset", "remove", id, nameOf(heldAssets, id))),
    ...plan.forgetPlaylists.map((id) =>
      entry("playlist", "remove", id, nameOf(heldPlaylists, id)),
    ),
  ];
}

/** Bytes to download for each asset; null if unknown. */
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

/** Missing files of content that was not deleted here. */
export function* fetchSliced(
  desired: DesiredContent,
  held: Held,
): Sliced<readonly Fetch[]> {
  const fetches = new Map<string, Fetch & { readonly remoteIds: string[] }>();
  const arrivalOf = arrivalHere(held, () => "coming");
  yield* eachIn(
    desired.assets,
    (asset) => {
      if (arrivalOf(asset) !== "coming") return;
      const { remoteId } = asset;
      for (const { md5, sizeBytes } of fetchedFilesOf(asset)) {
        if (held.files.has(md5)) continue;
        const known = fetches.get(md5);
        const remoteIds = known?.remoteIds ?? [];
        // An app may contain the same bytes under two names.
        if (remoteIds.at(-1) !== remoteId) remoteIds.push(remoteId);
        const size = known?.sizeBytes ?? sizeBytes;
        fetches.set(md5, { md5, sizeBytes: size, remoteIds });
      }
    },
    filesIn,
  );
  return [...fetches.values()];
}

/** It takes as much work as it has files. */
function filesIn({ app }: DesiredAsset): number {
  return 1 + (app?.files.length ?? 0);
}

function* assetWrites(
  assets: readonly DesiredAsset[],
  held: Held,
): Sliced<readonly AssetWrite[]> {
  const known = yield* indexIn(held.assets, ({ remoteId }) => remoteId);
  const names = yield* uniqueNames(
    ...([assets, held.changedAssets, held.otherAssets] as const),
    held.idPrefix,
  );
  return yield* mapIn(
    assets,
    (asset) => {
      const { remoteId } = asset;
      const { target, applied } = named(asset, held.changedAssets, names);
      const isHere = filesOfAsset(asset).every(({ md5 }) =>
        held.files.has(md5),
      );
      const md5 = isHere ? (asset.file?.md5 ?? null) : null;
      const one = known.get(remoteId);
      const changes = changesOf(held.changedAssets, remoteId);
      return assetWrite(one, { remoteId, target, applied, md5 }, changes);
    },
    filesIn,
  );
}

interface AssetTarget {
  readonly remoteId: string;
  readonly target: AssetFacts;
  readonly applied: AssetFacts;
  readonly md5: string | null;
}

function assetWrite(
  held: HeldAsset | undefined,
  { remoteId, target, applied, md5 }: AssetTarget,
  changes: LocalChanges,
): AssetWrite | null {
  const known = { remoteId, applied };
  if (!held?.now)
    return { ...known, md5, isNew: true, change: target, isFileChanged: true };
  const { now } = held;
  const isLocalFile = hasLocalSource(changes);
  const localFields = isLocalFile
    ? { uri: now.uri, mimetype: now.mimetype }
    : {};
  const isFileChanged = !isLocalFile && held.md5 !== md5;
  const isApplied = isCachedEqual(held.applied, applied);
  if (!isLocalFile && !isFileChanged && isApplied && isCachedEqual(now, target))
    return null;
  const change = differing(now, { ...target, ...localFields });
  if (isEmpty(change) && !isFileChanged && isApplied) return null;
  const shown = isLocalFile ? held.md5 : md5;
  return { ...known, md5: shown, isNew: false, change, isFileChanged };
}

function* playlistWrites(
  playlists: readonly DesiredPlaylist[],
  assets: readonly DesiredAsset[],
  held: Held,
): Sliced<readonly PlaylistWrite[]> {
  const known = yield* indexIn(held.playlists, ({ remoteId }) => remoteId);
  const names = yield* uniqueNames(
    ...([playlists, held.changedPlaylists, held.otherPlaylists] as const),
    held.idPrefix,
  );
  const there = yield* indexIn(assets, ({ remoteId }) => remoteId);
  const isThere = ({ assetId }: DesiredItem): boolean =>
    assetId.startsWith(localItem)
      ? held.otherAssets.has(assetId.slice(localItem.length))
      : there.has(assetId);
  return yield* mapIn(
    playlists,
    (playlist) => {
      const all = named(playlist, held.changedPlaylists, names);
      const target = withItems(all.target, isThere);
      const applied = withItems(all.applied, isThere);
      const write = { remoteId: playlist.remoteId, applied };
      const before = known.get(playlist.remoteId);
      if (!before?.now) return { ...write, isNew: true, change: target };
      const isApplied = isCachedEqual(before.applied, applied);
      if (isApplied && isCachedEqual(before.now, target)) return null;
      const change = differing(before.now, target);
      return isEmpty(change) && isApplied
        ? null
        : { ...write, isNew: false, change };
    },
    itemsOf,
  );
}

function withItems(
  facts: PlaylistFacts,
  isThere: (item: DesiredItem) => boolean,
): PlaylistFacts {
  return facts.items.every(isThere)
    ? facts
    : { ...facts, items: facts.items.filter(isThere) };
}

/** Pairs that were found equal: plans are computed again and again from the same values, few of which have changed. */
const equalityCache = new WeakMap<object, object>();

function isCachedEqual(one: object, other: object): boolean {
  if (equalityCache.get(one) === other) return true;
  const isSame = isEqual(one, other);
  if (isSame) equalityCache.set(one, other);
  return isSame;
}

function differing<T extends object>(now: T, after: T): Partial<T> {
  const fields = Object.keys(after) as (keyof T)[];
  return Object.fromEntries(
    fields
      .filter((field) => !isEqual(now[field], after[field]))
      .map((field) => [field, after[field]]),
  ) as Partial<T>;
}

interface Named<Facts> {
  readonly remoteId: string;
  readonly facts: Facts;
}

/** The facts to store here, and the facts as the service wants them. */
function named<Facts extends AssetFacts | PlaylistFacts>(
  { remoteId, facts }: Named<Facts>,
  changes: AllLocalChanges,
  names: ReadonlyMap<string, string>,
): { readonly target: Facts; readonly applied: Facts } {
  const { fields } = changesOf(changes, remoteId);
  const name = names.get(remoteId) ?? facts.name;
  const applied = fields.has("name") ? facts : withName(facts, name);
  if (fields.size === 0) return { target: applied, applied };
  return { target: { ...withFields(facts, fields), name }, applied };
}

/** Returns the same object for the same name, as long as the desired state is unchanged. */
const numbered = new WeakMap<object, AssetFacts | PlaylistFacts>();

function withName<Facts extends AssetFacts | PlaylistFacts>(
  facts: Facts,
  name: string,
): Facts {
  if (facts.name === name) return facts;
  const known = numbered.get(facts);
  if (known?.name === name) return known as Facts;
  const after = { ...facts, name };
  numbered.set(facts, after);
  return after;
}

/**
 * A name that is taken gets `-1`, `-2` … appended (V2-16). Content renamed here keeps its name before all others, and is given no
 * other.
 */
function* uniqueNames(
  desired: readonly Named<{ readonly name: string }>[],
  changes: AllLocalChanges,
  others: ReadonlyMap<string, string>,
  idPrefix: string,
): Sliced<ReadonlyMap<string, string>> {
  const ids = yield* indexIn(desired, ({ remoteId }) => remoteId);
  const isDesired = (id: string): boolean =>
    id.startsWith(idPrefix) && ids.has(id.slice(idPrefix.length));
  const taken = new Set<string>();
  yield* eachIn(others, ([id, name]) => {
    if (!isDesired(id)) taken.add(name);
  });
  /** The first number that may be free: names are never released within a plan. */
  const next = new Map<string, number>();
  const names = new Map<string, string>();
  const give = (remoteId: string, desiredName: string): void => {
    let name = desiredName;
    if (taken.has(name)) {
      let number = next.get(desiredName) ?? 1;
      for (; taken.has(name); number += 1) name = `${desiredName}-${number}`;
      next.set(desiredName, number);
    }
    taken.add(name);
    names.set(remoteId, name);
  };
  if (changes.size > 0)
    yield* eachIn(desired, ({ remoteId }) => {
      const name = changesOf(changes, remoteId).fields.get("name");
      if (typeof name === "string") give(remoteId, name);
    });
  yield* eachIn(desired, ({ remoteId, facts }) => {
    if (!names.has(remoteId)) give(remoteId, facts.name);
  });
  return names;
}

function* missing(
  held: readonly { readonly remoteId: string }[],
  desired: readonly { readonly remoteId: string }[],
): Sliced<readonly string[]> {
  const known = yield* indexIn(desired, ({ remoteId }) => remoteId);
  return yield* mapIn(held, ({ remoteId }) =>
    known.has(remoteId) ? null : remoteId,
  );
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

/** Changes of one asset or playlist of a connection. */
export interface LocalChanges {
  /** It was deleted here, or is in the trash: it stays deleted. */
  readonly isDeleted: boolean;
  /** The values that were set, by field; nested fields as in `presentation.volume`. */
  readonly fields: ReadonlyMap<string, unknown>;
}

/** For each asset or playlist that was changed here, by the service's identifier. */
export type AllLocalChanges = ReadonlyMap<string, LocalChanges>;

/** The field for a replaced file or address of an asset; the asset itself contains which one. */
export const sourceField = "source";

const unchanged: LocalChanges = { isDeleted: false, fields: new Map() };

export function changesOf(
  all: AllLocalChanges,
  remoteId: string,
): LocalChanges {
  return all.get(remoteId) ?? unchanged;
}

function hasLocalSource({ fields }: LocalChanges): boolean {
  return fields.has(sourceField);
}

/** Parts of an asset whose fields are changed one by one. */
const parts: ReadonlySet<string> = new Set(["presentation", "web"]);
/** These belong together and are changed as `source`. */
const ofSource: ReadonlySet<string> = new Set(["uri", "mimetype"]);

/** Everything that can be changed separately, by field name. */
export function fieldsOf(
  facts: AssetFacts | PlaylistFacts,
): ReadonlyMap<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const [name, value] of Object.entries(facts) as [string, unknown][]) {
    if (ofSource.has(name) || name === "createdAt") continue;
    if (!parts.has(name)) fields.set(name, value);
    else
      for (const [part, own] of Object.entries(value as object))
        fields.set(`${name}.${part}`, own);
  }
  return fields;
}

/** The facts with the local values of the changed fields. */
export function withFields<Facts extends AssetFacts | PlaylistFacts>(
  facts: Facts,
  fields: ReadonlyMap<string, unknown>,
): Facts {
  const after: Record<string, unknown> = { ...facts };
  for (const [name, value] of fields) {
    const [field = "", part] = name.split(".");
    if (!(field in facts)) continue;
    after[field] =
      part === undefined
        ? value
        : { ...(after[field] as object), [part]: value };
  }
  return after as unknown as Facts;
}

/** Structural equality; the order of an object's members is ignored. */
export function isEqual<T>(a: T, b: T): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || !a || !b) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = Object.entries(a);
  const right = Object.keys(b);
  return (
    left.length === right.length &&
    left.every(
      ([key, value]) =>
        key in (b as object) &&
        isEqual(value, (b as Record<string, unknown>)[key]),
    )
  );
}
