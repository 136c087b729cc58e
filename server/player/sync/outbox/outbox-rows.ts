// The outbox in SQLite: changes waiting for a content service, and the files that are kept as long as a change needs them.

import { outboxSentences } from "../../../contract/sentences/outbox-sentences.ts";
import { appDescriptionType } from "../../../core/asset.ts";
import { Failure, fieldFailure } from "../../../core/failure.ts";
import type { FileStore } from "../../../platform/files/file-store.ts";
import type { Sqlite } from "../../../platform/sqlite/sqlite.ts";
import { createFileRows } from "../../library/file-rows.ts";
import type { Uploads } from "../../files/uploads.ts";
import type { Library } from "../../library/library.ts";
import { jsonFrom } from "../store/sync-rows.ts";

/** A change as it was saved: the caller validates `value`. */
export interface StoredChange {
  readonly id: string;
  readonly value: unknown;
  readonly fileHash: string | null;
}

export interface WaitingFile {
  readonly hash: string;
  readonly name: string;
  readonly sizeBytes: number;
}

export type OutboxRows = ReturnType<typeof createOutboxRows>;

export interface OutboxRowsOptions {
  readonly database: Sqlite;
  readonly library: Library;
  readonly uploads: Uploads;
  readonly store: FileStore;
}

export function createOutboxRows(options: OutboxRowsOptions) {
  const { database, library, uploads, store } = options;
  const files = createFileRows(database);
  const all = database.prepare<
    [string],
    { id: string; value: string; file_hash: string | null }
  >(
    "SELECT id, value, file_hash FROM upwards_changes WHERE account_id = ? ORDER BY number",
  );
  const connections = database
    .prepare<[], string>("SELECT DISTINCT account_id FROM upwards_changes")
    .pluck();
  const put = database.prepare(
    `INSERT INTO upwards_changes (id, account_id, value) VALUES (?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET value = excluded.value`,
  );
  const setFile = database.prepare(
    "UPDATE upwards_changes SET file_hash = ? WHERE id = ?",
  );
  const drop = database.prepare("DELETE FROM upwards_changes WHERE id = ?");
  const forget = database.prepare(
    "DELETE FROM upwards_changes WHERE account_id = ?",
  );
  const uploadHash = database
    .prepare<[string], string>("SELECT hash FROM uploads WHERE token = ?")
    .pluck();

  /** One transaction; files that nothing needs any more are deleted after it. */
  function writing(act: () => void): void {
    const gone = database
      .transaction(() => {
        act();
        return files.dropUnneeded();
      })
      .immediate();
    if (gone.length > 0) void uploads.forget(gone).catch(() => undefined);
  }

  return {
    changes: (connectionId: string): readonly StoredChange[] =>
      all.all(connectionId).map(({ id, value, file_hash: fileHash }) => ({
        ...{ id, fileHash },
        value: jsonFrom(value),
      })),
    connectionsWithChanges: (): readonly string[] => connections.all(),
    /** A new change goes to the end. One transaction with dropping others. */
    putChange: (
      connectionId: string,
      id: string,
      value: object,
      more: {
        /** Kept as long as the change; null releases it. */
        readonly fileHash?: string | null;
        readonly drop?: readonly string[];
      } = {},
    ): void => {
      const { fileHash, drop: dropped = [] } = more;
      const write = (): void => {
        put.run(id, connectionId, JSON.stringify(value));
        if (fileHash !== undefined) setFile.run(fileHash, id);
        for (const one of dropped) drop.run(one);
      };
      // Looking for unneeded files costs more than the row: it is done only if one may have become unneeded.
      if (fileHash === null || dropped.length > 0) writing(write);
      else database.transaction(write).immediate();
    },
    dropChanges: (ids: readonly string[]): void =>
      writing(() => {
        for (const id of ids) drop.run(id);
      }),
    forgetChanges: (connectionId: string): void =>
      writing(() => {
        forget.run(connectionId);
      }),
    /** The file of an upload or an asset of this player; throws a Failure about `file`. */
    fileBehind: (uri: string): WaitingFile => {
      const [kind, id = ""] = uri.split(":");
      const asset = library.assets().find((one) => one.id === id);
      const hash =
        kind === "upload" ? uploadHash.get(id) : (asset?.file?.hash ?? null);
      const file = hash ? files.file(hash) : null;
      if (!hash || !file)
        throw fieldFailure(
          "fields.file",
          kind === "upload"
            ? outboxSentences["upload-unknown"]
            : outboxSentences["asset-unknown"],
        );
      if (file.type === appDescriptionType)
        throw fieldFailure("fields.file", outboxSentences["app-of-service"]);
      if (!store.has(hash))
        throw new Failure("corrupt", outboxSentences["file-gone"]);
      return { hash, name: asset?.name ?? "", sizeBytes: file.sizeBytes };
    },
    /** Path of the bytes; null if they are gone. */
    pathOfFile: (hash: string): string | null =>
      store.has(hash) ? store.pathOf(hash) : null,
  };
}
