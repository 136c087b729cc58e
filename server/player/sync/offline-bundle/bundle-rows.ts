// Offline bundles in SQLite: keys that this player trusts, and where the files of a bundle are stored.

import { contentText } from "../../../contract/v2/v2-sync-history-text.ts";
import type { FileStore } from "../../../platform/files/file-store.ts";
import type { Sqlite } from "../../../platform/sqlite/sqlite.ts";
import type { ActivityNote } from "../../logs/logs.ts";
import type { Uploads } from "../../files/uploads.ts";

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

export type BundleRows = ReturnType<typeof createBundleRows>;

export interface BundleRowsOptions {
  readonly database: Sqlite;
  readonly uploads: Uploads;
  readonly store: FileStore;
  /** Adds an entry to the activity log. */
  readonly note: (happened: ActivityNote) => void;
}

export function createBundleRows(options: BundleRowsOptions) {
  const { database, uploads, store, note } = options;
  const file = database.prepare<[string], { hash: string; size_bytes: number }>(
    "SELECT hash, size_bytes FROM sync_files JOIN files ON hash = file_hash WHERE md5 = ?",
  );
  const keys = database.prepare<
    [],
    { fingerprint: string; name: string; trusted_at: number }
  >("SELECT * FROM air_gap_keys ORDER BY trusted_at, fingerprint");
  const trust = database.prepare(
    "INSERT OR IGNORE INTO air_gap_keys (fingerprint, name, trusted_at) VALUES (?, ?, ?)",
  );
  const distrust = database.prepare(
    "DELETE FROM air_gap_keys WHERE fingerprint = ?",
  );
  const noteKey = (
    what: "trusted" | "distrusted",
    key: { readonly name: string; readonly fingerprint: string },
  ): void => {
    note({ kind: "access", what, name: key.name, says: key.fingerprint });
  };
  return {
    /** Null if it is not here. */
    planFile: (md5: string): PlanFile | null => {
      const row = file.get(md5);
      if (!row || !store.has(row.hash)) return null;
      const { hash, size_bytes: sizeBytes } = row;
      return { hash, sizeBytes, path: store.pathOf(hash) };
    },
    /** No bytes are deleted until it is released. */
    holdFiles: (): Promise<() => void> => uploads.hold(),
    trustedKeys: (): readonly TrustedKey[] =>
      keys.all().map(({ fingerprint, name, trusted_at: trustedAt }) => ({
        ...{ fingerprint, name, trustedAt },
      })),
    trustKey: (key: TrustedKey): void => {
      trust.run(key.fingerprint, key.name, key.trustedAt);
      noteKey("trusted", key);
    },
    distrustKey: (fingerprint: string): void => {
      const existing = keys
        .all()
        .find((key) => key.fingerprint === fingerprint);
      distrust.run(fingerprint);
      if (existing) noteKey("distrusted", existing);
    },
    /** Adds an entry for the import to the activity log. */
    noteTaken: (plan: {
      readonly from: string;
      readonly assets: number;
      readonly playlists: number;
    }): void => {
      const says = contentText(plan);
      note({ kind: "sync", what: "imported", name: plan.from, says });
    },
  };
}
