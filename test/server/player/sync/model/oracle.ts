// The naive oracle: what the player must have, from what the service wants and what a person changed here.

import type {
  ServiceApp,
  ServiceAsset,
  ServiceState,
} from "./service-state.ts";
import { bytesAt, filesOfApp } from "./fake-service.ts";
import type { CloudVersion } from "../../../../../server/core/sync-plan/sync-state.ts";

/** Local changes of one asset or playlist of the service, by field, until they are discarded. */
export interface LocalEdit {
  readonly fields: Map<string, unknown>;
  away: "trash" | "deleted" | null;
}

export interface ItemHere {
  /** The service's identifier, or that of this player. */
  readonly asset: string;
  readonly seconds: number | null;
}

export interface AppHere {
  readonly greeting: string | undefined;
  /** SHA-256 by path. */
  readonly files: Readonly<Record<string, string>>;
}

export interface AssetHere {
  readonly name: string;
  readonly isEnabled: boolean;
  readonly seconds: number;
  readonly dates: string;
  /** SHA-256 of the bytes; null: none, or an app. */
  readonly hash: string | null;
  readonly app: AppHere | null;
  /** Of a document, the pages shown; null: all. */
  readonly pages: readonly number[] | null;
}

export interface PlaylistHere {
  readonly name: string;
  readonly predicate: string;
  readonly isEnabled: boolean;
  readonly priority: number;
  readonly transition: string | null;
  readonly items: readonly ItemHere[];
}

export interface Here {
  /** By the service's identifier. */
  readonly assets: Readonly<Record<string, AssetHere>>;
  readonly playlists: Readonly<Record<string, PlaylistHere>>;
  /** Playlists in playback order. */
  readonly order: readonly string[];
}

export interface OracleInput {
  readonly desired: ServiceState;
  readonly edits: ReadonlyMap<string, LocalEdit>;
  readonly version: CloudVersion;
  /** Assets play each by itself, without a playlist. */
  readonly isListedAlone?: boolean;
  /** Names of everything else here. */
  readonly otherAssetNames: ReadonlySet<string>;
  readonly otherPlaylistNames: ReadonlySet<string>;
  /** Identifiers of everything else here. */
  readonly otherAssets: ReadonlySet<string>;
}

const noEdit: LocalEdit = { fields: new Map(), away: null };

export function expectedHere(input: OracleInput): Here {
  const { desired, edits, version } = input;
  const editOf = (id: string): LocalEdit => edits.get(id) ?? noEdit;
  const isHere = (id: string): boolean => editOf(id).away === null;
  const assets = [...desired.assets].filter(([id]) => isHere(id));
  const playlists = [...desired.playlists].filter(([id]) => isHere(id));
  const assetNames = names(assets, editOf, input.otherAssetNames);
  const playlistNames = names(playlists, editOf, input.otherPlaylistNames);
  const defaultDates = ({ alone }: ServiceAsset): string =>
    input.isListedAlone || alone === "rotation"
      ? `0-${Date.UTC(9999, 0, 1)}`
      : "-";
  const has = (id: string): boolean =>
    input.otherAssets.has(id) || assets.some(([known]) => known === id);
  return {
    assets: Object.fromEntries(
      assets.map(([id, asset]) => {
        const { fields } = editOf(id);
        const file = (fields.get("file") ?? asset.file) as number | null;
        const reported = version === "v4.1" ? (asset.pages ?? []) : [];
        const shown = reported.flatMap((on, place) => (on ? [place + 1] : []));
        const isShown = reported.length === 0 || shown.length > 0;
        return [
          id,
          {
            name: assetNames.get(id) ?? "",
            isEnabled: (fields.get("isEnabled") ?? isShown) as boolean,
            seconds: (fields.get("seconds") ?? 10) as number,
            dates: (fields.get("dates") ?? defaultDates(asset)) as string,
            app: asset.app ? appHere(asset.app) : null,
            hash: file === null ? null : (bytesAt(file)?.hash ?? ""),
            pages: shown.length % reported.length > 0 ? shown : null,
          },
        ];
      }),
    ),
    playlists: Object.fromEntries(
      playlists.map(([id, list]) => {
        const { fields } = editOf(id);
        const theirs = list.items.map(({ asset, seconds }) => ({
          ...{ asset, seconds },
        }));
        const items = (fields.get("items") ?? theirs) as readonly ItemHere[];
        return [
          id,
          {
            name: playlistNames.get(id) ?? "",
            predicate: (fields.get("predicate") ?? list.predicate) as string,
            isEnabled: (fields.get("isEnabled") ?? list.isEnabled) as boolean,
            priority: Number(list.isPriority),
            transition:
              version === "v3" ? null : list.transitions ? "cross-fade" : "cut",
            items: items.filter(({ asset }) => has(asset)),
          },
        ];
      }),
    ),
    order: playlists
      .sort(
        ([a, one], [b, other]) =>
          one.createdAt - other.createdAt || (a < b ? -1 : 1),
      )
      .map(([id]) => id),
  };
}

function appHere(app: ServiceApp): AppHere {
  const files = Object.entries(filesOfApp(app));
  return {
    greeting: app.greeting,
    files: Object.fromEntries(
      files.map(([path, file]) => [path, bytesAt(file)?.hash ?? ""]),
    ),
  };
}

/** A name in use gets the first free number; items renamed here come first. */
function names(
  desired: readonly (readonly [string, { readonly title: string }])[],
  editOf: (id: string) => LocalEdit,
  others: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const taken = new Set(others);
  const given = new Map<string, string>();
  const give = (id: string, desiredName: string): void => {
    let name = desiredName;
    for (let number = 1; taken.has(name); number += 1)
      name = `${desiredName}-${number}`;
    taken.add(name);
    given.set(id, name);
  };
  const renamed = (id: string): unknown => editOf(id).fields.get("name");
  for (const [id] of desired)
    if (renamed(id) !== undefined) give(id, renamed(id) as string);
  for (const [id, { title }] of desired)
    if (renamed(id) === undefined) give(id, title);
  return given;
}
