// Tables, columns and relations of the content interface, and which version exposes which.

import {
  assetTypes,
  assetTypesWithoutName40,
  labelTypes,
} from "../contract/v4/v4.ts";
import { assetLimits } from "../core/asset-limits.ts";
import { processingStatuses } from "../core/processing-status.ts";

export type ContentVersion = "4.0" | "4.1";

/** PostgreSQL's names where it has one; a moment is stored in milliseconds. */
export type ColumnType =
  | "text"
  | "enum"
  | "integer"
  | "decimal"
  | "flag"
  | "json"
  | "moment"
  /** A flag over a stored level: true means above 0. */
  | "level";

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly description: string;
  readonly isInserted: boolean;
  readonly isUpdated: boolean;
  /** Of an enum: the values this version exposes. */
  readonly values: readonly string[];
  /** Of an enum: values of the other version, which a filter may name and no row has (V4-20). */
  readonly otherValues: readonly string[];
  /** Of an enum: stored values that this version shows as the empty text (V4-20). */
  readonly blank: readonly string[];
  /** Of a text, and of JSON as its text: maximum length, in characters. */
  readonly maxLength: number;
  readonly isIn40: boolean;
  /** The stored value stands for an address that is resolved when it is read (V4-230). */
  readonly isAddress: boolean;
  /** If false, write-only: in no answer, filter or order (V4-42). */
  readonly isShown: boolean;
}

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

export interface Table {
  /** Name in SQL and in embeddings. */
  readonly name: string;
  /** Name in addresses; null: embedded only. */
  readonly path: string | null;
  /** A query that is read in place of the table; null: the table itself. */
  readonly readAs: string | null;
  readonly description: string;
  readonly methods: readonly Method[];
  readonly columns: ReadonlyMap<string, Column>;
  /** The one column that identifies a row; not shown by itself where it is `row_id`. */
  readonly key: "id" | "row_id" | "screen_id";
  /** What clients consider the primary key: the target of an upsert that names none. */
  readonly primaryKey: readonly string[];
  readonly uniqueKeys: readonly (readonly string[])[];
  /** The column that holds the team a row belongs to. */
  readonly teamColumn: "team_id" | "owner_team_id" | "id";
  /** A write must filter on all columns of one of these (V4-11). */
  readonly guards: readonly (readonly string[])[];
  /** Rows of any other type are built in and read-only for clients. */
  readonly changeableType: string | null;
}

/** `from` references `to`: its columns hold the other's key. */
export interface Reference {
  readonly name: string;
  readonly from: string;
  readonly columns: readonly string[];
  readonly to: string;
  readonly keys: readonly string[];
  readonly isOneToOne: boolean;
}

/** Two tables related through a third. */
export interface Link {
  readonly through: string;
  readonly left: string;
  readonly leftColumn: string;
  readonly right: string;
  readonly rightColumn: string;
}

export interface Catalogue {
  readonly version: ContentVersion;
  readonly tables: ReadonlyMap<string, Table>;
  readonly references: readonly Reference[];
  readonly links: readonly Link[];
}

const plainText = 65_536;
const nameLength = assetLimits.titleLetters;
/** Maximum for unique texts: in UTF-8 this fits into an index of either database. */
const keyLength = 500;
const urlLength = assetLimits.addressLetters;
const scriptLength = assetLimits.scriptLetters;

type Extras = Partial<
  Pick<
    Column,
    "values" | "blank" | "maxLength" | "isIn40" | "isAddress" | "isShown"
  >
> & { readonly on?: "insert" | "update" | "both" };

function column(
  name: string,
  type: ColumnType,
  description: string,
  { on, ...extras }: Extras = {},
): Column {
  return {
    ...{ name, type, description },
    isInserted: on === "insert" || on === "both",
    isUpdated: on === "update" || on === "both",
    ...{ values: [], otherValues: [], blank: [] },
    maxLength: type === "json" ? Infinity : plainText,
    ...{ isIn40: true, isAddress: false, isShown: true },
    ...extras,
  };
}

