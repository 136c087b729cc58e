// Migrations of the content service's tables, for both databases.

import type { Migration } from "../platform/database/migrate.ts";
import { serviceTables } from "./ingest/tables.ts";
import { announcingTrigger } from "./link/announced-changes.ts";
import { pendingChanges } from "./link/pending-changes.ts";
import { adoptedChanges, screenChanges } from "./link/screen-changes.ts";

export const contentMigrations: readonly Migration[] = [
  {
    id: 1,
    name: "teams and what they keep",
    ...forBoth(`
      CREATE TABLE teams (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        domain TEXT NOT NULL DEFAULT '',
        created_at MOMENT NOT NULL
      );
      CREATE TABLE api_keys (
        id TEXT PRIMARY KEY,
        team_id TEXT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        hash TEXT NOT NULL UNIQUE,
        created_at MOMENT NOT NULL,
        last_used_at MOMENT,
        revoked_at MOMENT
      );
      CREATE TABLE users (
        id TEXT PRIMARY KEY,
        team_id TEXT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
        company TEXT NOT NULL DEFAULT '',
        email TEXT NOT NULL DEFAULT '',
        first_name TEXT NOT NULL DEFAULT '',
        last_name TEXT NOT NULL DEFAULT '',
        created_at MOMENT NOT NULL
      );
      CREATE INDEX users_of_team ON users (team_id, id);

      CREATE TABLE asset_groups (
        id TEXT PRIMARY KEY,
        team_id TEXT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
        title TEXT NOT NULL DEFAULT '',
        created_at MOMENT NOT NULL,
        UNIQUE (team_id, id)
      );
      CREATE INDEX asset_groups_by_title ON asset_groups (team_id, title, id);

      CREATE TABLE edge_apps (
        id TEXT PRIMARY KEY,
        team_id TEXT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        deleted FLAG NOT NULL DEFAULT FALSE,
        created_at MOMENT NOT NULL,
        UNIQUE (team_id, id)
      );
      CREATE TABLE edge_app_versions (
        row_id TEXT PRIMARY KEY,
        team_id TEXT NOT NULL,
        app_id TEXT NOT NULL,
        revision WHOLE NOT NULL,
        user_version TEXT,
        description TEXT,
        icon TEXT,
        author TEXT,
        homepage_url TEXT,
        categories JSON NOT NULL DEFAULT '[]',
        ready_signal FLAG NOT NULL DEFAULT FALSE,
        file_tree JSON NOT NULL DEFAULT '{}',
        entrypoint JSON,
        published FLAG NOT NULL DEFAULT FALSE,
        created_at MOMENT NOT NULL,
        UNIQUE (team_id, app_id, revision),
        FOREIGN KEY (team_id, app_id) REFERENCES edge_apps (team_id, id) ON DELETE CASCADE
      );
      CREATE TABLE edge_app_channels (
        row_id TEXT PRIMARY KEY,
        team_id TEXT NOT NULL,
        app_id TEXT NOT NULL,
        channel TEXT NOT NULL,
        app_revision WHOLE,
        created_at MOMENT NOT NULL,
        UNIQUE (team_id, app_id, channel),
        FOREIGN KEY (team_id, app_id) REFERENCES edge_apps (team_id, id) ON DELETE CASCADE
      );
      CREATE TABLE edge_app_installations (
        id TEXT PRIMARY KEY,
        team_id TEXT NOT NULL,
        app_id TEXT NOT NULL,
        name TEXT NOT NULL DEFAULT '',
        app_channel TEXT NOT NULL DEFAULT 'stable',
        created_at MOMENT NOT NULL,
        UNIQUE (team_id, id),
        FOREIGN KEY (team_id, app_id) REFERENCES edge_apps (team_id, id) ON DELETE CASCADE
      );
      CREATE INDEX installations_of_app ON edge_app_installations (team_id, app_id);
      CREATE TABLE edge_app_settings (
        id TEXT PRIMARY KEY,
        team_id TEXT NOT NULL,
        app_id TEXT NOT NULL,
        name TEXT NOT NULL,
        type TEXT NOT NULL DEFAULT 'string' CHECK (type IN ('string', 'secret')),
        default_value TEXT,
        optional FLAG NOT NULL DEFAULT FALSE,
        title TEXT,
        help_text TEXT NOT NULL DEFAULT '',
        is_global FLAG NOT NULL DEFAULT FALSE,
        created_at MOMENT NOT NULL,
        UNIQUE (team_id, id),
        UNIQUE (team_id, app_id, name),
        FOREIGN KEY (team_id, app_id) REFERENCES edge_apps (team_id, id) ON DELETE CASCADE
      );
      CREATE TABLE edge_app_setting_values (
        row_id TEXT PRIMARY KEY,
        team_id TEXT NOT NULL,
        setting_id TEXT NOT NULL,
        app_id TEXT NOT NULL,
        installation_id TEXT,
        name TEXT NOT NULL,
        value TEXT NOT NULL,
        created_at MOMENT NOT NULL,
        FOREIGN KEY (team_id, setting_id) REFERENCES edge_app_settings (team_id, id) ON DELETE CASCADE,
        FOREIGN KEY (team_id, app_id) REFERENCES edge_apps (team_id, id) ON DELETE CASCADE,
        FOREIGN KEY (team_id, installation_id) REFERENCES edge_app_installations (team_id, id) ON DELETE CASCADE
      );
      CREATE UNIQUE INDEX one_value_of_a_setting
        ON edge_app_setting_values (setting_id, coalesce(installation_id, ''));
      CREATE INDEX setting_values_of_installation ON edge_app_setting_values (team_id, installation_id);
      CREATE INDEX setting_values_of_app ON edge_app_setting_values (team_id, app_id);
      CREATE TABLE edge_app_secret_values (
        row_id TEXT PRIMARY KEY,
        team_id TEXT NOT NULL,
        setting_id TEXT NOT NULL,
        app_id TEXT NOT NULL,
        installation_id TEXT,
        name TEXT NOT NULL,
        value TEXT NOT NULL,
        created_at MOMENT NOT NULL,
        FOREIGN KEY (team_id, setting_id) REFERENCES edge_app_settings (team_id, id) ON DELETE CASCADE,
        FOREIGN KEY (team_id, app_id) REFERENCES edge_apps (team_id, id) ON DELETE CASCADE,
        FOREIGN KEY (team_id, installation_id) REFERENCES edge_app_installations (team_id, id) ON DELETE CASCADE
      );
      CREATE UNIQUE INDEX one_value_of_a_secret
        ON edge_app_secret_values (setting_id, coalesce(installation_id, ''));
      CREATE INDEX secret_values_of_installation ON edge_app_secret_values (team_id, installation_id);
      CREATE INDEX secret_values_of_app ON edge_app_secret_values (team_id, app_id);

      CREATE TABLE assets (
        id TEXT PRIMARY KEY,
        team_id TEXT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
        asset_group_id TEXT,
        type TEXT CHECK (type IN ('appweb', 'image', 'video', 'web', 'audio', 'edge-app', 'edge-app-file', 'pdf',
          'pdf-page', 'streaming')),
        title TEXT NOT NULL DEFAULT '',
        duration DECIMAL,
        asset_url TEXT NOT NULL DEFAULT '',
        md5 TEXT,
        source_md5 TEXT,
        source_size WHOLE,
        source_url TEXT,
        width WHOLE,
        height WHOLE,
        disable_verification FLAG NOT NULL DEFAULT FALSE,
        headers JSON DEFAULT '{}',
        send_metadata FLAG NOT NULL DEFAULT FALSE,
        zoom_level WHOLE CHECK (zoom_level BETWEEN 25 AND 500),
        user_agent TEXT,
        player_side_render FLAG NOT NULL DEFAULT TRUE,
        screenshot_cache_seconds WHOLE CHECK (screenshot_cache_seconds >= 0),
        metadata JSON DEFAULT '{}',
        status TEXT NOT NULL DEFAULT 'none' CHECK (status IN ('none', 'downloading', 'processing', 'error', 'finished',
          'not-promoted')),
        js_injection TEXT DEFAULT '',
        thumbnail_uri TEXT,
        processing_error TEXT NOT NULL DEFAULT '',
        mimetype TEXT,
        app_id TEXT,
        signature TEXT,
        app_revision WHOLE,
        app_channel TEXT,
        app_installation_id TEXT,
        pdf_asset_id TEXT,
        pdf_page_number WHOLE,
        pdf_page_enabled FLAG,
        pdf_page_rotation WHOLE CHECK (pdf_page_rotation IN (0, 90, 180, 270)),
        created_at MOMENT NOT NULL,
        UNIQUE (team_id, id),
        FOREIGN KEY (team_id, asset_group_id) REFERENCES asset_groups (team_id, id) ON DELETE CASCADE,
        FOREIGN KEY (team_id, pdf_asset_id) REFERENCES assets (team_id, id) ON DELETE CASCADE,
        FOREIGN KEY (team_id, app_id) REFERENCES edge_apps (team_id, id) ON DELETE CASCADE,
        FOREIGN KEY (team_id, app_installation_id) REFERENCES edge_app_installations (team_id, id) ON DELETE CASCADE
      );
      CREATE INDEX assets_of_group ON assets (team_id, asset_group_id, id);
      CREATE INDEX assets_by_title ON assets (team_id, title, id);
      CREATE INDEX assets_by_type ON assets (team_id, type, id);
      CREATE INDEX assets_by_status ON assets (team_id, status, id);
      CREATE INDEX assets_by_creation ON assets (team_id, created_at, id);
      CREATE INDEX pages_of_pdf ON assets (team_id, pdf_asset_id) WHERE pdf_asset_id IS NOT NULL;
      CREATE INDEX assets_of_app ON assets (team_id, app_id) WHERE app_id IS NOT NULL;
      CREATE INDEX assets_of_installation ON assets (team_id, app_installation_id) WHERE app_installation_id IS NOT NULL;

      CREATE TABLE labels (
        id TEXT PRIMARY KEY,
        team_id TEXT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
        type TEXT NOT NULL DEFAULT 'manual',
        name TEXT NOT NULL,
        human_name TEXT NOT NULL,
        created_at MOMENT NOT NULL,
        UNIQUE (team_id, id)
      );
      CREATE UNIQUE INDEX one_label_of_all_screens ON labels (team_id) WHERE type = 'all-screens';
      CREATE TABLE screens (
        id TEXT PRIMARY KEY,
        team_id TEXT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
        name TEXT NOT NULL DEFAULT '',
        hostname TEXT NOT NULL DEFAULT '',
        type TEXT NOT NULL DEFAULT 'hardware',
        status TEXT NOT NULL DEFAULT 'Offline',
        in_sync FLAG NOT NULL DEFAULT FALSE,
        ws_open FLAG NOT NULL DEFAULT FALSE,
        is_enabled FLAG NOT NULL DEFAULT TRUE,
        debug FLAG NOT NULL DEFAULT FALSE,
        location TEXT NOT NULL DEFAULT '',
        coords JSON NOT NULL DEFAULT '[0, 0]',
        timezone TEXT NOT NULL DEFAULT 'UTC',
        config JSON NOT NULL DEFAULT '{}',
        last_ping MOMENT,
        last_ip TEXT,
        local_ip TEXT,
        mac TEXT,
        interface TEXT,
        uptime WHOLE,
        load_avg TEXT,
        signal_strength WHOLE,
        software_version TEXT,
        hardware_version TEXT,
        last_screenshot TEXT NOT NULL DEFAULT '',
        last_screenshot_time MOMENT,
        created_at MOMENT NOT NULL,
        UNIQUE (team_id, id)
      );
      CREATE TABLE screen_reports (
        screen_id TEXT PRIMARY KEY,
        team_id TEXT NOT NULL,
        client_version TEXT,
        reported_at MOMENT NOT NULL,
        FOREIGN KEY (team_id, screen_id) REFERENCES screens (team_id, id) ON DELETE CASCADE
      );
      CREATE TABLE playlists (
        id TEXT PRIMARY KEY,
        team_id TEXT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
        title TEXT NOT NULL,
        predicate TEXT NOT NULL DEFAULT 'TRUE',
        is_enabled FLAG NOT NULL DEFAULT TRUE,
        priority WHOLE NOT NULL DEFAULT 0,
        transitions FLAG NOT NULL DEFAULT TRUE,
        created_at MOMENT NOT NULL,
        UNIQUE (team_id, id)
      );
      CREATE TABLE playlist_items (
        id TEXT PRIMARY KEY,
        team_id TEXT NOT NULL,
        playlist_id TEXT NOT NULL,
        asset_id TEXT NOT NULL,
        duration DECIMAL NOT NULL DEFAULT 10 CHECK (duration >= 0),
        position WHOLE NOT NULL,
        created_at MOMENT NOT NULL,
        FOREIGN KEY (team_id, playlist_id) REFERENCES playlists (team_id, id) ON DELETE CASCADE,
        FOREIGN KEY (team_id, asset_id) REFERENCES assets (team_id, id) ON DELETE CASCADE
      );
      CREATE INDEX items_of_playlist ON playlist_items (team_id, playlist_id, position, id);
      CREATE INDEX items_with_asset ON playlist_items (team_id, asset_id);
      CREATE TABLE label_screen (
        row_id TEXT PRIMARY KEY,
        team_id TEXT NOT NULL,
        label_id TEXT NOT NULL,
        screen_id TEXT NOT NULL,
        created_at MOMENT NOT NULL,
        UNIQUE (team_id, label_id, screen_id),
        FOREIGN KEY (team_id, label_id) REFERENCES labels (team_id, id) ON DELETE CASCADE,
        FOREIGN KEY (team_id, screen_id) REFERENCES screens (team_id, id) ON DELETE CASCADE
      );
      CREATE INDEX labels_of_screen ON label_screen (team_id, screen_id, label_id);
      CREATE TABLE label_playlist (
        row_id TEXT PRIMARY KEY,
        team_id TEXT NOT NULL,
        label_id TEXT NOT NULL,
        playlist_id TEXT NOT NULL,
        created_at MOMENT NOT NULL,
        UNIQUE (team_id, label_id, playlist_id),
        FOREIGN KEY (team_id, label_id) REFERENCES labels (team_id, id) ON DELETE CASCADE,
        FOREIGN KEY (team_id, playlist_id) REFERENCES playlists (team_id, id) ON DELETE CASCADE
      );
      CREATE INDEX labels_of_playlist ON label_playlist (team_id, playlist_id, label_id);
      CREATE TABLE shared_playlists (
        row_id TEXT PRIMARY KEY,
        owner_team_id TEXT NOT NULL,
        playlist_id TEXT NOT NULL,
        team_id TEXT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
        created_at MOMENT NOT NULL,
        UNIQUE (owner_team_id, playlist_id, team_id),
        FOREIGN KEY (owner_team_id, playlist_id) REFERENCES playlists (team_id, id) ON DELETE CASCADE
      );
      CREATE INDEX shares_of_team ON shared_playlists (owner_team_id, team_id);
    `),
  },
  { id: 2, name: "intake and files", ...serviceTables },
  {
    id: 3,
    name: "players, their playbacks, and what they are told",
    ...forBoth(`
      CREATE TABLE players (
        id TEXT PRIMARY KEY,
        credential_hash TEXT NOT NULL UNIQUE,
        pin TEXT,
        pin_ends_at MOMENT NOT NULL,
        team_id TEXT,
        screen_id TEXT,
        facts JSON NOT NULL DEFAULT '{}',
        created_at MOMENT NOT NULL,
        claimed_at MOMENT
      );
      CREATE UNIQUE INDEX players_by_pin ON players (pin) WHERE pin IS NOT NULL;
      CREATE INDEX players_of_screen ON players (screen_id) WHERE screen_id IS NOT NULL;
      CREATE INDEX players_unclaimed ON players (pin_ends_at) WHERE claimed_at IS NULL;
      CREATE TABLE pin_guesses (
        guesser TEXT PRIMARY KEY,
        count WHOLE NOT NULL,
        since MOMENT NOT NULL
      );
      CREATE TABLE screen_commands (
        id TEXT PRIMARY KEY,
        team_id TEXT NOT NULL,
        screen_id TEXT NOT NULL,
        kind TEXT NOT NULL,
        created_at MOMENT NOT NULL,
        FOREIGN KEY (team_id, screen_id) REFERENCES screens (team_id, id) ON DELETE CASCADE
      );
      CREATE INDEX commands_of_screen ON screen_commands (screen_id, id);
      CREATE TABLE screen_pictures (
        screen_id TEXT PRIMARY KEY,
        team_id TEXT NOT NULL,
        hash TEXT NOT NULL,
        mimetype TEXT NOT NULL,
        FOREIGN KEY (team_id, screen_id) REFERENCES screens (team_id, id) ON DELETE CASCADE
      );
      CREATE INDEX screen_pictures_hash ON screen_pictures (hash);
      CREATE TABLE team_changes (
        team_id TEXT PRIMARY KEY REFERENCES teams (id) ON DELETE CASCADE,
        revision WHOLE NOT NULL,
        calls WHOLE NOT NULL
      );
      CREATE TABLE playbacks (
        id TEXT PRIMARY KEY,
        team_id TEXT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
        player_id TEXT NOT NULL,
        playback_id TEXT NOT NULL,
        screen_id TEXT NOT NULL,
        asset_id TEXT NOT NULL,
        playlist_id TEXT,
        started_at MOMENT NOT NULL,
        ended_at MOMENT NOT NULL,
        UNIQUE (player_id, playback_id)
      );
      CREATE INDEX playbacks_by_time ON playbacks (team_id, started_at, id);
      CREATE INDEX playbacks_of_screen ON playbacks (team_id, screen_id, started_at, id);
      CREATE INDEX playbacks_of_asset ON playbacks (team_id, asset_id, started_at, id);
      CREATE INDEX playbacks_of_playlist ON playbacks (team_id, playlist_id, started_at, id);
    `),
  },
  {
    id: 4,
    name: "titles of any length",
    // A PostgreSQL index row holds at most 2700 bytes; anything longer could not be stored.
    postgres: `
      DROP INDEX asset_groups_by_title;
      DROP INDEX assets_by_title;
      CREATE INDEX asset_groups_by_title ON asset_groups (team_id, left(title, 500), id);
      CREATE INDEX assets_by_title ON assets (team_id, left(title, 500), id);
    `,
    sqlite: "SELECT 1",
  },
  {
    id: 5,
    name: "numbers of deleted revisions",
    ...forBoth(
      "ALTER TABLE edge_apps ADD COLUMN deleted_revision WHOLE NOT NULL DEFAULT 0",
    ),
  },
  { id: 6, name: "changes that are not announced yet", ...pendingChanges },
  {
    id: 7,
    name: "time spent on fetching a source",
    ...forBoth(
      "ALTER TABLE asset_intakes ADD COLUMN spent_ms WHOLE NOT NULL DEFAULT 0",
    ),
  },
  {
    id: 8,
    name: "how many items of a screen are here",
    ...forBoth("ALTER TABLE screens ADD COLUMN item_counts JSON"),
  },
  {
    id: 9,
    name: "periodic work shared by all instances",
    ...forBoth(`
      CREATE TABLE periodic_tasks (
        name TEXT PRIMARY KEY,
        owner TEXT NOT NULL DEFAULT '',
        lease_until MOMENT NOT NULL DEFAULT 0,
        due_at MOMENT NOT NULL,
        progress TEXT NOT NULL DEFAULT ''
      );
    `),
  },
  {
    id: 10,
    name: "states of screens, their outages, and results of commands",
    // The report is text, so that it stays as it was sent: it is compared with the next one (L-38).
    ...forBoth(`
      CREATE TABLE screen_states (
        screen_id TEXT PRIMARY KEY,
        team_id TEXT NOT NULL,
        state TEXT NOT NULL,
        since MOMENT NOT NULL,
        reason TEXT,
        report TEXT,
        reported_at MOMENT,
        FOREIGN KEY (team_id, screen_id) REFERENCES screens (team_id, id) ON DELETE CASCADE
      );
      INSERT INTO screen_states (screen_id, team_id, state, since, reason)
        SELECT id, team_id,
          CASE status WHEN 'Offline' THEN 'offline' ELSE 'unverified' END,
          last_ping,
          CASE status WHEN 'Offline' THEN 'The player does not respond.' ELSE 'The player does not report what the screen shows.' END
        FROM screens WHERE last_ping IS NOT NULL;
      CREATE TABLE screen_outages (
        id TEXT PRIMARY KEY,
        team_id TEXT NOT NULL,
        screen_id TEXT NOT NULL,
        state TEXT NOT NULL,
        reason TEXT NOT NULL,
        started_at MOMENT NOT NULL,
        ended_at MOMENT,
        FOREIGN KEY (team_id, screen_id) REFERENCES screens (team_id, id) ON DELETE CASCADE
      );
      CREATE UNIQUE INDEX one_open_outage_of_screen ON screen_outages (screen_id) WHERE ended_at IS NULL;
      CREATE INDEX outages_by_time ON screen_outages (team_id, started_at, id);
      CREATE INDEX outages_of_screen ON screen_outages (team_id, screen_id, started_at, id);
      CREATE INDEX outages_by_end ON screen_outages (ended_at);

      ALTER TABLE screen_commands ADD COLUMN action_id TEXT NOT NULL DEFAULT '';
      ALTER TABLE screen_commands ADD COLUMN arguments TEXT NOT NULL DEFAULT '{}';
      ALTER TABLE screen_commands ADD COLUMN issued_by TEXT NOT NULL DEFAULT '';
      ALTER TABLE screen_commands ADD COLUMN state TEXT NOT NULL DEFAULT 'waiting';
      ALTER TABLE screen_commands ADD COLUMN state_at MOMENT NOT NULL DEFAULT 0;
      ALTER TABLE screen_commands ADD COLUMN message TEXT;
      ALTER TABLE screen_commands ADD COLUMN expires_at MOMENT NOT NULL DEFAULT 0;
      UPDATE screen_commands SET action_id = id, state_at = created_at, expires_at = created_at + 600000;
      DROP INDEX commands_of_screen;
      CREATE INDEX commands_of_screen ON screen_commands (screen_id, expires_at);
      CREATE INDEX commands_by_time ON screen_commands (team_id, created_at, id);
      CREATE INDEX commands_by_age ON screen_commands (created_at);
    `),
  },
  {
    id: 11,
    name: "alerts",
    ...forBoth(`
      CREATE TABLE alert_rules (
        id TEXT PRIMARY KEY,
        team_id TEXT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        is_enabled FLAG NOT NULL,
        states TEXT NOT NULL,
        after_seconds WHOLE NOT NULL,
        label_ids TEXT NOT NULL,
        webhook_url TEXT,
        webhook_secret TEXT,
        emails TEXT NOT NULL,
        quiet_hours TEXT,
        pace TEXT NOT NULL,
        created_at MOMENT NOT NULL
      );
      CREATE INDEX alert_rules_of_team ON alert_rules (team_id, id);
      CREATE TABLE alert_incidents (
        id TEXT PRIMARY KEY,
        team_id TEXT NOT NULL,
        rule_id TEXT NOT NULL REFERENCES alert_rules (id) ON DELETE CASCADE,
        screen_id TEXT NOT NULL,
        screen_name TEXT NOT NULL,
        state TEXT NOT NULL,
        reason TEXT NOT NULL,
        since MOMENT NOT NULL,
        opened_at MOMENT,
        ended_at MOMENT,
        end_cause TEXT,
        acknowledged_at MOMENT,
        acknowledged_by TEXT,
        opening TEXT NOT NULL,
        ending TEXT NOT NULL,
        opened_message_id TEXT,
        ended_message_id TEXT
      );
      CREATE UNIQUE INDEX one_open_incident_of_screen ON alert_incidents (rule_id, screen_id) WHERE ended_at IS NULL;
      CREATE INDEX incidents_to_announce ON alert_incidents (rule_id) WHERE ending IN ('waiting', 'held');
      CREATE INDEX incidents_by_time ON alert_incidents (team_id, opened_at, id);
      CREATE INDEX incidents_of_rule ON alert_incidents (rule_id, opened_at, id);
      CREATE INDEX incidents_by_end ON alert_incidents (ended_at);
      CREATE TABLE alert_messages (
        id TEXT PRIMARY KEY,
        team_id TEXT NOT NULL,
        rule_id TEXT NOT NULL REFERENCES alert_rules (id) ON DELETE CASCADE,
        is_digest FLAG NOT NULL,
        body TEXT NOT NULL,
        created_at MOMENT NOT NULL
      );
      CREATE INDEX messages_of_rule ON alert_messages (rule_id);
      CREATE INDEX messages_by_age ON alert_messages (created_at);
      CREATE TABLE alert_deliveries (
        id TEXT PRIMARY KEY,
        message_id TEXT NOT NULL REFERENCES alert_messages (id) ON DELETE CASCADE,
        rule_id TEXT NOT NULL,
        target TEXT NOT NULL,
        address TEXT NOT NULL,
        state TEXT NOT NULL,
        tries WHOLE NOT NULL,
        created_at MOMENT NOT NULL,
        due_at MOMENT NOT NULL,
        lease_owner TEXT,
        lease_until MOMENT NOT NULL,
        tried_at MOMENT,
        result TEXT
      );
      CREATE INDEX deliveries_of_message ON alert_deliveries (message_id, id);
      CREATE INDEX deliveries_to_send ON alert_deliveries (due_at, id) WHERE state = 'waiting';
      CREATE INDEX states_by_team ON screen_states (team_id, state);
    `),
  },
  {
    id: 12,
    name: "causes of outages, and playbacks by day",
    ...forBoth(`
      ALTER TABLE screen_outages ADD COLUMN cause TEXT NOT NULL DEFAULT 'unknown';
      ALTER TABLE screen_outages ADD COLUMN last_contact_at MOMENT;
      ALTER TABLE screen_outages ADD COLUMN uptime_before WHOLE;
      UPDATE screen_outages SET cause = 'content' WHERE state = 'incomplete';
      CREATE INDEX outages_by_end_of_team ON screen_outages (team_id, ended_at);
      CREATE INDEX open_outages ON screen_outages (team_id, started_at, id) WHERE ended_at IS NULL;

      CREATE TABLE playback_days (
        team_id TEXT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
        day TEXT NOT NULL,
        screen_id TEXT NOT NULL,
        asset_id TEXT NOT NULL,
        playlist_id TEXT NOT NULL,
        playbacks WHOLE NOT NULL,
        duration_ms WHOLE NOT NULL,
        PRIMARY KEY (team_id, day, screen_id, asset_id, playlist_id)
      );
      CREATE INDEX days_of_screen ON playback_days (team_id, screen_id, day);
      CREATE INDEX days_of_asset ON playback_days (team_id, asset_id, day);
      CREATE INDEX days_of_playlist ON playback_days (team_id, playlist_id, day);
      ALTER TABLE playbacks ADD COLUMN is_counted FLAG NOT NULL DEFAULT FALSE;
      CREATE INDEX playbacks_uncounted ON playbacks (id) WHERE NOT is_counted;
    `),
  },
  { id: 13, name: "numbered changes of screens", ...screenChanges },
  {
    id: 14,
    name: "which instance has the socket of a screen",
    ...forBoth(`
      ALTER TABLE screens ADD COLUMN ws_instance TEXT;
    `),
  },
  {
    id: 15,
    name: "assertions",
    ...forBoth(`
      CREATE TABLE assertions (
        id TEXT PRIMARY KEY,
        team_id TEXT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        is_enabled FLAG NOT NULL,
        holds_back FLAG NOT NULL,
        kind TEXT NOT NULL,
        asset_ids TEXT NOT NULL,
        folders TEXT NOT NULL,
        label_ids TEXT NOT NULL,
        predicate TEXT NOT NULL,
        every_minutes WHOLE,
        created_at MOMENT NOT NULL,
        checked_at MOMENT,
        last_check TEXT
      );
      CREATE INDEX assertions_of_team ON assertions (team_id, id);
    `),
  },
  {
    id: 16,
    name: "live pictures and support bundles",
    ...livePictures(),
  },
  {
    id: 17,
    name: "adopted players",
    ...forBoth(`
      CREATE TABLE adopted_players (
        screen_id TEXT PRIMARY KEY,
        team_id TEXT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
        address TEXT NOT NULL,
        username TEXT,
        password TEXT,
        problem TEXT,
        facts TEXT NOT NULL,
        failures WHOLE NOT NULL,
        due_at MOMENT NOT NULL,
        mark TEXT NOT NULL,
        is_order_due FLAG NOT NULL,
        kept_order TEXT NOT NULL,
        lease_owner TEXT,
        lease_until MOMENT NOT NULL,
        removed_at MOMENT,
        created_at MOMENT NOT NULL
      );
      CREATE UNIQUE INDEX adopted_once ON adopted_players (team_id, address) WHERE removed_at IS NULL;
      CREATE TABLE adopted_assets (
        id TEXT PRIMARY KEY,
        screen_id TEXT NOT NULL REFERENCES adopted_players (screen_id) ON DELETE CASCADE,
        slot TEXT NOT NULL,
        source TEXT NOT NULL,
        name TEXT NOT NULL,
        marker MOMENT NOT NULL,
        remote_id TEXT,
        tries WHOLE NOT NULL,
        due_at MOMENT NOT NULL,
        problem TEXT
      );
      CREATE UNIQUE INDEX adopted_assets_of_slot ON adopted_assets (screen_id, slot, source);
    `),
  },
  { id: 18, name: "numbered changes of adopted players", ...adoptedChanges },
  {
    id: 19,
    name: "announced changes, and instances with sockets",
    ...announcementsAndInstances(),
  },
  {
    id: 20,
    name: "positions of writes, for read replicas",
    // SQLite has none.
    sqlite: "SELECT 1",
    postgres: forBoth(`
      CREATE TABLE write_marks (
        name TEXT PRIMARY KEY,
        mark MOMENT NOT NULL,
        noted_at MOMENT NOT NULL
      );
    `).postgres,
  },
  {
    id: 21,
    name: "roles and limits of keys",
    // Keys from before there were roles may do everything, as they could.
    ...forBoth(`
      ALTER TABLE api_keys ADD COLUMN role TEXT NOT NULL DEFAULT 'admin';
      ALTER TABLE api_keys ADD COLUMN label_ids TEXT;
    `),
  },
  {
    id: 22,
    name: "people, their sessions and invitations",
    ...forBoth(`
      CREATE TABLE people (
        id TEXT PRIMARY KEY,
        team_id TEXT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
        email TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        password_hash TEXT,
        role TEXT NOT NULL,
        label_ids TEXT,
        is_disabled FLAG NOT NULL,
        totp_secret TEXT,
        totp_pending TEXT,
        totp_step WHOLE NOT NULL,
        recovery_codes TEXT NOT NULL,
        created_at MOMENT NOT NULL,
        last_sign_in_at MOMENT
      );
      CREATE INDEX people_of_team ON people (team_id, created_at, id);
      CREATE TABLE person_sessions (
        id TEXT PRIMARY KEY,
        person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
        hash TEXT NOT NULL UNIQUE,
        agent TEXT NOT NULL,
        created_at MOMENT NOT NULL,
        used_at MOMENT NOT NULL
      );
      CREATE INDEX sessions_of_person ON person_sessions (person_id, used_at);
      CREATE TABLE invitations (
        id TEXT PRIMARY KEY,
        team_id TEXT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
        hash TEXT NOT NULL UNIQUE,
        email TEXT,
        role TEXT NOT NULL,
        label_ids TEXT,
        person_id TEXT REFERENCES people (id) ON DELETE CASCADE,
        created_at MOMENT NOT NULL,
        expires_at MOMENT NOT NULL
      );
      CREATE INDEX invitations_of_team ON invitations (team_id, created_at, id);
    `),
  },
  {
    id: 23,
    name: "activity",
    ...forBoth(`
      CREATE TABLE service_activity (
        id TEXT NOT NULL,
        team_id TEXT NOT NULL,
        at MOMENT NOT NULL,
        actor_kind TEXT NOT NULL,
        actor_id TEXT,
        actor_name TEXT NOT NULL,
        address TEXT,
        kind TEXT NOT NULL,
        what TEXT NOT NULL,
        resource_id TEXT,
        name TEXT NOT NULL,
        changes TEXT NOT NULL,
        count WHOLE NOT NULL,
        PRIMARY KEY (team_id, id)
      );
    `),
  },
  {
    id: 24,
    name: "links for forgotten passwords, and accounts of providers",
    ...forBoth(`
      CREATE TABLE password_links (
        person_id TEXT PRIMARY KEY REFERENCES people (id) ON DELETE CASCADE,
        hash TEXT NOT NULL UNIQUE,
        created_at MOMENT NOT NULL
      );
      CREATE TABLE person_identities (
        issuer TEXT NOT NULL,
        subject TEXT NOT NULL,
        person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
        created_at MOMENT NOT NULL,
        PRIMARY KEY (issuer, subject)
      );
      CREATE INDEX identities_of_person ON person_identities (person_id);
      CREATE TABLE openid_flows (
        hash TEXT PRIMARY KEY,
        created_at MOMENT NOT NULL
      );
    `),
  },
  {
    id: 25,
    name: "passkeys",
    ...forBoth(`
      CREATE TABLE passkeys (
        id TEXT PRIMARY KEY,
        person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
        credential_id TEXT NOT NULL UNIQUE,
        public_key TEXT NOT NULL,
        counter WHOLE NOT NULL,
        transports TEXT NOT NULL,
        name TEXT NOT NULL,
        created_at MOMENT NOT NULL,
        used_at MOMENT
      );
      CREATE INDEX passkeys_of_person ON passkeys (person_id);
      ALTER TABLE openid_flows RENAME TO sign_in_flows;
    `),
  },
];

