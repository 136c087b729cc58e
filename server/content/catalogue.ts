// Tables, columns and relations of the content interface, and which version exposes which.

import {
  assetTypes,
  assetTypesWithoutName40,
  labelTypes,
} from "../contract/v4/v4.ts";
import { assetLimits } from "../core/asset-limits.ts";
import { processingStatuses } from "../core/processing.ts";

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
  /** Of a text: maximum length, in characters. */
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
const urlLength = 8192;
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
    ...{ values: [], otherValues: [], blank: [], maxLength: plainText },
    ...{ isIn40: true, isAddress: false, isShown: true },
    ...extras,
  };
}

const id = (of: string) => column("id", "text", `Unique identifier of ${of}`);
const teamId = column("team_id", "text", "Team it belongs to");
const createdAt = column("created_at", "moment", "When it was made");
const both = { on: "both" } as const;
const insert = { on: "insert" } as const;
const address = { isAddress: true } as const;
const name = (description: string, on: Extras["on"]) =>
  column("name", "text", description, on ? { on, maxLength: nameLength } : {});

const assetColumns: readonly Column[] = [
  id("the asset"),
  column("asset_group_id", "text", "Group the asset belongs to", both),
  column("type", "enum", "Kind of the asset; null until known", {
    values: assetTypes,
  }),
  column("title", "text", "Title or name", { ...both, maxLength: nameLength }),
  column("duration", "decimal", "Seconds; of videos and audio"),
  column("asset_url", "text", "Where the asset is, once processed", address),
  column("md5", "text", "MD5 hash of the asset"),
  column("source_md5", "text", "MD5 hash of the source", insert),
  column("source_size", "integer", "Bytes of the source", insert),
  column("source_url", "text", "Where the asset came from", {
    ...insert,
    maxLength: urlLength,
  }),
  column("width", "integer", "Pixels once processed; of images and videos"),
  column("height", "integer", "Pixels once processed; of images and videos"),
  column(
    "disable_verification",
    "flag",
    "A page is taken without looking whether it can be reached",
    both,
  ),
  column("headers", "json", "Sent to the server of a page", both),
  column(
    "send_metadata",
    "flag",
    "The player tells the server of a page which screen asks",
    both,
  ),
  column("zoom_level", "integer", "Percent, 25 to 500; null is 100", {
    ...both,
    isIn40: false,
  }),
  column("user_agent", "text", "Replaces the browser's own", {
    ...both,
    maxLength: assetLimits.userAgentLetters,
    isIn40: false,
  }),
  column("player_side_render", "flag", "The player renders the page itself", {
    ...both,
    isIn40: false,
  }),
  column(
    "screenshot_cache_seconds",
    "integer",
    "How old an image of the page may be; null is 300",
    { ...both, isIn40: false },
  ),
  column("metadata", "json", "Whatever clients keep with it", both),
  column("status", "enum", "How far it is processed", {
    values: processingStatuses,
  }),
  column("js_injection", "text", "Run at every load of the page", {
    ...both,
    maxLength: scriptLength,
  }),
  column(
    "thumbnail_uri",
    "text",
    "A small image; of images and videos",
    address,
  ),
  column("processing_error", "text", "Why the status is error"),
  column("mimetype", "text", "Media type of the bytes"),
  column("app_id", "text", "Edge app it belongs to", insert),
  column("signature", "text", "Signature of an edge app's file"),
  column("app_revision", "integer", "Revision of the edge app", insert),
  column("app_channel", "text", "Channel of the edge app"),
  column("app_installation_id", "text", "Installation of the edge app"),
  teamId,
  column("pdf_asset_id", "text", "The PDF of a page", { isIn40: false }),
  column("pdf_page_number", "integer", "Counted from 1", { isIn40: false }),
  column("pdf_page_enabled", "flag", "Whether the page is shown", {
    on: "update",
    isIn40: false,
  }),
  column("pdf_page_rotation", "integer", "0, 90, 180 or 270", {
    on: "update",
    isIn40: false,
  }),
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
    "Installation it is for; null is for all",
    insert,
  ),
  name("Name of the setting", "insert"),
];