const id = (of: string) => column("id", "text", `Unique identifier of ${of}`);
const teamId = column("team_id", "text", "The team it belongs to");
const createdAt = column("created_at", "moment", "When it was created");
const both = { on: "both" } as const;
const insert = { on: "insert" } as const;
const address = { isAddress: true } as const;
const name = (description: string, on: Extras["on"]) =>
  column("name", "text", description, on ? { on, maxLength: nameLength } : {});

const assetColumns: readonly Column[] = [
  id("the asset"),
  column("asset_group_id", "text", "The asset group it belongs to", both),
  column("type", "enum", "Kind of the asset; null until detected", {
    values: assetTypes,
  }),
  column("title", "text", "Title", { ...both, maxLength: nameLength }),
  column(
    "duration",
    "decimal",
    "Duration of a video or audio file, in seconds",
  ),
  column("asset_url", "text", "Address of the processed file", address),
  column("md5", "text", "MD5 hash of the processed file"),
  column("source_md5", "text", "MD5 hash of the source file", insert),
  column("source_size", "integer", "Size of the source file in bytes", insert),
  column("source_url", "text", "Address of the source", {
    ...insert,
    maxLength: urlLength,
  }),
  column("width", "integer", "In pixels; of images and videos, once processed"),
  column(
    "height",
    "integer",
    "In pixels; of images and videos, once processed",
  ),
  column(
    "disable_verification",
    "flag",
    "Whether the availability check of a web page is skipped",
    both,
  ),
  column("headers", "json", "Request headers for a web page", both),
  column(
    "send_metadata",
    "flag",
    "Whether the player sends information about the screen to the page's server",
    both,
  ),
  column("zoom_level", "integer", "Zoom in percent, 25 to 500; null is 100", {
    ...both,
    isIn40: false,
  }),
  column(
    "user_agent",
    "text",
    "User-Agent to send instead of the browser's own",
    {
      ...both,
      maxLength: assetLimits.userAgentLetters,
      isIn40: false,
    },
  ),
  column(
    "player_side_render",
    "flag",
    "Whether the player renders the page itself",
    {
      ...both,
      isIn40: false,
    },
  ),
  column(
    "screenshot_cache_seconds",
    "integer",
    "Maximum age of a screenshot of the page, in seconds; null is 300",
    { ...both, isIn40: false },
  ),
  column("metadata", "json", "Data that clients store with it", {
    ...both,
    // As much as a player takes (V2-548).
    maxLength: assetLimits.metadataLetters,
  }),
  column("status", "enum", "Processing status", {
    values: processingStatuses,
  }),
  column("js_injection", "text", "Script that runs each time the page loads", {
    ...both,
    maxLength: scriptLength,
  }),
  column("thumbnail_uri", "text", "Thumbnail of an image or video", address),
  column("processing_error", "text", "Reason for the status error"),
  column("mimetype", "text", "Media type of the file"),
  column("app_id", "text", "Edge app it belongs to", insert),
  column("signature", "text", "Signature of a file of an edge app"),
  column("app_revision", "integer", "Revision of the edge app", insert),
  column("app_channel", "text", "Channel of the edge app"),
  column("app_installation_id", "text", "Installation of the edge app"),
  teamId,
  column("pdf_asset_id", "text", "The PDF that the page belongs to", {
    isIn40: false,
  }),
  column("pdf_page_number", "integer", "Page number, from 1", {
    isIn40: false,
  }),
  column("pdf_page_enabled", "flag", "Whether the page is shown", {
    on: "update",
    isIn40: false,
  }),
  column(
    "pdf_page_rotation",
    "integer",
    "Clockwise rotation in degrees: 0, 90, 180 or 270",
    {
      on: "update",
      isIn40: false,
    },
  ),
  createdAt,
];

