// Snapshot of this player as the members of an archive: its database without secrets, and the files its rows need.

import { createHash } from "node:crypto";
import { rm, stat } from "node:fs/promises";
import path from "node:path";
import { playerSentences } from "../../contract/sentences/player-sentences.ts";
import { composeSentence } from "../../contract/sentence-templates.ts";
import type { AssetFile } from "../../core/asset.ts";
import {
  bytesOfFile,
  type ArchiveMember,
} from "../../platform/archive/archive.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import { OutsideError } from "../../platform/outside-error.ts";
import { copySqlite } from "../../platform/sqlite/sqlite-copy.ts";
import {
  openSqlite,
  type SqliteOptions,
} from "../../platform/sqlite/sqlite.ts";
import { createLibrary } from "../library/library.ts";
import {
  databasePath,
  manifestPath,
  manifestToBytes,
  pathOfFile,
  type ListedMember,
} from "./manifest.ts";
import { localTables } from "./tables.ts";
import type { Workspace } from "./workspace.ts";

export interface Snapshot {
  readonly sizeBytes: number;
  members(): AsyncGenerator<ArchiveMember>;
}

type NeededFile = Pick<AssetFile, "hash" | "sizeBytes" | "type">;

export interface SnapshotOptions {
  readonly databaseFile: string;
  readonly sqlite: SqliteOptions;
  readonly store: FileStore;
  readonly version: string;
  readonly playerName: string;
  readonly moment: number;
  /** Files whose bytes did not match their hash; they count as missing. */
  readonly rotten: Set<string>;
  /** Its bytes are missing, or are no longer what they were. */
  readonly suspectFile: (hash: string) => void;
}

/** A hold on the bytes must last from before this call until the last member is read. */
export async function takeSnapshot(
  workspace: Workspace,
  options: SnapshotOptions,
): Promise<Snapshot> {
  const { databaseFile, store, version, playerName, moment } = options;
  const { size: databaseBytes } = await stat(databaseFile);
  await workspace.assertDiskSpaceFor(databaseBytes);
  const copy = path.join(workspace.dir, databasePath);
  await rm(copy, { force: true });
  await copySqlite(databaseFile, copy, {
    ...options.sqlite,
    emptyTables: localTables,
  });
  const files = await neededFiles(copy, options);
  const database: ListedMember = {
    path: databasePath,
    size: (await stat(copy)).size,
    sha256: await hashOf(bytesOfFile(copy)),
  };
  const soft = files.filter((file) => !isDense(file));
  const dense = files.filter(isDense);
  const listed = [...soft, ...dense];
  const members = [database, ...listed.map(asListed)];
  const manifest = manifestToBytes({
    version,
    created: new Date(moment).toISOString(),
    player: playerName,
    members,
  });

  async function* read(): AsyncGenerator<ArchiveMember> {
    const head = { path: manifestPath, sizeBytes: manifest.length };
    yield { ...head, content: [manifest] };
    yield {
      path: databasePath,
      sizeBytes: database.size,
      content: bytesOfFile(copy),
    };
    for (const file of listed)
      yield {
        path: pathOfFile(file.hash),
        sizeBytes: file.sizeBytes,
        content: verified(
          bytesOfFile(store.pathOf(file.hash)),
          file.hash,
          options,
        ),
        isDense: isDense(file),
      };
  }
  return {
    sizeBytes: members.reduce((sum, { size }) => sum + size, manifest.length),
    members: read,
  };
}

function asListed({ hash, sizeBytes }: NeededFile): ListedMember {
  return { path: pathOfFile(hash), size: sizeBytes, sha256: hash };
}

function isDense({ type }: NeededFile): boolean {
  return /^(?:video\/|image\/(?:a?png|jpeg|webp|gif|avif|hei[cf]|jxl)$)/.test(
    type,
  );
}

/** The files that the copy's assets need and this machine has; an asset whose bytes are lost is kept without them. */
async function neededFiles(
  copy: string,
  { store, rotten, suspectFile, sqlite, moment }: SnapshotOptions,
): Promise<readonly NeededFile[]> {
  const database = openSqlite(copy, sqlite);
  try {
    // This copy need not survive a power cut.
    database.pragma("synchronous = OFF");
    const library = createLibrary({
      database,
      now: () => moment,
      makeId: () => "",
    });
    // Uploads are left out, and with them the files that only an upload needs.
    library.dropUploads(Number.MAX_SAFE_INTEGER);
    // Bytes of a partial download are left out, and so is its validator.
    for (const id of database
      .prepare<[], string>("SELECT id FROM assets WHERE is_processing = 1")
      .pluck()
      .all())
      library.noteFetch(id, null);
    const files = new Map(
      database
        .prepare<[], NeededFile>(
          "SELECT hash, size_bytes AS sizeBytes, type FROM files ORDER BY hash",
        )
        .all()
        .map((file) => [file.hash, file]),
    );
    for (const { hash, sizeBytes } of files.values()) {
      const entry = await stat(store.pathOf(hash)).catch(() => null);
      const isIntact = entry?.size === sizeBytes;
      if (isIntact && !(await isRotten(store, hash, rotten))) continue;
      if (!isIntact) suspectFile(hash);
      database
        .prepare(
          `UPDATE assets SET file_hash = NULL, problem = ? WHERE file_hash = ?
             OR file_hash IN (SELECT app_hash FROM app_files WHERE app_files.file_hash = ?)`,
        )
        .run(playerSentences["backup-file-missing"], hash, hash);
      database
        .prepare(
          `DELETE FROM sync_files WHERE file_hash = ?
             OR file_hash IN (SELECT app_hash FROM app_files WHERE app_files.file_hash = ?)`,
        )
        .run(hash, hash);
    }
    // If one part of an app is lost, its other parts are left out too.
    for (const hash of library.dropUploads(Number.MAX_SAFE_INTEGER))
      files.delete(hash);
    database.pragma("journal_mode = DELETE");
    return [...files.values()];
  } finally {
    database.close();
  }
}

/** The same content may have been imported again in the meantime. */
async function isRotten(
  store: FileStore,
  hash: string,
  rotten: Set<string>,
): Promise<boolean> {
  if (rotten.has(hash) && (await hashOf(store.read(hash))) === hash)
    rotten.delete(hash);
  return rotten.has(hash);
}

/** Verifies the archive now: one that cannot be recovered would otherwise be found out on the day it is needed. */
async function* verified(
  content: AsyncIterable<Buffer>,
  hash: string,
  { rotten, suspectFile }: Pick<SnapshotOptions, "rotten" | "suspectFile">,
): AsyncGenerator<Buffer> {
  const actual = createHash("sha256");
  for await (const chunk of content) {
    actual.update(chunk);
    yield chunk;
  }
  if (actual.digest("hex") === hash) return;
  rotten.add(hash);
  suspectFile(hash);
  throw new OutsideError(
    "corrupt",
    composeSentence(playerSentences["backup-file-changed"], { hash }),
  );
}

async function hashOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of content) hash.update(chunk);
  return hash.digest("hex");
}
