// Migrations of the player's tables.

import type { SqliteMigration } from "../platform/sqlite/sqlite.ts";

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
    // An item is deleted with its asset, and with its playlist.
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
    // The parts of an app are deleted with it.
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
  {
    id: 8,
    name: "a bin",
    // Rows as they were, so that they are restored unchanged.
    sqlite: `
      CREATE TABLE bin (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        kind TEXT NOT NULL,
        id TEXT NOT NULL,
        name TEXT NOT NULL,
        value TEXT NOT NULL,
        file_hash TEXT,
        binned_at INTEGER NOT NULL,
        UNIQUE (kind, id)
      ) STRICT;
      CREATE INDEX bin_by_file ON bin (file_hash);
      CREATE TABLE bin_items (
        id TEXT PRIMARY KEY,
        playlist_id TEXT NOT NULL,
        place INTEGER NOT NULL,
        asset_id TEXT NOT NULL,
        duration_seconds INTEGER
      ) STRICT;
    `,
  },
  {
    id: 9,
    name: "what happened, and what was shown",
    sqlite: `
      CREATE TABLE activity (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        at INTEGER NOT NULL,
        kind TEXT NOT NULL,
        what TEXT NOT NULL,
        name TEXT NOT NULL,
        asset_id TEXT,
        says TEXT NOT NULL
      ) STRICT;
      CREATE TABLE plays (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        asset_id TEXT NOT NULL,
        name TEXT NOT NULL,
        playlist_id TEXT,
        playlist_name TEXT,
        reason TEXT NOT NULL,
        started_at INTEGER NOT NULL,
        ended_at INTEGER NOT NULL
      ) STRICT;
      CREATE TABLE play_days (
        day TEXT NOT NULL,
        asset_id TEXT NOT NULL,
        name TEXT NOT NULL,
        plays INTEGER NOT NULL,
        milliseconds INTEGER NOT NULL,
        PRIMARY KEY (day, asset_id)
      ) STRICT, WITHOUT ROWID;
    `,
  },
  {
    id: 10,
    name: "clouds",
    // Remembers which deleted rows came from the content service, so that they stay deleted: no foreign key, as the local rows are
    // gone.
    sqlite: `
      CREATE TABLE sync_accounts (
        place INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        value TEXT NOT NULL,
        memory TEXT NOT NULL DEFAULT '{}'
      ) STRICT;
      CREATE TABLE sync_assets (
        account_id TEXT NOT NULL REFERENCES sync_accounts (id) ON DELETE CASCADE,
        remote_id TEXT NOT NULL,
        id TEXT NOT NULL UNIQUE,
        applied TEXT NOT NULL,
        PRIMARY KEY (account_id, remote_id)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE sync_playlists (
        account_id TEXT NOT NULL REFERENCES sync_accounts (id) ON DELETE CASCADE,
        remote_id TEXT NOT NULL,
        id TEXT NOT NULL UNIQUE,
        applied TEXT NOT NULL,
        PRIMARY KEY (account_id, remote_id)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE sync_plans (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        account_id TEXT NOT NULL REFERENCES sync_accounts (id) ON DELETE CASCADE,
        target TEXT NOT NULL,
        at INTEGER NOT NULL,
        is_current INTEGER NOT NULL,
        is_waiting INTEGER NOT NULL,
        wanted TEXT NOT NULL
      ) STRICT;
      CREATE INDEX sync_plans_by_account ON sync_plans (account_id);
      CREATE TABLE sync_files (
        md5 TEXT PRIMARY KEY,
        file_hash TEXT NOT NULL REFERENCES files (hash)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX sync_files_by_hash ON sync_files (file_hash);
    `,
  },
  {
    id: 11,
    name: "a link, changes for a cloud, and keys of plans on a stick",
    // All of it belongs to this machine: no foreign key to a connection, as a recovery replaces those.
    sqlite: `
      CREATE TABLE link_pairing (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        value TEXT NOT NULL
      ) STRICT;
      CREATE TABLE links (
        account_id TEXT PRIMARY KEY,
        value TEXT NOT NULL
      ) STRICT;
      CREATE TABLE upwards_changes (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        account_id TEXT NOT NULL,
        value TEXT NOT NULL,
        file_hash TEXT
      ) STRICT;
      CREATE INDEX upwards_changes_by_account ON upwards_changes (account_id);
      CREATE INDEX upwards_changes_by_file ON upwards_changes (file_hash);
      CREATE TABLE air_gap_keys (
        fingerprint TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        trusted_at INTEGER NOT NULL
      ) STRICT;
    `,
  },
  {
    id: 12,
    name: "when ages were last looked at",
    sqlite: `
      CREATE TABLE ages (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        at INTEGER NOT NULL,
        binned INTEGER NOT NULL
      ) STRICT;
    `,
  },
  {
    id: 13,
    name: "what a client sent as is_processing",
    sqlite: "ALTER TABLE assets ADD COLUMN processing_sent INTEGER",
  },
  {
    id: 14,
    name: "files that are checked again",
    // Files from before have not been verified yet.
    sqlite: `
      ALTER TABLE files ADD COLUMN remark TEXT;
      ALTER TABLE files ADD COLUMN is_damaged INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE files ADD COLUMN checked_at INTEGER;
    `,
  },
  {
    id: 15,
    name: "local changes of what content services brought",
    // Earlier local changes are inferred once; for rows written since then they are recorded.
    sqlite: `
      CREATE TABLE sync_local_changes (
        account_id TEXT NOT NULL REFERENCES sync_accounts (id) ON DELETE CASCADE,
        kind TEXT NOT NULL,
        remote_id TEXT NOT NULL,
        id TEXT NOT NULL,
        field TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (account_id, kind, remote_id, field)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX sync_local_changes_by_id ON sync_local_changes (id);
      ALTER TABLE sync_assets ADD COLUMN knows_changes INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE sync_playlists ADD COLUMN knows_changes INTEGER NOT NULL DEFAULT 0;
    `,
  },
  {
    id: 16,
    name: "a password",
    sqlite: `
      CREATE TABLE password (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        id TEXT NOT NULL,
        hash TEXT NOT NULL,
        set_at INTEGER NOT NULL
      ) STRICT;
    `,
  },
  {
    id: 17,
    name: "who made a change, and what it was before",
    // JSON: the changed fields with both values. Entries from before have none.
    sqlite: `
      ALTER TABLE activity ADD COLUMN actor_kind TEXT;
      ALTER TABLE activity ADD COLUMN actor_name TEXT NOT NULL DEFAULT '';
      ALTER TABLE activity ADD COLUMN actor_address TEXT;
      ALTER TABLE activity ADD COLUMN changes TEXT NOT NULL DEFAULT '';
    `,
  },
];
