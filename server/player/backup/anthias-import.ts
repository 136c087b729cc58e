// Imports the peer's assets and settings into a temporary database of this player; an asset without usable bytes keeps the reason.

import path from "node:path";
import { playerSentences } from "../../contract/sentences/player-sentences.ts";
import { composeSentence } from "../../contract/sentence-templates.ts";
import type { Settings } from "../../contract/v2/v2-settings.ts";
import { belongsInStore, type AssetFile } from "../../core/asset.ts";
import { plainAddressOf } from "../../platform/remote-address.ts";
import type { Aside } from "../../platform/files/partial-file.ts";
import { probeMedia } from "../../platform/media/media-probe.ts";
import {
  migrateSqlite,
  openSqlite,
  type Sqlite,
  type SqliteOptions,
} from "../../platform/sqlite/sqlite.ts";
import {
  createLibrary,
  mimetypeOf,
  uriOfUpload,
  type Library,
} from "../library/library.ts";
import { playerMigrations } from "../migrations.ts";
import { createSettings } from "../settings.ts";
import type { PeerAsset } from "./anthias-assets.ts";
import type { Unpacked } from "./unpack.ts";

export interface PeerImport {
  readonly assets: readonly PeerAsset[];
  readonly media: ReadonlyMap<string, Aside>;
  readonly settings: Partial<Settings>;
  /** This player's database: settings that the peer does not have stay as they are. */
  readonly database: Sqlite;
  readonly sqlite: SqliteOptions;
  readonly makeId: () => string;
}

/** Bytes that can be shown, or the reason why not. */
type Found =
  | { readonly file: AssetFile; readonly aside: Aside }
  | { readonly problem: string };

export async function importPeer(
  target: string,
  source: PeerImport,
): Promise<Unpacked> {
  const database = openSqlite(target, source.sqlite);
  try {
    // This file need not survive a power cut.
    database.pragma("synchronous = OFF");
    migrateSqlite(database, playerMigrations);
    const seconds = importSettings(database, source);
    let id: string | null = null;
    const library = createLibrary({
      database,
      now: () => 0,
      makeId: () => id ?? source.makeId(),
    });
    const files = new Map<string, Aside>();
    const ids = new Set<string>();
    for (const asset of source.assets) {
      id = asset.id !== null && !ids.has(asset.id) ? asset.id : null;
      if (id !== null) ids.add(id);
      const bytes = await findBytes(asset, source.media);
      if (bytes && "aside" in bytes) files.set(bytes.file.hash, bytes.aside);
      const token = source.makeId();
      const created = importAsset(library, asset, {
        found: bytes,
        token,
        seconds,
      });
      // Keeps a place for bytes that may still be uploaded.
      if (created.needsPlace)
        database
          .prepare("UPDATE assets SET uri = ? WHERE id = ?")
          .run(uriOfUpload(token), created.id);
    }
    database.pragma("journal_mode = DELETE");
    return { database: target, files, madeBy: null };
  } finally {
    database.close();
  }
}

/** Returns the default duration in seconds, for assets that have none. */
function importSettings(database: Sqlite, source: PeerImport): number {
  const write = database.prepare(
    "INSERT INTO settings (name, value) VALUES (?, ?)",
  );
  const rows = source.database
    .prepare<[], [string, string]>("SELECT name, value FROM settings")
    .raw()
    .all();
  for (const row of rows) write.run(...row);
  return createSettings(database).change(source.settings).defaultDuration;
}

/** Null for an asset with a remote address. */
async function findBytes(
  asset: PeerAsset,
  media: ReadonlyMap<string, Aside>,
): Promise<Found | null> {
  const { uri, sourceUrl } = asset;
  if (plainAddressOf(uri)) return null;
  if (/^[a-z][a-z0-9+.-]*:/i.test(uri))
    return {
      problem: composeSentence(playerSentences["import-address"], {
        address: uri.slice(0, 100),
      }),
    };
  const below = /(?:anthias|screenly)_assets\/(.+)$/.exec(uri)?.[1] ?? "";
  const aside = media.get(below) ?? media.get(path.posix.basename(uri));
  if (!aside && sourceUrl !== null) return null;
  if (!aside) return { problem: playerSentences["import-file-missing"] };
  const probed = await probeMedia(aside.path).catch(() => null);
  if (!probed)
    return {
      problem: playerSentences["import-file-unsupported"],
    };
  const { hash, sizeBytes } = aside;
  return { file: { ...probed, hash, sizeBytes }, aside };
}

interface Means {
  readonly found: Found | null;
  readonly token: string;
  readonly seconds: number;
}

function importAsset(
  library: Library,
  asset: PeerAsset,
  { found, token, seconds }: Means,
): { readonly id: string; readonly needsPlace: boolean } {
  const file = found && "file" in found ? found.file : null;
  const problem = found && "problem" in found ? found.problem : null;
  if (file) library.addUpload(token, file);
  const address = plainAddressOf(asset.uri) ? asset.uri : asset.sourceUrl;
  const uri = file ? uriOfUpload(token) : (address ?? "http://localhost/");
  const mimetype = asset.mimetype || (file ? mimetypeOf(file.type) : "webpage");
  const { id } = library.create({
    name: asset.name,
    uri,
    mimetype,
    isProcessing: found === null && belongsInStore({ uri, mimetype }),
    startsAt: asset.startsAt,
    endsAt: asset.endsAt,
    durationSeconds: secondsOf(asset, file) ?? seconds,
    isEnabled: asset.isEnabled,
    noCache: asset.noCache,
    skipAssetCheck: asset.skipAssetCheck,
    extras: asset.extras,
  });
  if (problem !== null) library.setProblem(id, problem);
  return { id, needsPlace: problem !== null };
}

/** The peer stores a video's own length in whole seconds; this player stores 0, which plays it to its last frame (V2-7). */
function secondsOf(asset: PeerAsset, file: AssetFile | null): number | null {
  const { durationSeconds } = asset;
  const fileSeconds = file?.lengthSeconds ?? null;
  if (durationSeconds === null || fileSeconds === null) return durationSeconds;
  return Math.abs(fileSeconds - durationSeconds) < 1 ? 0 : durationSeconds;
}
