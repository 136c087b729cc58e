// After a database was rebuilt: files in the store that no row knows are known again, so that none is lost or fetched twice (V2-328).

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
import { unclaimedMarks } from "./damaged.ts";

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
 * Nothing is swept meanwhile, nor after it where it fails: the next start tries again. Answers when every
 * file is known, at once in an ordinary start.
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
  const verified = createSyncRows(database);
  const registered = new Set(verified.files().values());
  const trash = insertIntoTrash(options);
  const isInTrash = database.prepare("SELECT 1 FROM bin WHERE file_hash = ?");
  let claimed = 0;
  for (const hash of await store.list()) {
    if (registered.has(hash)) continue;
    // Never trusted by its name, and the others are not lost for one that cannot be read; whoever needs it fetches it.
    const digests = await digestsOf(store, hash).catch(() => null);
    if (digests?.sha256 !== hash) continue;
    const { md5, sizeBytes } = digests;
    const media = await mediaOf(files, store, hash);
    // An app is put together anew by whoever wants it.
    if (media === null || media.type === appDescriptionType) continue;
    database
      .transaction(() => {
        if (files.file(hash) === null) {
          files.add({ ...media, hash, sizeBytes });
          // What was in the bin already is there as it was.
          if (isInTrash.get(hash) === undefined)
            trash(hash, media, (claimed += 1));
        }
        verified.putFile(md5, hash);
      })
      .immediate();
  }
  log.info("store.files-claimed", { files: claimed });
}

/** What is an app, or part of one, is known by other means or not at all. */
async function mediaOf(
  files: FileRows,
  store: FileStore,
  hash: string,
): Promise<AssetFile | Media | null> {
  return files.file(hash) ?? (await probeMedia(store.pathOf(hash)));
}

/** Nothing plays that nobody asked for, and nothing is gone: the operator finds it where things thrown away lie. */
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
      duration_seconds: Math.ceil(lengthSeconds ?? defaultSeconds),
      ...{ is_enabled: 0, play_order: 0, file_hash: hash },
    };
    keep.run(id, name, JSON.stringify(row), hash, at);
  };
}

const defaultSeconds = 10;

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
