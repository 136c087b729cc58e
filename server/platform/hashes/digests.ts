// What is computed of the bytes of a file: MD5, which services declare, and SHA-256, which the store uses.

export interface Digests {
  /** 32 lower-case hex digits. */
  readonly md5: string;
  /** 64 lower-case hex digits. */
  readonly sha256: string;
  readonly sizeBytes: number;
}

export interface Hashes {
  /** The bytes may be reused afterwards. Where it returns a promise, the next call has to wait for it. */
  update(bytes: Uint8Array): Promise<void> | null;
  /** Of all bytes so far; nothing can follow. */
  digests(): Promise<Digests>;
  /** Without a result; needless after `digests`. */
  close(): void;
}
