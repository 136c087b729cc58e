// The content of the fake content service: plain values that an operation changes, and what of them a screen of one label is to have.

/** `kiosk` is the label of this screen; `elsewhere` is another screen's. */
export const labels = ["all", "kiosk", "elsewhere"] as const;
export type Label = (typeof labels)[number];

export interface ServiceAsset {
  title: string;
  /** Index into the pictures of the model; null: a web page. */
  file: number | null;
  /** It lies in the asset group. */
  isGrouped?: boolean;
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

/** What a screen that follows the asset group is to have: its assets, each by itself. */
export function wantedOfGroup({ assets }: ServiceState): ServiceState {
  return {
    assets: new Map(
      [...assets].filter(([, { isGrouped }]) => isGrouped).sort(byId),
    ),
    playlists: new Map(),
  };
}

/** What a screen with these labels is to have: its playlists by identifier, and the assets in them. */
export function wantedBy(
  state: ServiceState,
  own: ReadonlySet<Label>,
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
    [...state.assets].filter(([id]) => used.has(id)).sort(byId),
  );
  return { assets, playlists };
}

function byId(
  [a]: readonly [string, unknown],
  [b]: readonly [string, unknown],
): number {
  return a < b ? -1 : 1;
}
