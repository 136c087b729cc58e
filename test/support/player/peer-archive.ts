// Archives of the peer, of several of its releases, built by hand.

import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { openSqlite } from "../../../server/platform/sqlite/sqlite.ts";
import type { TarMember } from "./archives.ts";
import { answerOf, type Answer, type RunningPlayer } from "./start-player.ts";

export async function recover(
  { request }: RunningPlayer,
  archive: Buffer,
): Promise<Answer> {
  const form = new FormData();
  const bytes = new Blob([new Uint8Array(archive)]);
  form.set("backup_upload", bytes, "anthias-backup.tar.gz");
  return answerOf(await request("/recover", { method: "POST", body: form }));
}

export const newTable = `CREATE TABLE "assets" ("asset_id" text NOT NULL PRIMARY KEY, "name" text NULL, "uri" text NULL,
  "md5" text NULL, "start_date" datetime NULL, "end_date" datetime NULL, "duration" bigint NULL,
  "mimetype" text NULL, "is_enabled" bool NOT NULL, "is_processing" bool NOT NULL, "nocache" bool NOT NULL,
  "play_order" integer NOT NULL, "skip_asset_check" bool NOT NULL, "metadata" text NOT NULL DEFAULT '{}')`;
/** As it is since 2026, with columns for when and how an asset is shown. */
export const newestTable = newTable.replace(
  /\)$/,
  `, "skip_ssl_verify" bool NOT NULL DEFAULT 0, "play_days" text NOT NULL DEFAULT '[1, 2, 3, 4, 5, 6, 7]',
  "play_time_from" time NULL, "play_time_to" time NULL, "refresh_interval_s" integer NULL,
  "custom_headers" text NOT NULL DEFAULT '{}')`,
);
/** As it was ten years earlier: text for most, and fewer columns. */
export const oldTable = `CREATE TABLE assets (asset_id text primary key, name text, uri text, md5 text,
  start_date timestamp, end_date timestamp, duration text, mimetype text)`;

export const id = (letter: string): string => letter.repeat(32);
export const start = "2020-01-01 00:00:00";
export const end = "2030-06-01 12:30:00.250000";

export interface Row {
  readonly asset_id: string;
  readonly [column: string]: string | number | null;
}

export const row = (letter: string, change: Omit<Row, "asset_id">): Row => ({
  asset_id: id(letter),
  name: letter,
  uri: `/data/anthias_assets/${id(letter)}.png`,
  start_date: start,
  end_date: end,
  duration: 10,
  mimetype: "image",
  is_enabled: 1,
  is_processing: 0,
  nocache: 0,
  play_order: 0,
  skip_asset_check: 0,
  ...change,
});

/** The database and its side files, closed or as a running peer leaves it. */
export async function peerDatabase(
  table: string,
  rows: readonly Row[],
  isLive = false,
): Promise<{ main: Buffer; wal: Buffer | null; shm: Buffer | null }> {
  const dir = await mkdtemp(path.join(os.tmpdir(), "vitrine-peer-"));
  const file = path.join(dir, "peer.db");
  const database = openSqlite(file);
  try {
    database.pragma("wal_autocheckpoint = 0");
    database.exec(table);
    database.exec("CREATE TABLE auth_user (password text)");
    database.pragma("wal_checkpoint(TRUNCATE)");
    for (const entry of rows) {
      const columns = Object.keys(entry);
      database
        .prepare(
          `INSERT INTO assets (${columns.join()}) VALUES (${columns.map(() => "?").join()})`,
        )
        .run(Object.values(entry));
    }
    if (!isLive) database.pragma("journal_mode = DELETE");
    const siblingFile = (ending: string) =>
      isLive ? readFile(file + ending) : Promise.resolve(null);
    return {
      main: await readFile(file),
      wal: await siblingFile("-wal"),
      shm: await siblingFile("-shm"),
    };
  } finally {
    database.close();
    await rm(dir, { recursive: true });
  }
}

export const folder = (name: string): TarMember => ({
  path: name,
  type: "Directory",
});

export const settingsFile = `[main]
analytics_opt_out = False
date_format = dd.mm.yyyy
use_24_hour_clock = on
django_secret_key = PEER-SECRET
default_duration_x = 1

[viewer]
player_name = Café 100%% שלום
default_duration = 25
shuffle_playlist = True
screen_rotation = 90
resolution = 1920x1080
audio_output = nonsense

[auth_basic]
user = admin
password = PEER-SECRET
`;
