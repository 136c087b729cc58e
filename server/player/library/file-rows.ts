// Rows of stored files, and of uploads that wait to be claimed, in SQLite.

import type { AssetFile } from "../../core/asset.ts";
import type { Sqlite } from "../../platform/sqlite/sqlite.ts";

/** For a file that is known only as part of an app; its real type is stored next to its path. */
export const appMemberType = "application/vnd.vitrine.app-file";

/** Every method is part of the transaction it is called in. */
export interface FileRows {
  add(file: AssetFile): void;
  file(hash: string): AssetFile | null;
  /** Deletes the rows that no row needs any more; returns their hashes, whose bytes may be deleted. */
  dropUnneeded(): readonly string[];
  addUpload(token: string, hash: string, receivedAt: number): void;
  dropUploads(receivedBefore: number): void;
  /** The file of an upload that waits to be claimed. */
  waitingUpload(token: string): AssetFile | null;
  /** Returns the hash of the upload with this token, and ends the upload. */
  claim(token: string): string | undefined;
}

interface FileRow {
  readonly size_bytes: number;
  readonly type: string;
  readonly length_seconds: number | null;
  readonly problem: string | null;
  readonly remark: string | null;
  readonly is_damaged: number;
}

export function createFileRows(database: Sqlite): FileRows {
  const insert = database.prepare(
    // A file known only as part of an app becomes media from now on.
    `INSERT INTO files (hash, size_bytes, type, length_seconds, problem, remark) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (hash) DO UPDATE SET type = excluded.type, length_seconds = excluded.length_seconds,
       problem = excluded.problem, remark = excluded.remark, is_damaged = 0
       WHERE files.type = '${appMemberType}' OR files.is_damaged = 1`,
  );
  const select = database.prepare<[string], FileRow>(
    "SELECT * FROM files WHERE hash = ?",
  );
  const uploadHash = database
    .prepare<[string], string>("SELECT hash FROM uploads WHERE token = ?")
    .pluck();
  const dropUpload = database.prepare("DELETE FROM uploads WHERE token = ?");
  const insertUpload = database.prepare(
    "INSERT INTO uploads (token, hash, received_at) VALUES (?, ?, ?)",
  );
  const dropOld = database.prepare("DELETE FROM uploads WHERE received_at < ?");
  const dropUnneeded = database
    .prepare<[], string>(
      `DELETE FROM files
       WHERE NOT EXISTS (SELECT 1 FROM assets WHERE file_hash = files.hash)
         AND NOT EXISTS (SELECT 1 FROM uploads WHERE uploads.hash = files.hash)
         AND NOT EXISTS (SELECT 1 FROM sync_files WHERE sync_files.file_hash = files.hash)
         AND NOT EXISTS (SELECT 1 FROM bin WHERE bin.file_hash = files.hash)
         AND NOT EXISTS (SELECT 1 FROM upwards_changes WHERE upwards_changes.file_hash = files.hash)
         AND NOT EXISTS (
           SELECT 1 FROM app_files WHERE app_files.file_hash = files.hash
             AND (app_hash IN (SELECT file_hash FROM assets) OR app_hash IN (SELECT hash FROM uploads)
               OR app_hash IN (SELECT file_hash FROM bin) OR app_hash IN (SELECT file_hash FROM sync_files)
               OR app_hash IN (SELECT file_hash FROM upwards_changes)))
       RETURNING hash`,
    )
    .pluck();

  const file = (hash: string): AssetFile | null => {
    const row = select.get(hash);
    return row
      ? {
          hash,
          sizeBytes: row.size_bytes,
          type: row.type,
          lengthSeconds: row.length_seconds,
          problem: row.problem,
          remark: row.remark,
          isDamaged: row.is_damaged === 1,
        }
      : null;
  };

  return {
    add: (file) => {
      const { hash, sizeBytes, type, lengthSeconds, problem } = file;
      const { remark = null } = file;
      insert.run(hash, sizeBytes, type, lengthSeconds, problem, remark);
    },
    file,
    dropUnneeded: () => dropUnneeded.all(),
    addUpload: (token, hash, receivedAt) => {
      insertUpload.run(token, hash, receivedAt);
    },
    dropUploads: (receivedBefore) => {
      dropOld.run(receivedBefore);
    },
    waitingUpload: (token) => {
      const hash = uploadHash.get(token);
      return hash === undefined ? null : file(hash);
    },
    claim: (token) => {
      const hash = uploadHash.get(token);
      if (hash !== undefined) dropUpload.run(token);
      return hash;
    },
  };
}
