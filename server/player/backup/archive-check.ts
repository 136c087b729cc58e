// Examines an unpacked archive: whether its database is intact, and every row is valid for this player.

import { playerSentences } from "../../contract/sentences/player-sentences.ts";
import { composeSentence } from "../../contract/sentence-templates.ts";
import { readDuration } from "../../contract/v2/v2-values.ts";
import type { Asset } from "../../core/asset.ts";
import type { Playlist } from "../../core/playlist.ts";
import { addressOf } from "../../platform/remote-address.ts";
import type { Aside } from "../../platform/files/partial-file.ts";
import { OutsideError } from "../../platform/outside-error.ts";
import { adoptSqlite, examine } from "../../platform/sqlite/sqlite-copy.ts";
import type { Sqlite, SqliteOptions } from "../../platform/sqlite/sqlite.ts";
import { isValidText } from "../library/asset-extras.ts";
import { createLibrary } from "../library/library.ts";
import { playerMigrations } from "../migrations.ts";
import { isValidPlaylist } from "../playlists/playlist-row.ts";
import { createPlaylists } from "../playlists/playlists.ts";
import { createSettings } from "../settings.ts";
import type { Unpacked } from "./unpack.ts";

/** Throws `corrupt`; afterwards the temporary database has this version's tables. */
export function assertRecoverable(
  { database, files }: Unpacked,
  sqlite: SqliteOptions,
): void {
  adoptSqlite(database, playerMigrations, sqlite);
  examine(database, sqlite, (opened) => {
    assertValidRows(opened);
    assertFiles(opened, files);
  });
}

/** Throws `corrupt` at a row that is invalid for this player. */
export function assertValidRows(opened: Sqlite): void {
  assertSettings(opened);
  for (const asset of assetsOf(opened)) assertShowable(asset);
  assertExtras(opened);
  for (const playlist of playlistsOf(opened)) assertIntact(playlist);
  assertApps(opened);
}

/** Throws `corrupt` at a row that would make this player throw when it opens; other invalid rows are tolerated. */
export function assertReadableRows(opened: Sqlite): void {
  assertSettings(opened);
  assetsOf(opened);
  playlistsOf(opened);
}

function assetsOf(database: Sqlite): readonly Asset[] {
  try {
    return createLibrary({
      database,
      now: () => 0,
      makeId: () => "",
    }).assets();
  } catch (error) {
    throw backupError(playerSentences["row-asset-unreadable"], error);
  }
}

function assertExtras(database: Sqlite): void {
  const texts = database
    .prepare<[], string>("SELECT extras FROM assets WHERE extras IS NOT NULL")
    .pluck()
    .all();
  if (!texts.every(isValidText))
    throw backupError(playerSentences["row-asset-foreign"]);
}

function playlistsOf(database: Sqlite): readonly Playlist[] {
  try {
    return createPlaylists({ database, now: () => 0, makeId: () => "" }).all();
  } catch (error) {
    throw backupError(playerSentences["row-playlist-unreadable"], error);
  }
}

function assertIntact(playlist: Playlist): void {
  if (!isValidPlaylist(playlist))
    throw backupError(
      composeSentence(playerSentences["row-playlist-invalid"], {
        name: playlist.name.slice(0, 100),
      }),
    );
}

function assertSettings(database: Sqlite): void {
  try {
    createSettings(database);
  } catch (error) {
    throw backupError(playerSentences["row-setting-unreadable"], error);
  }
}

/** The latest moment that a Date can represent. */
const maxMoment = 8.64e15;
const isMoment = (moment: number | null): boolean =>
  moment === null || Math.abs(moment) <= maxMoment;

/** The place of an upload for a file that is still missing. */
const waitingPlace = /^upload:[0-9a-f]{32}$/i;

/** Ids are part of addresses. */
export const plainId = /^[\w-]{1,64}$/;

const headerText = /^[\x20-\x7e]{1,255}$/;

function assertShowable(asset: Asset): void {
  const { id, name, uri, startsAt, endsAt, durationSeconds, file } = asset;
  const address = addressOf(uri);
  const isValidItem =
    plainId.test(id) &&
    isMoment(startsAt) &&
    isMoment(endsAt) &&
    "value" in readDuration(durationSeconds) &&
    // As lenient as any client ever could store it: one row rejected here would reject all the others with it.
    (file !== null || address !== null || waitingPlace.test(uri)) &&
    (!asset.isProcessing || /^https?:$/.test(address?.protocol ?? "")) &&
    // The type is sent as a header.
    (file === null || headerText.test(file.type));
  if (!isValidItem)
    throw backupError(
      composeSentence(playerSentences["row-asset-invalid"], {
        name: name.slice(0, 100),
      }),
    );
}

/** Rows of apps: their settings are parsed, and their types are sent as headers. */
function assertApps(database: Sqlite): void {
  const settings = database
    .prepare<[], string>("SELECT settings FROM apps")
    .pluck();
  const types = database
    .prepare<[], string>("SELECT DISTINCT type FROM app_files")
    .pluck();
  try {
    for (const text of settings.all()) JSON.parse(text);
  } catch (error) {
    throw backupError(playerSentences["row-app-unreadable"], error);
  }
  if (!types.all().every((type) => headerText.test(type)))
    throw backupError(playerSentences["row-app-invalid"]);
}

/** Each row has its bytes, and all bytes have a row. */
function assertFiles(
  database: Sqlite,
  files: ReadonlyMap<string, Aside>,
): void {
  const rows = database
    .prepare<[], { hash: string; size_bytes: number }>(
      "SELECT hash, size_bytes FROM files",
    )
    .all();
  for (const { hash, size_bytes: sizeBytes } of rows)
    if (files.get(hash)?.sizeBytes !== sizeBytes)
      throw backupError(
        composeSentence(playerSentences["row-file-missing"], {
          name: hash.slice(0, 64),
        }),
      );
  if (rows.length !== files.size)
    throw new OutsideError("corrupt", playerSentences["archive-files-extra"]);
}

function backupError(what: string, cause?: unknown): OutsideError {
  return new OutsideError(
    "corrupt",
    composeSentence(playerSentences["archive-row"], { what }),
    cause,
  );
}
