// The player's tables, step by step.

import type { SqliteMigration } from "../platform/sqlite.ts";

export const playerMigrations: readonly SqliteMigration[] = [
  {
    id: 1,
    name: "files, uploads, assets and settings",
    sqlite: `
      CREATE TABLE files (
        hash TEXT PRIMARY KEY,
        size_bytes INTEGER NOT NULL,
        type TEXT NOT NULL,
        length_seconds REAL
      ) STRICT;
      CREATE TABLE uploads (
        token TEXT PRIMARY KEY,
        hash TEXT NOT NULL REFERENCES files (hash),
        received_at INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX uploads_by_hash ON uploads (hash);
      CREATE TABLE assets (
        created INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL UNIQUE,
        uri TEXT NOT NULL,
        mimetype TEXT NOT NULL,
        starts_at INTEGER,
        ends_at INTEGER,
        duration_seconds INTEGER NOT NULL,
        is_enabled INTEGER NOT NULL,
        is_processing INTEGER NOT NULL DEFAULT 0,
        no_cache INTEGER NOT NULL DEFAULT 0,
        skip_asset_check INTEGER NOT NULL DEFAULT 0,
        play_order INTEGER NOT NULL,
        file_hash TEXT REFERENCES files (hash),
        problem TEXT
      ) STRICT;
      CREATE INDEX assets_in_order ON assets (play_order, created);
      CREATE INDEX assets_by_file ON assets (file_hash);
      CREATE TABLE settings (
        name TEXT PRIMARY KEY,
        value TEXT NOT NULL
      ) STRICT;
    `,
  },
  {
    id: 2,
    name: "access tokens",
    sqlite: `
      CREATE TABLE tokens (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        hash BLOB NOT NULL,
        created_at INTEGER NOT NULL,
        last_used_at INTEGER
      ) STRICT;
    `,
  },
  {
    id: 3,
    name: "resumable fetches",
    sqlite: "ALTER TABLE assets ADD COLUMN fetch_validator TEXT",
  },
  {
    id: 4,
    name: "files that no PC can play",
    sqlite: "ALTER TABLE files ADD COLUMN problem TEXT",
  },
  {
    id: 5,
    name: "what assets bring beyond the specification, and playlists",
    // An item goes with its asset, and with its playlist.
    sqlite: `
      ALTER TABLE assets ADD COLUMN extras TEXT;
      CREATE TABLE playlists (
        created INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL UNIQUE,
        predicate TEXT NOT NULL,
        priority INTEGER NOT NULL,
        is_enabled INTEGER NOT NULL,
        groups TEXT NOT NULL,
        transition TEXT,
        is_shuffled INTEGER,
        created_at INTEGER NOT NULL
      ) STRICT;
      CREATE TABLE playlist_items (
        id TEXT PRIMARY KEY,
        playlist_id TEXT NOT NULL REFERENCES playlists (id) ON DELETE CASCADE,
        place INTEGER NOT NULL,
        asset_id TEXT NOT NULL REFERENCES assets (id) ON DELETE CASCADE,
        duration_seconds INTEGER
      ) STRICT;
      CREATE INDEX playlist_items_in_order ON playlist_items (playlist_id, place);
      CREATE INDEX playlist_items_by_asset ON playlist_items (asset_id);
    `,
  },
  {
    id: 6,
    name: "apps",
    // What an app is made of goes with it.
    sqlite: `
      CREATE TABLE apps (
        hash TEXT PRIMARY KEY REFERENCES files (hash) ON DELETE CASCADE,
        entry_kind TEXT NOT NULL,
        entry TEXT NOT NULL,
        waits_for_signal INTEGER NOT NULL,
        settings TEXT NOT NULL
      ) STRICT;
      CREATE TABLE app_files (
        app_hash TEXT NOT NULL REFERENCES apps (hash) ON DELETE CASCADE,
        path TEXT NOT NULL,
        file_hash TEXT NOT NULL REFERENCES files (hash),
        type TEXT NOT NULL,
        PRIMARY KEY (app_hash, path)
      ) STRICT;
      CREATE INDEX app_files_by_file ON app_files (file_hash);
    `,
  },
  {
    id: 7,
    name: "a takeover that outlives a restart",
    sqlite: `
      CREATE TABLE takeover (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        value TEXT NOT NULL
      ) STRICT;
    `,
  },
];
