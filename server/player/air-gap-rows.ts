// Whom this player takes plans from, and where the files of a plan lie, in SQLite.

import type { FileStore } from "../platform/file-store.ts";
import type { Sqlite } from "../platform/sqlite.ts";
import type { Intake } from "./intake.ts";

export interface AirGapRowsOptions {
  readonly database: Sqlite;
  readonly intake: Intake;
  readonly store: FileStore;
}

export function createAirGapRows(options: AirGapRowsOptions) {
  const { database, intake, store } = options;
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
  return {
    planFile: (md5: string) => {
      const row = file.get(md5);
      if (!row || !store.has(row.hash)) return null;
      const { hash, size_bytes: sizeBytes } = row;
      return { hash, sizeBytes, path: store.pathOf(hash) };
    },
    holdFiles: (): Promise<() => void> => intake.hold(),
    trustedKeys: () =>
      keys.all().map(({ fingerprint, name, trusted_at: trustedAt }) => ({
        ...{ fingerprint, name, trustedAt },
      })),
    trustKey: (key: {
      readonly fingerprint: string;
      readonly name: string;
      readonly trustedAt: number;
    }): void => {
      trust.run(key.fingerprint, key.name, key.trustedAt);
    },
    distrustKey: (fingerprint: string): void => {
      distrust.run(fingerprint);
    },
  };
}
