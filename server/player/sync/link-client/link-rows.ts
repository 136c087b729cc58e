// What a link needs of the player: its own rows, and what was shown; whoever starts it hands one over.

/** One showing of what an account brought. */
export interface ShownPlay {
  readonly number: number;
  readonly id: string;
  /** Ours, as the player names them. */
  readonly assetId: string;
  readonly playlistId: string | null;
  readonly startedAt: number;
  readonly endedAt: number;
}

export interface LinkRows {
  /** As it was saved; whoever reads it checks it. Null: nobody waits. */
  pairing(): unknown;
  savePairing(value: object | null): void;
  /** What a link keeps in mind of this account, as it was saved. */
  memory(accountId: string): unknown;
  saveMemory(accountId: string, value: object): void;
  accounts(): readonly string[];
  forget(accountId: string): void;
  /**
   * What of this account was shown after that number, the oldest first, and over; what ended before `settled`
   * will not last longer (V2-305). Looks at a bounded number of rows: there may be more behind `upTo` where it
   * finds fewer than `limit`, or none (V2-510).
   */
  plays(
    accountId: string,
    after: number,
    limit: number,
    settled: number,
  ): ShownPlays;
  playsAfter(accountId: string, after: number): number;
}

export interface ShownPlays {
  readonly plays: readonly ShownPlay[];
  /** Up to here everything was looked at. */
  readonly upTo: number;
  /** Nothing is left behind `upTo` that is over. */
  readonly isAll: boolean;
}