/** One text with neutral type names; the two databases differ in these words only. */
function forBoth(text: string): Pick<Migration, "sqlite" | "postgres"> {
  const spelled = (words: Readonly<Record<string, string>>): string =>
    text.replace(
      /\b(TEXT|MOMENT|WHOLE|DECIMAL|FLAG|JSON)\b/g,
      (word) => words[word] ?? word,
    );
  return {
    sqlite: spelled({
      MOMENT: "INTEGER",
      WHOLE: "INTEGER",
      DECIMAL: "REAL",
      FLAG: "INTEGER",
      JSON: "TEXT",
    }).replace(/^( {6}\));$/gm, "$1 STRICT;"),
    // Texts compare by their bytes, as in SQLite, whatever collation the database was created with.
    postgres: spelled({
      TEXT: 'text COLLATE "C"',
      MOMENT: "bigint",
      WHOLE: "bigint",
      DECIMAL: "double precision",
      FLAG: "boolean",
      JSON: "jsonb",
    }),
  };
}

/** On PostgreSQL, what lasts for seconds need not survive a crash, and is not written twice. */
function livePictures(): Pick<Migration, "sqlite" | "postgres"> {
  const { sqlite, postgres } = forBoth(`
      CREATE TABLE live_pictures (
        screen_id TEXT PRIMARY KEY,
        team_id TEXT NOT NULL,
        began_at MOMENT NOT NULL,
        watched_until MOMENT NOT NULL,
        seen_at MOMENT,
        taken_at MOMENT,
        hash TEXT,
        picture TEXT,
        FOREIGN KEY (team_id, screen_id) REFERENCES screens (team_id, id) ON DELETE CASCADE
      );
      CREATE TABLE support_bundles (
        command_id TEXT PRIMARY KEY REFERENCES screen_commands (id) ON DELETE CASCADE,
        screen_id TEXT NOT NULL,
        team_id TEXT NOT NULL,
        hash TEXT NOT NULL,
        size_bytes WHOLE NOT NULL,
        created_at MOMENT NOT NULL
      );
      CREATE INDEX bundles_of_screen ON support_bundles (screen_id, created_at);
      CREATE INDEX bundles_of_team ON support_bundles (team_id, created_at);
      CREATE INDEX bundles_by_age ON support_bundles (created_at);
      CREATE INDEX bundles_by_hash ON support_bundles (hash);
    `);
  return {
    sqlite,
    postgres: String(postgres).replace(
      "CREATE TABLE live_pictures",
      "CREATE UNLOGGED TABLE live_pictures",
    ),
  };
}

/** SQLite has no notifications. */
function announcementsAndInstances(): Pick<Migration, "sqlite" | "postgres"> {
  const { sqlite, postgres } = forBoth(`
      CREATE TABLE link_instances (
        id TEXT PRIMARY KEY,
        seen_at MOMENT NOT NULL
      );
    `);
  return { sqlite, postgres: `${postgres}\n${announcingTrigger}` };
}