interface TableText {
  readonly name: string;
  readonly path: string | null;
  readonly description: string;
  readonly methods: readonly Method[];
  readonly columns: readonly Column[];
  readonly key?: Table["key"];
  readonly uniqueKeys?: Table["uniqueKeys"];
  readonly teamColumn?: Table["teamColumn"];
  readonly guards?: Table["guards"];
  readonly readAs?: string;
  readonly changeableType?: string;
}

const everyMethod = ["GET", "POST", "PATCH", "DELETE"] as const;
const appId = column("app_id", "text", "Edge app it belongs to", insert);
const settingValue = [
  column("app_id", "text", "Edge app of the setting", insert),
  column(
    "installation_id",
    "text",
    "The installation it applies to; null for all",
    insert,
  ),
  name("Name of the setting", "insert"),
];

const tables: readonly TableText[] = [
  {
    name: "asset_groups",
    path: "asset-groups",
    description: "Asset groups: folders for assets.",
    methods: everyMethod,
    columns: [
      id("the group"),
      column("title", "text", "Title of the group", {
        ...both,
        maxLength: nameLength,
      }),
    ],
  },
  {
    name: "assets",
    path: "assets",
    description: "Assets: content that can be scheduled on screens.",
    methods: everyMethod,
    columns: assetColumns,
  },
  {
    name: "labels",
    path: "labels",
    description:
      "Labels: groups of screens. Every screen has a label of its own.",
    methods: everyMethod,
    changeableType: "manual",
    columns: [
      id("the label"),
      teamId,
      column("type", "enum", "all-screens, manual or screen", {
        values: labelTypes,
      }),
      name("Name", "both"),
      column("human_name", "text", "Display name"),
    ],
  },
  {
    name: "label_screen",
    path: "labels/screens",
    description: "The screens of each label.",
    methods: ["GET", "POST", "DELETE"],
    key: "row_id",
    uniqueKeys: [["label_id", "screen_id"]],
    guards: [["label_id"], ["screen_id"]],
    columns: [
      column("label_id", "text", "The label", insert),
      column("screen_id", "text", "The screen", insert),
    ],
  },
  {
    name: "label_playlist",
    path: "labels/playlists",
    description: "The playlists of each label.",
    methods: ["GET", "POST", "DELETE"],
    key: "row_id",
    uniqueKeys: [["label_id", "playlist_id"]],
    guards: [["label_id"], ["playlist_id"]],
    columns: [
      column("label_id", "text", "The label", insert),
      column("playlist_id", "text", "The playlist", insert),
    ],
  },
  {
    name: "screens",
    path: "screens",
    description: "Screens. They are paired through version 3.",
    methods: ["GET", "PATCH", "DELETE"],
    columns: [
      id("the screen"),
      teamId,
      name("Name", "update"),
      column("hostname", "text", "Host name"),
      column("type", "text", "hardware or virtual"),
      column(
        "status",
        "text",
        "Sync status: Offline, In Sync, Syncing or Out Of Sync",
      ),
      column("in_sync", "flag", "Whether it is in sync"),
      column(
        "item_counts",
        "json",
        "Number of its items that are wanted, here and failed, or null",
      ),
      column("ws_open", "flag", "Whether it is connected"),
      column("is_enabled", "flag", "Whether it can play", { on: "update" }),
      column("debug", "flag", "Whether debug logging is on"),
      column("location", "text", "Location", {
        on: "update",
        maxLength: nameLength,
      }),
      column("coords", "json", "Latitude and longitude", { on: "update" }),
      column("timezone", "text", "Time zone, for example Europe/Berlin", {
        on: "update",
        maxLength: 64,
      }),
      column("config", "json", "Its settings", { on: "update" }),
      column("last_ping", "moment", "When it last connected"),
      column("last_ip", "text", "The address it last connected from"),
      column("local_ip", "text", "Its address on the local network"),
      column("mac", "text", "MAC address"),
      column("interface", "text", "Kind of network connection"),
      column("uptime", "integer", "Uptime in seconds"),
      column("load_avg", "text", "Load average"),
      column(
        "signal_strength",
        "integer",
        "Signal strength of the wireless connection",
      ),
      column("software_version", "text", "Software version"),
      column("hardware_version", "text", "Device model"),
      column("last_screenshot", "text", "Last screenshot", address),
      column(
        "last_screenshot_time",
        "moment",
        "When the last screenshot was taken",
      ),
      createdAt,
    ],
  },
  {
    name: "screen_reports",
    path: null,
    description: "The last status report of each screen.",
    methods: [],
    key: "screen_id",
    columns: [
      column("screen_id", "text", "The screen"),
      column("client_version", "text", "Version of the player"),
      column("reported_at", "moment", "When it was reported"),
    ],
  },
  {
    name: "playlists",
    path: "playlists",
    description: "Playlists: ordered assets with a predicate.",
    methods: everyMethod,
    columns: [
      id("the playlist"),
      teamId,
      column("title", "text", "Title", { ...both, maxLength: nameLength }),
      column("predicate", "text", "Predicate: when it plays", {
        ...both,
        maxLength: nameLength,
      }),
      column("is_enabled", "flag", "Whether it can play", both),
      column(
        "priority",
        "level",
        "Whether it overrides all other playlists",
        both,
      ),
      column("transitions", "flag", "Whether its assets cross-fade", both),
      createdAt,
    ],
  },
  {
    name: "playlist_items",
    path: "playlist-items",
    description: "The items of a playlist, in order of position.",
    methods: everyMethod,
    guards: [["id"], ["playlist_id"]],
    columns: [
      id("the item"),
      column("playlist_id", "text", "The playlist", insert),
      column("asset_id", "text", "The asset", both),
      column("duration", "decimal", "Duration in seconds. Default: 10", both),
      column(
        "position",
        "integer",
        "Position. Default: 100000 after the last item",
        both,
      ),
    ],
  },
  {
    name: "shared_playlists",
    path: "playlists/shared",
    description: "The teams each playlist is shared with.",
    methods: ["GET", "POST", "DELETE"],
    key: "row_id",
    teamColumn: "owner_team_id",
    uniqueKeys: [["playlist_id", "team_id"]],
    guards: [["playlist_id"], ["team_id"]],
    columns: [
      column("playlist_id", "text", "The playlist", insert),
      column("team_id", "text", "The team it is shared with", insert),
    ],
  },
  {
    name: "users",
    path: "users",
    description: "The users of the team; the team itself if it has none.",
    methods: ["GET"],
    // As in `/v3/me` (V4-282). SQLite needs a row number while it reads; these rows have none.
    readAs: `SELECT 0 AS rowid, id, team_id, company, email, first_name, last_name FROM users
      UNION ALL SELECT 0, id, id, '', '', name, '' FROM teams
        WHERE NOT EXISTS (SELECT 1 FROM users WHERE users.team_id = teams.id)`,
    columns: [
      id("the user"),
      teamId,
      column("company", "text", "Company"),
      column("email", "text", "Address"),
      column("first_name", "text", "First name"),
      column("last_name", "text", "Last name"),
    ],
  },
  {
    name: "teams",
    path: "teams",
    description: "The team of the API key.",
    methods: ["GET"],
    teamColumn: "id",
    readAs: `SELECT 0 AS rowid, id, name, created_at,
        CASE domain WHEN '' THEN lower(id) ELSE domain END AS domain FROM teams`,
    columns: [
      id("the team"),
      name("Name", undefined),
      column("domain", "text", "Short name for addresses; never empty"),
      createdAt,
    ],
  },
  {
    name: "edge_apps",
    path: "edge-apps",
    description: "Edge apps: small applications that run on screens.",
    methods: everyMethod,
    columns: [
      id("the app"),
      teamId,
      name("Name", "both"),
      column("deleted", "flag", "Whether it is archived", { on: "update" }),
      createdAt,
    ],
  },
  {
    name: "edge_app_versions",
    path: "edge-apps/versions",
    description: "The revisions of an edge app.",
    methods: everyMethod,
    key: "row_id",
    uniqueKeys: [["app_id", "revision"]],
    guards: [["app_id", "revision"]],
    columns: [
      appId,
      column(
        "revision",
        "integer",
        "Revision number, from 1. Default: the next one",
      ),
      column("user_version", "text", "Version as named by the developer", both),
      column("description", "text", "Description", both),
      column("icon", "text", "Address of the icon", both),
      column("author", "text", "Developer", both),
      column("homepage_url", "text", "Address with more information", both),
      column("categories", "json", "Categories", both),
      column(
        "ready_signal",
        "flag",
        "Whether it signals when it is ready",
        both,
      ),
      column("file_tree", "json", "Paths and signatures of its files", both),
      column("entrypoint", "json", "Entry point", both),
      column("published", "flag", "Whether it can be installed", both),
      createdAt,
    ],
  },
  {
    name: "edge_app_channels",
    path: "edge-apps/channels",
    description: "The revision that each channel of an edge app plays.",
    methods: everyMethod,
    key: "row_id",
    uniqueKeys: [["app_id", "channel"]],
    guards: [["app_id", "channel"]],
    columns: [
      appId,
      column("channel", "text", "stable, or a custom name", {
        ...insert,
        maxLength: keyLength,
      }),
      column("app_revision", "integer", "The revision it plays", both),
    ],
  },
  {
    name: "edge_app_installations",
    path: "edge-apps/installations",
    description:
      "Installations: edge apps that can be scheduled, each with its own settings.",
    methods: everyMethod,
    columns: [
      id("the installation"),
      teamId,
      appId,
      name("Name", "both"),
      column("app_channel", "text", "The channel it follows"),
      createdAt,
    ],
  },
  {
    name: "edge_app_settings",
    path: "edge-apps/settings",
    description: "The settings that an edge app defines.",
    methods: everyMethod,
    uniqueKeys: [["app_id", "name"]],
    guards: [["id"], ["app_id", "name"]],
    columns: [
      id("the setting"),
      appId,
      column("name", "text", "Name", { ...both, maxLength: keyLength }),
      column("type", "enum", "string or secret", {
        ...both,
        values: ["string", "secret"],
      }),
      column("default_value", "text", "Default value", both),
      column("optional", "flag", "Whether it is optional", both),
      column("title", "text", "Title", both),
      column("help_text", "text", "Help text", both),
      column(
        "is_global",
        "flag",
        "Whether it has one value for all installations",
        both,
      ),
    ],
  },
  {
    name: "edge_app_setting_values",
    path: "edge-apps/settings/values",
    description: "Values of settings, per app or per installation.",
    methods: everyMethod,
    key: "row_id",
    guards: [
      ["app_id", "name"],
      ["installation_id", "name"],
    ],
    columns: [...settingValue, column("value", "text", "Value", both)],
  },
  {
    name: "edge_app_secret_values",
    path: "edge-apps/secrets/values",
    description: "Secrets. They can be set but are never returned.",
    methods: ["POST"],
    key: "row_id",
    columns: [
      ...settingValue,
      column("value", "text", "Value", { ...insert, isShown: false }),
    ],
  },
];

