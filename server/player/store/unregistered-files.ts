// After a rebuild of the database: identifies files in the store that have no row, so that none is lost or downloaded twice
// (V2-328).

import { defaultDurationSeconds } from "../../core/asset-limits.ts";
import { createHash } from "node:crypto";
import { rm, stat } from "node:fs/promises";
import { appDescriptionType, type AssetFile } from "../../core/asset.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import type { Log } from "../../platform/log.ts";
import { probeMedia, type Media } from "../../platform/media/media-probe.ts";
import type { Sqlite } from "../../platform/sqlite/sqlite.ts";
import { createFileRows, type FileRows } from "../library/file-rows.ts";
import type { Uploads } from "../files/uploads.ts";
import { mimetypeOf, uriOfUpload } from "../library/library.ts";
import { createSyncRows } from "../sync/store/sync-rows.ts";
import { unclaimedMarks } from "./damaged-databases.ts";

export interface UnclaimedOptions {
  readonly dataDir: string;
  readonly database: Sqlite;
  readonly store: FileStore;
  readonly uploads: Uploads;
  readonly makeId: () => string;
  readonly now: () => number;
  readonly log: Log;
}

/**
 * Nothing is swept meanwhile, nor afterwards if it fails: the next start tries again. Resolves when every file has a row,
 * immediately in an ordinary start.
 */
export async function claimFiles(options: UnclaimedOptions): Promise<void> {
  const marks = await unclaimedMarks(options.dataDir);
  if (marks.length === 0) return;
  const release = await options.uploads.hold();
  await claimAll(options);
  for (const mark of marks) await rm(mark, { force: true });
  release();
}

async function claimAll(options: UnclaimedOptions): Promise<void> {
  const { database, store, log } = options;
  const files = createFileRows(database);
  const syncRows = createSyncRows(database);
  const registered = new Set(syncRows.files().values());
  const trash = insertIntoTrash(options);
  const isInTrash = database.prepare("SELECT 1 FROM bin WHERE file_hash = ?");
  let claimed = 0;
  for (const hash of await store.list()) {
    if (registered.has(hash)) continue;
    // The file name is never trusted as its hash. One unreadable file does not lose the others; it is downloaded again when it is
    // needed.
    const digests = await digestsOf(store, hash).catch(() => null);
    if (digests?.sha256 !== hash) continue;
    const { md5, sizeBytes } = digests;
    const media = await mediaOf(files, store, hash);
    // An app is assembled again by the upload or the sync that needs it.
    if (media === null || media.type === appDescriptionType) continue;
    database
      .transaction(() => {
        if (files.file(hash) === null) {
          files.add({ ...media, hash, sizeBytes });
          // Files that were in the trash before are still there.
          if (isInTrash.get(hash) === undefined)
            trash(hash, media, (claimed += 1));
        }
        syncRows.putFile(md5, hash);
      })
      .immediate();
  }
  log.info("store.files-claimed", { files: claimed });
}

/** Apps and their parts are described by their own rows, or cannot be identified. */
async function mediaOf(
  files: FileRows,
  store: FileStore,
  hash: string,
): Promise<AssetFile | Media | null> {
  return files.file(hash) ?? (await probeMedia(store.pathOf(hash)));
}

/** Nothing plays that was not scheduled, and nothing is lost: the operator finds the files in the trash. */
function insertIntoTrash({ database, makeId, now }: UnclaimedOptions) {
  const keep = database.prepare(
    `INSERT INTO bin (kind, id, name, value, file_hash, binned_at) VALUES ('asset', ?, ?, ?, ?, ?)`,
  );
  const at = now();
  return (
    hash: string,
    { type, lengthSeconds }: Pick<Media, "type" | "lengthSeconds">,
    number: number,
  ) => {
    const id = makeId();
    const name = `Recovered ${number}`;
    const row = {
      ...{ id, name, uri: uriOfUpload(makeId()), mimetype: mimetypeOf(type) },
      duration_seconds: Math.ceil(lengthSeconds ?? defaultDurationSeconds),
      ...{ is_enabled: 0, play_order: 0, file_hash: hash },
    };
    keep.run(id, name, JSON.stringify(row), hash, at);
  };
}

async function digestsOf(store: FileStore, hash: string) {
  const md5 = createHash("md5");
  const sha256 = createHash("sha256");
  for await (const chunk of store.read(hash) as AsyncIterable<Buffer>) {
    md5.update(chunk);
    sha256.update(chunk);
  }
  const { size: sizeBytes } = await stat(store.pathOf(hash));
  const digests = { md5: md5.digest("hex"), sha256: sha256.digest("hex") };
  return { ...digests, sizeBytes };
}
