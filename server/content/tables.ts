// Row types of the content service's tables for Kysely, as the migrations create them.

import type { ColumnType, Generated } from "kysely";
import type { Role } from "../core/role.ts";
import type { ActivityTables } from "./activity/tables.ts";
import type { AdoptedTables } from "./adopted/tables.ts";
import type { AlertTables } from "./alerts/tables.ts";
import type { ServiceTables } from "./ingest/tables.ts";
import type { LinkTables } from "./link/tables.ts";
import type { PeopleTables } from "./people/tables.ts";
import type { WhatIfTables } from "./what-if/tables.ts";

/** Milliseconds since 1970, UTC. */
type Moment = number;
/** SQLite returns 0 or 1; both databases accept a boolean. */
type Flag = ColumnType<boolean | 0 | 1, boolean | undefined, boolean>;
/** JSON as its text. */
type JsonText = Generated<string>;

interface OfTeam {
  readonly team_id: string;
  readonly created_at: Moment;
}

interface TeamRow {
  readonly id: string;
  readonly name: string;
  readonly domain: Generated<string>;
  readonly created_at: Moment;
}

interface ApiKeyRow extends OfTeam {
  readonly id: string;
  readonly name: string;
  readonly hash: string;
  readonly role: Role;
  /** JSON; null: no limit. */
  readonly label_ids: string | null;
  readonly last_used_at: Moment | null;
  readonly revoked_at: Moment | null;
}

interface UserRow extends OfTeam {
  readonly id: string;
  readonly company: Generated<string>;
  readonly email: Generated<string>;
  readonly first_name: Generated<string>;
  readonly last_name: Generated<string>;
}

interface AssetGroupRow extends OfTeam {
  readonly id: string;
  readonly title: Generated<string>;
}

interface AssetRow extends OfTeam {
  readonly id: string;
  readonly asset_group_id: string | null;
  readonly type: string | null;
  readonly title: Generated<string>;
  readonly duration: number | null;
  readonly asset_url: Generated<string>;
  readonly md5: string | null;
  readonly source_md5: string | null;
  readonly source_size: number | null;
  readonly source_url: string | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly disable_verification: Flag;
  readonly headers: JsonText;
  readonly send_metadata: Flag;
  readonly zoom_level: number | null;
  readonly user_agent: string | null;
  readonly player_side_render: Flag;
  readonly screenshot_cache_seconds: number | null;
  readonly metadata: JsonText;
  readonly status: Generated<string>;
  readonly js_injection: Generated<string>;
  readonly thumbnail_uri: string | null;
  readonly processing_error: Generated<string>;
  readonly mimetype: string | null;
  readonly app_id: string | null;
  readonly signature: string | null;
  readonly app_revision: number | null;
  readonly app_channel: string | null;
  readonly app_installation_id: string | null;
  readonly pdf_asset_id: string | null;
  readonly pdf_page_number: number | null;
  readonly pdf_page_enabled: ColumnType<
    boolean | 0 | 1 | null,
    boolean | null | undefined,
    boolean | null
  >;
  readonly pdf_page_rotation: number | null;
}

interface LabelRow extends OfTeam {
  readonly id: string;
  readonly type: Generated<string>;
  readonly name: string;
  readonly human_name: string;
}

interface ScreenRow extends OfTeam {
  readonly id: string;
  readonly name: Generated<string>;
  readonly hostname: Generated<string>;
  readonly type: Generated<string>;
  readonly status: Generated<string>;
  readonly in_sync: Flag;
  /** JSON as its text; null when the player does not report them. */
  readonly item_counts: string | null;
  readonly ws_open: Flag;
  /** At which its last socket was opened (L-60); null before the first one, and once it polled. */
  readonly ws_instance: string | null;
  readonly is_enabled: Flag;
  readonly debug: Flag;
  readonly location: Generated<string>;
  readonly coords: JsonText;
  readonly timezone: Generated<string>;
  readonly config: JsonText;
  readonly last_ping: Moment | null;
  readonly last_ip: string | null;
  readonly local_ip: string | null;
  readonly mac: string | null;
  readonly interface: string | null;
  readonly uptime: number | null;
  readonly load_avg: string | null;
  readonly signal_strength: number | null;
  readonly software_version: string | null;
  readonly hardware_version: string | null;
  readonly last_screenshot: Generated<string>;
  readonly last_screenshot_time: Moment | null;
}