/** `asset_groups.id ← assets.asset_group_id`; the composite key keeps both in one team. */
const references: readonly Reference[] = [
  reference("assets", "asset_group_id", "asset_groups"),
  reference("assets", "pdf_asset_id", "assets"),
  reference("assets", "app_id", "edge_apps"),
  reference("assets", "app_installation_id", "edge_app_installations"),
  reference("assets", "team_id", "teams"),
  reference("playlist_items", "playlist_id", "playlists"),
  reference("playlist_items", "asset_id", "assets"),
  reference("playlists", "team_id", "teams"),
  reference("label_screen", "label_id", "labels"),
  reference("label_screen", "screen_id", "screens"),
  reference("label_playlist", "label_id", "labels"),
  reference("label_playlist", "playlist_id", "playlists"),
  reference("labels", "team_id", "teams"),
  reference("screens", "team_id", "teams"),
  reference("users", "team_id", "teams"),
  {
    ...reference("screen_reports", "screen_id", "screens"),
    isOneToOne: true,
  },
  reference("shared_playlists", "playlist_id", "playlists"),
  reference("edge_apps", "team_id", "teams"),
  reference("edge_app_versions", "app_id", "edge_apps"),
  reference("edge_app_channels", "app_id", "edge_apps"),
  reference("edge_app_installations", "app_id", "edge_apps"),
  reference("edge_app_settings", "app_id", "edge_apps"),
  reference("edge_app_setting_values", "app_id", "edge_apps"),
  reference(
    "edge_app_setting_values",
    "installation_id",
    "edge_app_installations",
  ),
  {
    ...reference("edge_app_setting_values", "setting_id", "edge_app_settings"),
    columns: ["setting_id"],
  },
];

