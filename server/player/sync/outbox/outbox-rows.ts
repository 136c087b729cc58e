// What the queue upwards needs of the player: its rows, and the files that wait in it; whoever starts it hands one over.

export interface StoredChange {
  readonly id: string;
  /** As it was saved; whoever reads it checks it. */
  readonly value: unknown;
  readonly fileHash: string | null;
}

export interface WaitingFile {
  readonly hash: string;
  readonly name: string;
  readonly sizeBytes: number;
}

export interface UpwardsRows {
  changes(accountId: string): readonly StoredChange[];
  changeAccounts(): readonly string[];
  /** A new one goes to the end. One transaction with the dropping of others. */
  putChange(
    accountId: string,
    id: string,
    value: object,
    more?: {
      /** Stays as long as the change; null lets it go. */
      readonly fileHash?: string | null;
      readonly drop?: readonly string[];
    },
  ): void;
  dropChanges(ids: readonly string[]): void;
  forgetChanges(accountId: string): void;
  /** What an upload or an asset of this player holds; throws a Failure about `file`. */
  fileBehind(uri: string): WaitingFile;
  /** Where the bytes lie; null where they are gone. */
  pathOfFile(hash: string): string | null;
}
