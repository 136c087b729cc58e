// An item of a playlist as the page shows it, and the actions on it.

import type { Asset } from "../../../../server/core/asset.ts";
import type { AssetView } from "../../api/asset-view.ts";
import type { PlaylistItemV2 } from "../../../../server/contract/v2/v2-playlists.ts";
import { t } from "../../../locales/messages.ts";
import { staySeconds } from "../../lineup/schedule-inputs.ts";

/** One item with everything that the page shows of it. */
export interface Entry {
  readonly id: string;
  readonly assetId: string;
  readonly name: string;
  /** Duration of the item itself. */
  readonly duration: number | null;
  /** How long it stays; null where only the file determines it. */
  readonly seconds: number | null;
  readonly view: AssetView | undefined;
}

/** Actions on items; each takes their ids. */
export interface ItemActions {
  readonly move: (from: number, to: number) => void;
  readonly add: (assetIds: readonly string[], place: number) => void;
  /** Returns whether it was accepted. */
  readonly time: (
    ids: ReadonlySet<string>,
    seconds: number | null,
  ) => Promise<boolean>;
  readonly takeOut: (ids: ReadonlySet<string>) => void;
}

const entries = new WeakMap<PlaylistItemV2, Entry>();

/** Returns the identical entry for an item as long as nothing of it changed. */
export function entryOf(
  item: PlaylistItemV2,
  asset: Asset | undefined,
  view: AssetView | undefined,
  streamSeconds: number,
): Entry {
  const { item_id: id, asset_id: assetId, duration } = item;
  const name = asset?.name ?? t("playlists.content.missing");
  const seconds = asset ? staySeconds(asset, duration, streamSeconds) : null;
  const cached = entries.get(item);
  if (
    cached?.view === view &&
    cached?.name === name &&
    cached.seconds === seconds
  )
    return cached;
  const entry = { id, assetId, duration, name, seconds, view };
  entries.set(item, entry);
  return entry;
}
