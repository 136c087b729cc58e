// What is noted of remote assets while their bytes are fetched.

import type { Asset, AssetFile } from "../core/asset.ts";
import type { Sqlite } from "../platform/sqlite.ts";
import type { FileRows } from "./file-rows.ts";

/** An asset at the address that it had when somebody began to fetch: it may be given another one meanwhile. */
export type Remote = Pick<Asset, "id" | "uri">;

export interface FetchRows {
  /** Part of the transaction it is called in; false when nobody waits for the bytes of this address any more. */
  attach(from: Remote, file: AssetFile): boolean;
  end(from: Remote, problem: string): void;
  note(id: string, validator: string | null): void;
  validator(id: string): string | null;
}

export function createFetchRows(
  database: Sqlite,
  files: Pick<FileRows, "add">,
): FetchRows {
  const awaited = "id = ? AND uri = ? AND is_processing = 1";
  const isAwaited = database.prepare<[string, string]>(
    `SELECT 1 FROM assets WHERE ${awaited}`,
  );
  const attach = database.prepare(
    `UPDATE assets SET file_hash = ?, is_processing = 0, processing_sent = NULL, problem = NULL, fetch_validator = NULL WHERE ${awaited}`,
  );
  const end = database.prepare(
    `UPDATE assets SET is_processing = 0, processing_sent = NULL, problem = ? WHERE ${awaited}`,
  );
  const note = database.prepare(
    "UPDATE assets SET fetch_validator = ? WHERE id = ?",
  );
  const validator = database
    .prepare<[string], string | null>(
      "SELECT fetch_validator FROM assets WHERE id = ?",
    )
    .pluck();
  return {
    attach: ({ id, uri }, file) => {
      if (!isAwaited.get(id, uri)) return false;
      files.add(file);
      attach.run(file.hash, id, uri);
      return true;
    },
    end: ({ id, uri }, problem) => {
      end.run(problem, id, uri);
    },
    note: (id, what) => {
      note.run(what, id);
    },
    validator: (id) => validator.get(id) ?? null,
  };
}
