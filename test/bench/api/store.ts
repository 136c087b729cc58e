// Stores to measure on: any number of assets, written in one go, and the same rows again for the limit.

import { createHash, randomBytes } from "node:crypto";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import {
  migrateSqlite,
  openSqlite,
} from "../../../server/platform/sqlite/sqlite.ts";
import {
  createLibrary,
  uriOfUpload,
} from "../../../server/player/library/library.ts";
import { playerMigrations } from "../../../server/player/migrations.ts";
import { png } from "../../support/media/media.ts";

export interface FilledStore {
  readonly dataDir: string;
  /** The same rows in a separate file. */
  readonly copy: string;
  readonly ids: readonly string[];
}

export const megabyte = 1_000_000;

/** An hour each, so that nothing changes on the screen during the measurement. */
const showingSeconds = 3600;

export async function fillStore(
  dir: string,
  count: number,
): Promise<FilledStore> {
  const dataDir = path.join(dir, `player-${count}`);
  await mkdir(dataDir, { recursive: true });
  const file = path.join(dataDir, "vitrine.db");
  const database = openSqlite(file);
  migrateSqlite(database, playerMigrations);
  const library = createLibrary({ database, now: Date.now, makeId });
  const hash = "0".repeat(64);
  const ids = database.transaction(() =>
    Array.from({ length: count }, (_, number) => {
      const token = makeId();
      library.addUpload(token, {
        ...{ hash, sizeBytes: 100_000, type: "image/png" },
        ...{ lengthSeconds: null, problem: null },
      });
      return library.create(draft(`Asset ${number}`, uriOfUpload(token))).id;
    }),
  )();
  database.close();
  const copy = path.join(dir, `bare-${count}.db`);
  await copyFile(file, copy);
  return { dataDir, copy, ids };
}

/** Stores one image of this size as the only asset; returns its file, too. */
export async function storeContent(
  dir: string,
  bytes: number,
): Promise<FilledStore & { readonly contentFile: string }> {
  const store = await fillStore(dir, 1);
  const head = png([1, 2, 3]);
  const content = Buffer.concat([head, Buffer.alloc(bytes - head.length, 7)]);
  const hash = createHash("sha256").update(content).digest("hex");
  const folder = path.join(store.dataDir, "files/kept", hash.slice(0, 2));
  await mkdir(folder, { recursive: true });
  const contentFile = path.join(folder, hash);
  await writeFile(contentFile, content);
  const database = openSqlite(path.join(store.dataDir, "vitrine.db"));
  database.pragma("foreign_keys = OFF");
  database.exec(`
    UPDATE files SET hash = '${hash}', size_bytes = ${bytes};
    UPDATE assets SET file_hash = '${hash}'`);
  database.close();
  return { ...store, contentFile };
}

function makeId(): string {
  return randomBytes(16).toString("hex");
}

function draft(name: string, uri: string) {
  return {
    ...{ name, uri, mimetype: "image", isEnabled: true },
    ...{ startsAt: Date.UTC(2020, 0), endsAt: Date.UTC(2100, 0) },
    durationSeconds: showingSeconds,
  };
}
