// Tables of ingest and files: what is being ingested, which bytes belong to which asset, which are held.

import type { Generated } from "kysely";

/** One migration, on top of the tables of the catalogue. */
export const serviceTables = {
  sqlite: `
    CREATE TABLE service_secrets (
      name TEXT PRIMARY KEY,
      secret TEXT NOT NULL
    ) STRICT;
    CREATE TABLE asset_intakes (
      asset_id TEXT PRIMARY KEY REFERENCES assets (id) ON DELETE CASCADE,
      source_hash TEXT,
      file_hash TEXT,
      preview_hash TEXT,
      validator TEXT,
      tries INTEGER NOT NULL DEFAULT 0,
      due_at INTEGER,
      lease_owner TEXT,
      lease_until INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX asset_intakes_due ON asset_intakes (due_at) WHERE due_at IS NOT NULL;
    CREATE INDEX asset_intakes_source ON asset_intakes (source_hash) WHERE source_hash IS NOT NULL;
    CREATE INDEX asset_intakes_file ON asset_intakes (file_hash) WHERE file_hash IS NOT NULL;
    CREATE INDEX asset_intakes_preview ON asset_intakes (preview_hash) WHERE preview_hash IS NOT NULL;
    CREATE TABLE uploads (
      asset_id TEXT PRIMARY KEY,
      source_hash TEXT NOT NULL,
      received_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX uploads_source ON uploads (source_hash);
    CREATE TABLE stored_files (
      hash TEXT PRIMARY KEY,
      kept_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE file_holds (
      holder TEXT NOT NULL,
      hash TEXT NOT NULL,
      held_at INTEGER NOT NULL,
      PRIMARY KEY (holder, hash)
    ) STRICT;
    CREATE INDEX file_holds_hash ON file_holds (hash);
    CREATE TABLE dropped_files (
      hash TEXT PRIMARY KEY
    ) STRICT;
    CREATE TRIGGER assets_need_intake AFTER INSERT ON assets
    WHEN NEW.status = 'none' AND (NEW.source_url IS NOT NULL OR EXISTS (
      SELECT 1 FROM uploads WHERE asset_id = NEW.id
    ))
    BEGIN
      INSERT INTO asset_intakes (asset_id, due_at) VALUES (NEW.id, 0);
    END;
    CREATE TRIGGER asset_intakes_drop_files AFTER DELETE ON asset_intakes
    BEGIN
      INSERT OR IGNORE INTO dropped_files (hash)
      SELECT hash FROM (
        SELECT OLD.source_hash AS hash UNION SELECT OLD.file_hash UNION SELECT OLD.preview_hash
      ) WHERE hash IS NOT NULL;
    END;`,
  postgres: `
    CREATE TABLE service_secrets (
      name text PRIMARY KEY,
      secret text NOT NULL
    );
    CREATE TABLE asset_intakes (
      asset_id text PRIMARY KEY REFERENCES assets (id) ON DELETE CASCADE,
      source_hash text,
      file_hash text,
      preview_hash text,
      validator text,
      tries integer NOT NULL DEFAULT 0,
      due_at bigint,
      lease_owner text,
      lease_until bigint NOT NULL DEFAULT 0
    );
    CREATE INDEX asset_intakes_due ON asset_intakes (due_at) WHERE due_at IS NOT NULL;
    CREATE INDEX asset_intakes_source ON asset_intakes (source_hash) WHERE source_hash IS NOT NULL;
    CREATE INDEX asset_intakes_file ON asset_intakes (file_hash) WHERE file_hash IS NOT NULL;
    CREATE INDEX asset_intakes_preview ON asset_intakes (preview_hash) WHERE preview_hash IS NOT NULL;
    CREATE TABLE uploads (
      asset_id text PRIMARY KEY,
      source_hash text NOT NULL,
      received_at bigint NOT NULL
    );
    CREATE INDEX uploads_source ON uploads (source_hash);
    CREATE TABLE stored_files (
      hash text PRIMARY KEY,
      kept_at bigint NOT NULL
    );
    CREATE TABLE file_holds (
      holder text NOT NULL,
      hash text NOT NULL,
      held_at bigint NOT NULL,
      PRIMARY KEY (holder, hash)
    );
    CREATE INDEX file_holds_hash ON file_holds (hash);
    CREATE TABLE dropped_files (
      hash text PRIMARY KEY
    );
    CREATE FUNCTION need_intakes() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO asset_intakes (asset_id, due_at)
      SELECT id, 0 FROM fresh WHERE status = 'none' AND (source_url IS NOT NULL OR EXISTS (
        SELECT 1 FROM uploads WHERE asset_id = fresh.id
      ));
      RETURN NULL;
    END $$;
    CREATE TRIGGER assets_need_intake AFTER INSERT ON assets
    REFERENCING NEW TABLE AS fresh
    FOR EACH STATEMENT EXECUTE FUNCTION need_intakes();
    CREATE FUNCTION drop_files() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO dropped_files (hash)
      SELECT hash FROM (
        SELECT source_hash AS hash FROM gone UNION SELECT file_hash FROM gone UNION SELECT preview_hash FROM gone
      ) AS hashes WHERE hash IS NOT NULL
      ON CONFLICT DO NOTHING;
      RETURN NULL;
    END $$;
    CREATE TRIGGER asset_intakes_drop_files AFTER DELETE ON asset_intakes
    REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION drop_files();`,
} as const;

/** The same as types, for statements written in code. */
export interface ServiceTables {
  readonly service_secrets: { readonly name: string; readonly secret: string };
  /** One row per asset that is or was ingested; `due_at` is null when nothing is left to do. */
  readonly asset_intakes: {
    readonly asset_id: string;
    readonly source_hash: string | null;
    readonly file_hash: string | null;
    readonly preview_hash: string | null;
    readonly validator: string | null;
    readonly tries: Generated<number>;
    /** Time spent fetching the source, including pauses between attempts. */
    readonly spent_ms: Generated<number>;
    readonly due_at: number | null;
    readonly lease_owner: string | null;
    readonly lease_until: Generated<number>;
  };
  /** Bytes received with an asset that is about to be created. */
  readonly uploads: {
    readonly asset_id: string;
    readonly source_hash: string;
    readonly received_at: number;
  };
  readonly stored_files: { readonly hash: string; readonly kept_at: number };
  /** Holders about to write a row that references these bytes, which are kept meanwhile. */
  readonly file_holds: {
    readonly holder: string;
    readonly hash: string;
    readonly held_at: number;
  };
  /** Bytes whose asset was deleted: checked soon. */
  readonly dropped_files: { readonly hash: string };
  /** Work that one of all instances does from time to time; `progress` is where the next one continues. */
  readonly periodic_tasks: {
    readonly name: string;
    readonly owner: Generated<string>;
    readonly lease_until: Generated<number>;
    readonly due_at: number;
    readonly progress: Generated<string>;
  };
}
