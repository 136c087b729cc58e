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
];
