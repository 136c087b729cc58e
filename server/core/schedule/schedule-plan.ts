// Prepares the library for the schedule: playlists in order and by priority, and what could play in each.

import { edgesOfAsset, isHere, type Asset } from "../asset.ts";
import { createEdgeTable, type Edges, type EdgeTable } from "../edges.ts";
import type { Playlist, Transition } from "../playlist.ts";
import {
  neverPredicate,
  parsePredicate,
  type Predicate,
} from "../predicate/predicate.ts";
import {
  createPredicateSet,
  type PredicateSet,
} from "../predicate/predicate-set.ts";
import { wallClockOf, type WallClock } from "../wall-clock.ts";
import { priorityLevelsOf } from "./priority-levels.ts";

/** Input of a schedule. */
export interface ScheduleInput {
  readonly assets: readonly Asset[];
  readonly playlists: readonly Playlist[];
  /** The screen's zone, an IANA name. */
  readonly zone: string;
  /** The groups this screen is in. */
  readonly groups: readonly string[];
  /** Quarantined assets by id, until this moment, or until they change (null). */
  readonly quarantine?: ReadonlyMap<string, number | null>;
}

/** One entry of the lineup. */
export interface LineupEntry {
  /** The asset's id in the local playlist, the item's id in any other: an asset may have several entries. */
  readonly id: string;
  readonly asset: Asset;
  /** Null: the local playlist. */
  readonly playlistId: string | null;
  /** The item's own; null uses the asset's. */
  readonly durationSeconds: number | null;
  /** The playlist's; null uses the player's setting. */
  readonly transition: Transition | null;
}

/** An asset and when it can play, whatever playlist it is in. */
export interface Part {
  readonly kind: "asset";
  /** Its index in `Plan.parts`. */
  readonly index: number;
  readonly asset: Asset;
  /** Its dates, open ones as -Infinity and Infinity. */
  readonly startsAt: number;
  readonly endsAt: number;
  /** With everything but its hours considered, it can play from here to before `endsAt`; Infinity: never. */
  readonly opensAt: number;
  /** -Infinity: not in quarantine. */
  readonly quarantinedUntil: number;
  /** The playlists it is in; one that contains it twice is listed twice. */
  readonly playlists: PlannedPlaylist[];
}

export interface PlannedEntry {
  readonly id: string;
  readonly assetId: string;
  /** Null: the library has no such asset (yet). */
  readonly part: Part | null;
  /** Null with it. */
  readonly entry: LineupEntry | null;
}

export interface PlannedPlaylist {
  readonly kind: "playlist";
  /** Its index in `Plan.playlists`. */
  readonly index: number;
  /** Null: the local one. */
  readonly playlist: Playlist | null;
  readonly playlistId: string | null;
  readonly name: string;
  readonly priority: number;
  readonly predicate: Predicate;
  readonly isEnabled: boolean;
  readonly isForThisScreen: boolean;
  readonly plannedEntries: readonly PlannedEntry[];
}

/** Playlists of all levels in contiguous arrays: the data used most often is adjacent in memory. */
export interface FlatPlan {
  readonly predicates: PredicateSet;
  /** Start of each playlist's entries; one more element ends the last. */
  readonly entryStarts: Int32Array;
  /** For each entry the index of its part in `Plan.parts`. */
  readonly parts: Int32Array;
  readonly entries: readonly LineupEntry[];
}

export interface Plan {
  readonly clock: WallClock;
  /** In lineup order. */
  readonly playlists: readonly PlannedPlaylist[];
  /** Those that time alone can make play: by priority, the highest first, each level in order. */
  readonly levels: readonly (readonly PlannedPlaylist[])[];
  readonly flat: FlatPlan;
  readonly parts: readonly Part[];
  /** Created on first use: what is due now does not need it. */
  edges(): EdgeTable<PlannedPlaylist | Part>;
}

/** The local playlist of assets: always true, of default priority, first in order (V2-94). */
export const localName = "local";

/** Groups that every screen is in. */
export const everyScreen: readonly string[] = ["all-screens", "all_screens"];

export function planOf(input: ScheduleInput): Plan {
  const { assets, zone, quarantine } = input;
  const clock = wallClockOf(zone);
  const listed = new Set(
    input.playlists.flatMap(({ items }) => items.map(({ assetId }) => assetId)),
  );
  const parts = assets.map((asset, index) =>
    partOf(asset, index, listed.has(asset.id), quarantine),
  );
  const partsById = new Map(parts.map((part) => [part.asset.id, part]));
  const read = predicateReader();
  const groups = new Set([...input.groups, ...everyScreen]);
  const playlists = [
    localPlaylist(parts, read("TRUE"), listed),
    ...[...input.playlists]
      .sort(byAge)
      .map((one, index) =>
        plannedPlaylist(one, index + 1, partsById, read(one.predicate), groups),
      ),
  ];
  const open = playlists.filter(canEverPlay);
  const levels = priorityLevelsOf(open);
  for (const playlist of open)
    for (const { part } of playlist.plannedEntries)
      part?.playlists.push(playlist);
  const used = parts.filter(
    ({ playlists: its, opensAt, endsAt }) => its.length > 0 && opensAt < endsAt,
  );
  let table: EdgeTable<PlannedPlaylist | Part> | null = null;
  return {
    clock,
    playlists,
    levels,
    flat: flatPlanOf(levels.flat()),
    parts,
    edges: () =>
      (table ??= createEdgeTable<PlannedPlaylist | Part>(
        [
          ...open.map((one) => [one, one.predicate.edges] as const),
          ...used.map((part) => [part, edgesOf(part)] as const),
        ],
        clock,
      )),
  };
}

