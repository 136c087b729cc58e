// Content of the fake content service: plain values that an operation changes, and what a screen of one label should have of them.

import type {
  AllAssetsMode,
  CloudVersion,
} from "../../../../../server/core/sync-plan/sync-state.ts";

/**
 * `kiosk` is the label of this screen; `elsewhere` is another screen's; `lookalike` has the name of the built-in one. `paired` is
 * the group that contains the screen of a version 3 connection.
 */
export const labels = [
  ...["all", "kiosk", "elsewhere", "lookalike", "paired"],
] as const;
export type Label = (typeof labels)[number];

export interface ServiceApp {
  /** The value of its one setting. */
  readonly greeting: string;
  /** Indices of its entry page, and of two files of one base name in two folders. */
  readonly page: number;
  readonly files: readonly [number, number];
  /** The service lists all files of its revision. */
  readonly isListed: boolean;
  readonly revision: number;
}

export interface ServiceAsset {
  title: string;
  /** Index into the images of the model; null: a web page, or an app. */
  file: number | null;
  app?: ServiceApp;
  /** Whether it is in the asset group. */
  isGrouped?: boolean;
  /** Only where it is wanted: it comes without a playlist, into the library or the rotation, too. */
  alone?: "library" | "rotation";
  /** Of a document: which of its pages are shown. */
  pages?: readonly boolean[];
}

export interface ServiceItem {
  readonly id: number;
  asset: string;
  seconds: number;
}

export interface ServicePlaylist {
  title: string;
  predicate: string;
  isEnabled: boolean;
  isPriority: boolean;
  transitions: boolean;
  createdAt: number;
  items: ServiceItem[];
  labels: Set<Label>;
}

/** By the service's identifiers. */
export interface ServiceState {
  assets: Map<string, ServiceAsset>;
  playlists: Map<string, ServicePlaylist>;
}

export function emptyService(): ServiceState {
  return { assets: new Map(), playlists: new Map() };
}

export function copyOf(state: ServiceState): ServiceState {
  return structuredClone(state);
}

export const groupTitle = "Foyer";

/** What a screen that follows the asset group should have: its assets, each by itself. */
export function desiredOfGroup({ assets }: ServiceState): ServiceState {
  return {
    assets: new Map(
      [...assets].filter(([, { isGrouped }]) => isGrouped).sort(byId),
    ),
    playlists: new Map(),
  };
}

/**
 * No player knows what it means. */
export const unreadablePredicate = "$TIDE > 3";

/** What a screen with these labels should have: its playlists by identifier, and the assets in them; or all assets, those in no
 * playlist by themselves.
 */
export function desiredBy(
  state: ServiceState,
  own: ReadonlySet<Label>,
  allAssets: AllAssetsMode = "off",
): ServiceState {
  const playlists = new Map(
    [...state.playlists]
      .filter(([, { labels: its }]) => [...its].some((one) => own.has(one)))
      .sort(byId),
  );
  const used = new Set(
    [...playlists.values()].flatMap(({ items }) =>
      items.map(({ asset }) => asset),
    ),
  );
  const assets = new Map(
    [...state.assets]
      .filter(([id]) => allAssets !== "off" || used.has(id))
      .map(([id, asset]): [string, ServiceAsset] => {
        if (allAssets === "off") return [id, asset];
        return [id, { ...asset, alone: used.has(id) ? "library" : allAssets }];
      })
      .sort(byId),
  );
  return { assets, playlists };
}

function byId(
  [a]: readonly [string, unknown],
  [b]: readonly [string, unknown],
): number {
  return a < b ? -1 : 1;
}

/**
 * An app whose contents cannot be listed stays as it was; where it was never installed, playlists play without it. A playlist whose
 * predicate cannot be read stays as it was, with the assets that only it has; where it was never shown, it is missing.
 */
export function reportedPart(
  state: ServiceState,
  before: ServiceState,
  version: CloudVersion,
): ServiceState {
  const assets = new Map(state.assets);
  for (const [id, { app }] of state.assets) {
    if (app?.isListed !== false) continue;
    const known = before.assets.get(id);
    if (known) assets.set(id, known);
    else assets.delete(id);
  }
  const readable = [...state.playlists].filter(([, list]) => isReadable(list));
  const fresh = readable.map(([id, list]): [string, ServicePlaylist] => [
    id,
    { ...list, items: list.items.filter(({ asset }) => assets.has(asset)) },
  ]);
  if (fresh.length === state.playlists.size)
    return { assets, playlists: new Map(fresh) };
  const kept = [...before.playlists].flatMap(
    ([id, list]): readonly [string, ServicePlaylist][] => {
      const now = state.playlists.get(id);
      if (now === undefined || isReadable(now)) return [];
      // Version 3 reports the order of its list, whether it can be read or not.
      const { createdAt } = version === "v3" ? now : list;
      return [[id, { ...list, createdAt }]];
    },
  );
  const used = new Set(
    fresh.flatMap(([, { items }]) => items.map(({ asset }) => asset)),
  );
  const shown = new Map(
    [...assets].filter(
      ([id, { alone }]) => used.has(id) || alone !== undefined,
    ),
  );
  for (const [, { items }] of kept)
    for (const { asset } of items) {
      const known = before.assets.get(asset);
      if (known && !used.has(asset)) shown.set(asset, known);
    }
  return {
    assets: new Map([...shown].sort(byId)),
    playlists: new Map([...fresh, ...kept].sort(byId)),
  };
}

function isReadable({ predicate }: ServicePlaylist): boolean {
  return predicate !== unreadablePredicate;
}

export function isFullyReported({ assets, playlists }: ServiceState): boolean {
  return (
    [...assets.values()].every(({ app }) => app?.isListed !== false) &&
    [...playlists.values()].every(isReadable)
  );
}
