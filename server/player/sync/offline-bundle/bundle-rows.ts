// What plans on a stick need of the player: files by their MD5, and whom it trusts; whoever starts it hands one over.

export interface PlanFile {
  readonly path: string;
  /** SHA-256, 64 lower-case hex digits. */
  readonly hash: string;
  readonly sizeBytes: number;
}

export interface TrustedKey {
  readonly fingerprint: string;
  readonly name: string;
  readonly trustedAt: number;
}

export interface AirGapRows {
  /** Null where it is not here. */
  planFile(md5: string): PlanFile | null;
  /** No bytes are removed until it is released. */
  holdFiles(): Promise<() => void>;
  trustedKeys(): readonly TrustedKey[];
  trustKey(key: TrustedKey): void;
  distrustKey(fingerprint: string): void;
  /** The player remembers it. */
  noteTaken(plan: {
    readonly from: string;
    readonly assets: number;
    readonly playlists: number;
  }): void;
}