const links: readonly Link[] = [
  {
    through: "label_screen",
    ...{ left: "labels", leftColumn: "label_id" },
    ...{ right: "screens", rightColumn: "screen_id" },
  },
  {
    through: "label_playlist",
    ...{ left: "labels", leftColumn: "label_id" },
    ...{ right: "playlists", rightColumn: "playlist_id" },
  },
];

function reference(from: string, by: string, to: string): Reference {
  return {
    name: `${from}_${by}_fkey`,
    ...{ from, columns: [by], to, keys: ["id"], isOneToOne: false },
  };
}

export const catalogues: Readonly<Record<ContentVersion, Catalogue>> = {
  "4.0": catalogueOf("4.0"),
  "4.1": catalogueOf("4.1"),
};

function catalogueOf(version: ContentVersion): Catalogue {
  return {
    version,
    tables: new Map(
      tables.map((table) => [table.name, tableOf(table, version)]),
    ),
    references: references.filter(
      ({ from, columns }) =>
        version === "4.1" ||
        !tables
          .find((table) => table.name === from)
          ?.columns.some(
            ({ name, isIn40 }) => !isIn40 && columns.includes(name),
          ),
    ),
    links,
  };
}

function tableOf(text: TableText, version: ContentVersion): Table {
  const key = text.key ?? "id";
  const shown = text.columns
    .filter(({ isIn40 }) => isIn40 || version === "4.1")
    .map((each) => withVersionValues(text.name, each, version));
  const uniqueKeys = text.uniqueKeys ?? [];
  return {
    ...{ name: text.name, path: text.path, description: text.description },
    readAs: text.readAs ?? null,
    methods: text.methods,
    columns: new Map(shown.map((each) => [each.name, each])),
    key,
    primaryKey: key === "id" ? ["id"] : (uniqueKeys[0] ?? []),
    uniqueKeys: key === "id" ? [["id"], ...uniqueKeys] : uniqueKeys,
    teamColumn: text.teamColumn ?? "team_id",
    guards: text.guards ?? [["id"]],
    changeableType: text.changeableType ?? null,
  };
}

function withVersionValues(
  table: string,
  of: Column,
  version: ContentVersion,
): Column {
  if (table !== "assets" || of.name !== "type") return of;
  if (version === "4.1") return { ...of, otherValues: [""] };
  const named = assetTypes.filter(
    (type) => !assetTypesWithoutName40.includes(type),
  );
  return {
    ...{ ...of, values: [...named, ""] },
    otherValues: assetTypesWithoutName40,
    blank: assetTypesWithoutName40,
  };
}
