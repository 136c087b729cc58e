// An item of a playlist as the page shows it, and what can be done to it.

import type { AssetView } from "../../../../server/contract/ipc.ts";

/** One item with all that its places on the page show of it. */
export interface Entry {
  readonly id: string;
  readonly assetId: string;
  readonly name: string;
  /** Of the item itself. */
  readonly duration: number | null;
  /** How long it stays; null where only its bytes know. */
  readonly seconds: number | null;
  readonly view: AssetView | undefined;
}

/** What can be done to items; each takes their identifiers. */
export interface ItemActions {
  readonly move: (from: number, to: number) => void;
  readonly add: (assetId: string, place: number) => void;
  readonly time: (ids: ReadonlySet<string>, seconds: number | null) => void;
  readonly takeOut: (ids: ReadonlySet<string>) => void;
}