interface ScreenReportRow {
  readonly screen_id: string;
  readonly team_id: string;
  readonly client_version: string | null;
  readonly reported_at: Moment;
}

interface PlaylistRow extends OfTeam {
  readonly id: string;
  readonly title: string;
  readonly predicate: Generated<string>;
  readonly is_enabled: Flag;
  readonly priority: Generated<number>;
  readonly transitions: Flag;
}

interface PlaylistItemRow extends OfTeam {
  readonly id: string;
  readonly playlist_id: string;
  readonly asset_id: string;
  readonly duration: Generated<number>;
  readonly position: number;
}

interface LabelScreenRow extends OfTeam {
  readonly row_id: string;
  readonly label_id: string;
  readonly screen_id: string;
}

interface LabelPlaylistRow extends OfTeam {
  readonly row_id: string;
  readonly label_id: string;
  readonly playlist_id: string;
}

interface SharedPlaylistRow extends OfTeam {
  readonly row_id: string;
  readonly owner_team_id: string;
  readonly playlist_id: string;
}

interface EdgeAppRow extends OfTeam {
  readonly id: string;
  readonly name: string;
  readonly deleted: Flag;
  /** The largest number of a deleted version; 0 for none. */
  readonly deleted_revision: Generated<number>;
}

interface EdgeAppVersionRow extends OfTeam {
  readonly row_id: string;
  readonly app_id: string;
  readonly revision: number;
  readonly user_version: string | null;
  readonly description: string | null;
  readonly icon: string | null;
  readonly author: string | null;
  readonly homepage_url: string | null;
  readonly categories: JsonText;
  readonly ready_signal: Flag;
  readonly file_tree: JsonText;
  readonly entrypoint: string | null;
  readonly published: Flag;
}

interface EdgeAppChannelRow extends OfTeam {
  readonly row_id: string;
  readonly app_id: string;
  readonly channel: string;
  readonly app_revision: number | null;
}

interface EdgeAppInstallationRow extends OfTeam {
  readonly id: string;
  readonly app_id: string;
  readonly name: Generated<string>;
  readonly app_channel: Generated<string>;
}

interface EdgeAppSettingRow extends OfTeam {
  readonly id: string;
  readonly app_id: string;
  readonly name: string;
  readonly type: Generated<string>;
  readonly default_value: string | null;
  readonly optional: Flag;
  readonly title: string | null;
  readonly help_text: Generated<string>;
  readonly is_global: Flag;
}

interface EdgeAppValueRow extends OfTeam {
  readonly row_id: string;
  readonly setting_id: string;
  readonly app_id: string;
  readonly installation_id: string | null;
  readonly name: string;
  readonly value: string;
}

export interface ContentTables
  extends
    ServiceTables,
    LinkTables,
    AlertTables,
    WhatIfTables,
    ActivityTables,
    AdoptedTables,
    PeopleTables {
  readonly teams: TeamRow;
  readonly api_keys: ApiKeyRow;
  readonly users: UserRow;
  readonly asset_groups: AssetGroupRow;
  readonly assets: AssetRow;
  readonly labels: LabelRow;
  readonly screens: ScreenRow;
  readonly screen_reports: ScreenReportRow;
  readonly playlists: PlaylistRow;
  readonly playlist_items: PlaylistItemRow;
  readonly label_screen: LabelScreenRow;
  readonly label_playlist: LabelPlaylistRow;
  readonly shared_playlists: SharedPlaylistRow;
  readonly edge_apps: EdgeAppRow;
  readonly edge_app_versions: EdgeAppVersionRow;
  readonly edge_app_channels: EdgeAppChannelRow;
  readonly edge_app_installations: EdgeAppInstallationRow;
  readonly edge_app_settings: EdgeAppSettingRow;
  readonly edge_app_setting_values: EdgeAppValueRow;
  readonly edge_app_secret_values: EdgeAppValueRow;
}
