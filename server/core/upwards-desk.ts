// What a link and a queue upwards are asked and tell: pairing, links, changes for the cloud, and the cloud's own rows.

import type { ChangeChoice, CloudChange } from "./upwards.ts";

/** A player that waits to be claimed, or was. */
export interface PairingView {
  readonly baseUrl: string;
  readonly state: "waiting" | "claimed" | "ended";
  /** To be typed by a person at the service; null unless it waits. */
  readonly pin: string | null;
  readonly pinEndsAt: number | null;
  /** Of the claimed screen; before that, of the account whose screen was deleted. */
  readonly accountId: string | null;
  /** Why it does not get on, in a sentence. */
  readonly problem: string | null;
}

/** How an account that was made by a pin is in touch with its service. */
export interface LinkView {
  readonly accountId: string;
  readonly screenId: string;
  readonly screenName: string | null;
  readonly isHeard: boolean;
  readonly lastHeardAt: number | null;
  /** Shown and not told the service yet. */
  readonly playsWaiting: number;
  readonly problem: string | null;
}

export interface LinkDesk {
  pairing(): PairingView | null;
  /** Registers at this service as a player that waits. Throws a Failure that says why not. */
  pair(baseUrl: string): Promise<PairingView>;
  endPairing(): Promise<void>;
  links(): readonly LinkView[];
  onPairing(listener: () => void): () => void;
}

/** Rows of the cloud, the same whichever version it speaks. */
export interface CloudPage {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** What to ask for the rows behind these; null at the end. */
  readonly next: string | null;
}

export interface CloudPageWish {
  readonly after: string | null;
  readonly limit: number;
}

export interface UpwardsDesk {
  /** In the order in which they are sent; what is done stays for a while. Throws `not-found`. */
  changes(accountId: string): readonly CloudChange[];
  /** Throws `invalid` with sentences by field. */
  add(accountId: string, wish: unknown): CloudChange;
  /** Sends a refused one again, or one in conflict as it was chosen. */
  retry(
    accountId: string,
    changeId: string,
    choice: ChangeChoice | null,
  ): CloudChange;
  drop(accountId: string, changeId: string): void;
  /** Throws `not-found` for a collection that this version does not have. */
  read(
    accountId: string,
    collection: string,
    wish: CloudPageWish,
  ): Promise<CloudPage>;
}

/** What a plan on a stick is taken in with. */
export interface PlanImportWish {
  /** The account that it goes into; without one, one of its own. */
  readonly accountId?: string | undefined;
  /** This fingerprint is trusted from now on. */
  readonly trust?: string | undefined;
}

export interface PlanImported {
  readonly accountId: string;
  readonly from: string;
  readonly madeAt: number;
  readonly fingerprint: string;
  readonly assets: number;
  readonly playlists: number;
  readonly files: number;
  readonly bytes: number;
}