const tables: readonly TableText[] = [
  {
    name: "asset_groups",
    path: "asset-groups",
    description: "Folders that group assets.",
    methods: everyMethod,
    columns: [
      id("the group"),
      column("title", "text", "Title or name of the group", {
        ...both,
        maxLength: nameLength,
      }),
    ],
  },
  {
    name: "assets",
    path: "assets",
    description: "What can be scheduled on screens.",
    methods: everyMethod,
    columns: assetColumns,
  },
  {
    name: "labels",
    path: "labels",
    description: "Groups of screens; every screen has one of its own.",
    methods: everyMethod,
    changeableType: "manual",
    columns: [
      id("the label"),
      teamId,
      column("type", "enum", "all-screens, manual or screen", {
        values: labelTypes,
      }),
      name("Name", "both"),
      column("human_name", "text", "Name for people"),
    ],
  },
  {
    name: "label_screen",
    path: "labels/screens",
    description: "Which screens are in which label.",
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
    description: "Which playlists play on which label.",
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
    description: "Screens; they are paired through version 3.",
    methods: ["GET", "PATCH", "DELETE"],
    columns: [
      id("the screen"),
      teamId,
      name("Name", "update"),
      column("hostname", "text", "Its name in the network"),
      column("type", "text", "hardware or virtual"),
      column("status", "text", "Offline, In Sync, Syncing or Out Of Sync"),
      column("in_sync", "flag", "It shows what it should"),
      column("item_counts", "json", "Its items: wanted, here and failed"),
      column("ws_open", "flag", "It listens at this moment"),
      column("is_enabled", "flag", "It may play", { on: "update" }),
      column("debug", "flag", "It says more than usual"),
      column("location", "text", "Where it hangs", {
        on: "update",
        maxLength: nameLength,
      }),
      column("coords", "json", "Latitude and longitude", { on: "update" }),
      column("timezone", "text", "Its zone, as in Europe/Berlin", {
        on: "update",
        maxLength: 64,
      }),
      column("config", "json", "What is set on it", { on: "update" }),
      column("last_ping", "moment", "When it was heard last"),
      column("last_ip", "text", "Where it was heard from"),
      column("local_ip", "text", "Its address in its own network"),
      column("mac", "text", "Its hardware address"),
      column("interface", "text", "How it is connected"),
      column("uptime", "integer", "Seconds since it was started"),
      column("load_avg", "text", "How busy it is"),
      column("signal_strength", "integer", "Of its wireless connection"),
      column("software_version", "text", "What it runs"),
      column("hardware_version", "text", "What it is"),
      column("last_screenshot", "text", "Its last image", address),
      column("last_screenshot_time", "moment", "When that was taken"),
      createdAt,
    ],
  },
  {
    name: "screen_reports",
    path: null,
    description: "What a screen last said of itself.",
    methods: [],
    key: "screen_id",
    columns: [
      column("screen_id", "text", "The screen"),
      column("client_version", "text", "Version of its player"),
      column("reported_at", "moment", "When it said so"),
    ],
  },
  {
    name: "playlists",
    path: "playlists",
    description: "Assets in order, with a predicate.",
    methods: everyMethod,
    columns: [
      id("the playlist"),
      teamId,
      column("title", "text", "Title", { ...both, maxLength: nameLength }),
      column("predicate", "text", "When it plays", {
        ...both,
        maxLength: nameLength,
      }),
      column("is_enabled", "flag", "It may play", both),
      column("priority", "level", "It takes over all others", both),
      column("transitions", "flag", "Its assets cross-fade", both),
      createdAt,
    ],
  },
  {
    name: "playlist_items",
    path: "playlist-items",
    description: "The assets of a playlist, in order of position.",
    methods: everyMethod,
    guards: [["id"], ["playlist_id"]],
    columns: [
      id("the item"),
      column("playlist_id", "text", "The playlist", insert),
      column("asset_id", "text", "The asset", both),
      column("duration", "decimal", "Seconds; 10 unless said", both),
      column("position", "integer", "Left out: 100000 behind the last", both),
    ],
  },
  {
    name: "shared_playlists",
    path: "playlists/shared",
    description: "Which playlists are shared with which teams.",
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
    description: "The people of the team; without any, the team itself.",
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
    description: "The team of the key.",
    methods: ["GET"],
    teamColumn: "id",
    readAs: `SELECT 0 AS rowid, id, name, created_at,
        CASE domain WHEN '' THEN lower(id) ELSE domain END AS domain FROM teams`,
    columns: [
      id("the team"),
      name("Name", undefined),
      column("domain", "text", "What stands for it in addresses; never empty"),
      createdAt,
    ],
  },
  {
    name: "edge_apps",
    path: "edge-apps",
    description: "Small applications that run on screens.",
    methods: everyMethod,
    columns: [
      id("the app"),
      teamId,
      name("Name", "both"),
      column("deleted", "flag", "It is put away", { on: "update" }),
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
      column("revision", "integer", "Counted from 1; left out: the next"),
      column("user_version", "text", "Version in its maker's words", both),
      column("description", "text", "What it does", both),
      column("icon", "text", "Address of an image", both),
      column("author", "text", "Its maker", both),
      column("homepage_url", "text", "Where more is told", both),
      column("categories", "json", "A list of words", both),
      column("ready_signal", "flag", "It says when it can be shown", both),
      column("file_tree", "json", "Paths and signatures of its files", both),
      column("entrypoint", "json", "Where it begins", both),
      column("published", "flag", "It may be installed", both),
      createdAt,
    ],
  },
  {
    name: "edge_app_channels",
    path: "edge-apps/channels",
    description: "Which revision a channel of an edge app plays.",
    methods: everyMethod,
    key: "row_id",
    uniqueKeys: [["app_id", "channel"]],
    guards: [["app_id", "channel"]],
    columns: [
      appId,
      column("channel", "text", "stable, or a name of one's own", {
        ...insert,
        maxLength: keyLength,
      }),
      column("app_revision", "integer", "The revision it plays", both),
    ],
  },
  {
    name: "edge_app_installations",
    path: "edge-apps/installations",
    description: "An edge app as it can be scheduled, with its own settings.",
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
    description: "What can be set on an edge app.",
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
      column("default_value", "text", "What it is unless set", both),
      column("optional", "flag", "It may be left unset", both),
      column("title", "text", "For people", both),
      column("help_text", "text", "For people, longer", both),
      column("is_global", "flag", "One value for all installations", both),
    ],
  },
  {
    name: "edge_app_setting_values",
    path: "edge-apps/settings/values",
    description: "What is set, per app or per installation.",
    methods: everyMethod,
    key: "row_id",
    guards: [
      ["app_id", "name"],
      ["installation_id", "name"],
    ],
    columns: [...settingValue, column("value", "text", "What it is", both)],
  },
  {
    name: "edge_app_secret_values",
    path: "edge-apps/secrets/values",
    description: "Secrets; they are set and never shown.",
    methods: ["POST"],
    key: "row_id",
    columns: [
      ...settingValue,
      column("value", "text", "What it is", { ...insert, isShown: false }),
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