/** An asset with open dates only plays in playlists; if it is in none, it never plays (V2-11, V2-94). */
function partOf(
  asset: Asset,
  index: number,
  isListed: boolean,
  quarantine: ScheduleInput["quarantine"],
): Part {
  const waitsUntil = quarantine?.get(asset.id);
  const quarantinedUntil =
    waitsUntil === undefined ? -Infinity : (waitsUntil ?? Infinity);
  const isNever = !isListed && !isDated(asset);
  const startsAt = isNever ? Infinity : (asset.startsAt ?? -Infinity);
  const endsAt = asset.endsAt ?? Infinity;
  const isReady = asset.isEnabled && isHere(asset);
  return {
    ...{ kind: "asset", index, asset, startsAt, endsAt },
    opensAt: isReady ? Math.max(startsAt, quarantinedUntil) : Infinity,
    ...{ quarantinedUntil, playlists: [] },
  };
}

function isDated({ startsAt, endsAt }: Asset): boolean {
  return startsAt !== null && endsAt !== null;
}

function edgesOf({ asset, quarantinedUntil }: Part): Edges {
  const { timesMs, days, moments } = edgesOfAsset(asset);
  return { timesMs, days, moments: [...moments, quarantinedUntil] };
}

/** The local playlist: without assets made for playlists only, and without assets that have no dates and are in a playlist. */
function localPlaylist(
  parts: readonly Part[],
  predicate: Predicate,
  listed: ReadonlySet<string>,
): PlannedPlaylist {
  const plannedEntries = parts
    .filter(
      ({ asset }) =>
        !asset.isPlaylistOnly && (isDated(asset) || !listed.has(asset.id)),
    )
    .sort((a, b) => a.asset.playOrder - b.asset.playOrder)
    .map((part): PlannedEntry => {
      const { asset } = part;
      const entry: LineupEntry = {
        ...{ id: asset.id, asset, playlistId: null },
        ...{ durationSeconds: null, transition: null },
      };
      return { id: asset.id, assetId: asset.id, part, entry };
    });
  return {
    ...{ kind: "playlist", index: 0, playlist: null, playlistId: null },
    ...{ name: localName, priority: 0, predicate, plannedEntries },
    ...{ isEnabled: true, isForThisScreen: true },
  };
}

function plannedPlaylist(
  playlist: Playlist,
  index: number,
  parts: ReadonlyMap<string, Part>,
  predicate: Predicate,
  screenGroups: ReadonlySet<string>,
): PlannedPlaylist {
  const { id: playlistId, name, priority, isEnabled, groups } = playlist;
  const plannedEntries = playlist.items.map(
    ({ id, assetId, durationSeconds }): PlannedEntry => {
      const part = parts.get(assetId) ?? null;
      const { transition } = playlist;
      const entry = part && {
        ...{ id, asset: part.asset, playlistId },
        ...{ durationSeconds, transition },
      };
      return { id, assetId, part, entry };
    },
  );
  return {
    ...{ kind: "playlist", index, playlist, playlistId, name, priority },
    ...{ predicate, isEnabled, plannedEntries },
    isForThisScreen:
      groups.length === 0 || groups.some((group) => screenGroups.has(group)),
  };
}

function byAge(a: Playlist, b: Playlist): number {
  return a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
}

function canEverPlay(playlist: PlannedPlaylist): boolean {
  return (
    playlist.isEnabled &&
    playlist.isForThisScreen &&
    playlist.plannedEntries.some(
      ({ part }) => part && part.opensAt < part.endsAt,
    )
  );
}

function flatPlanOf(playlists: readonly PlannedPlaylist[]): FlatPlan {
  const entryStarts = new Int32Array(playlists.length + 1);
  const parts: number[] = [];
  const entries: LineupEntry[] = [];
  for (const [index, { plannedEntries }] of playlists.entries()) {
    for (const { part, entry } of plannedEntries) {
      if (!part || !entry) continue;
      parts.push(part.index);
      entries.push(entry);
    }
    entryStarts[index + 1] = parts.length;
  }
  const programs = playlists.map(({ predicate }) => predicate.program);
  const predicates = createPredicateSet(programs);
  return { predicates, entryStarts, parts: Int32Array.from(parts), entries };
}

/** Equal predicates are parsed once; one that cannot be parsed is never true. */
function predicateReader(): (text: string) => Predicate {
  const cache = new Map<string, Predicate>();
  return (text) => {
    const before = cache.get(text);
    if (before) return before;
    const predicate = parsePredicate(text).predicate ?? neverPredicate(text);
    cache.set(text, predicate);
    return predicate;
  };
}
