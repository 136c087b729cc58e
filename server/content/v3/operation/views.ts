// SQL that shows rows in the format of version 3, each as one JSON text (V3-10, V3-20, V3-30, V3-41, V3-54).

import { defaultDurationSeconds } from "../../../core/asset-limits.ts";
import { shownAddress } from "../../files/address-columns.ts";
import type { Dialect, Member } from "../../v4/sql/dialect.ts";
import { sql, trusted, type Sql } from "../../sql.ts";
import { lastContact } from "./last-contact.ts";

const plain = (name: string, value: Sql): Member => ({
  ...{ name, value, isJson: false },
});
const json = (name: string, value: Sql): Member => ({
  ...{ name, value, isJson: true },
});
const column = (name: string): Sql => trusted(name);

/** Composed once per database. */
function once(make: (dialect: Dialect) => Sql): (dialect: Dialect) => Sql {
  const viewsByDialect = new Map<Dialect["kind"], Sql>();
  return (dialect) => {
    const cached = viewsByDialect.get(dialect.kind);
    if (cached) return cached;
    const view = make(dialect);
    viewsByDialect.set(dialect.kind, view);
    return view;
  };
}

/** True until the statement's time limit is reached (V4-47). */
export function inTime(dialect: Dialect, alias: string): Sql {
  const condition = dialect.inTime(alias);
  return condition ? sql`${condition} AND` : trusted("");
}

/** The text of an object, sent as it is. */
export function asText(object: Sql, { kind }: Dialect): Sql {
  return kind === "postgres" ? sql`(${object})::text` : object;
}

/** All assets of a team, as `a`; conditions and order may follow. */
export function assetRows(dialect: Dialect, team: string, more: Sql): Sql {
  return sql`${assetView(dialect)} a.team_id = ${team} ${more}`;
}

const assetView = once((dialect) => {
  const members = [
    plain("id", column("a.id")),
    plain("url", sql`'/api/v3/assets/' || a.id || '/'`),
    plain("type", column("a.type")),
    plain("title", column("a.title")),
    plain(
      "duration",
      trusted(`coalesce(a.duration, ${defaultDurationSeconds})`),
    ),
    plain("asset_url", shownAddress(column("a.asset_url"))),
    plain("md5", sql`coalesce(a.md5, '')`),
    plain("source_md5", column("a.source_md5")),
    plain("source_size", column("a.source_size")),
    plain("source_url", sql`coalesce(a.source_url, '')`),
    json("finalized", dialect.shownFlag(sql`(a.status = 'finished')`)),
    plain("width", sql`coalesce(a.width, 0)`),
    plain("height", sql`coalesce(a.height, 0)`),
    json(
      "disable_verification",
      dialect.shownFlag(sql`a.disable_verification`),
    ),
    plain("folder_name", sql`coalesce(g.title, '')`),
    json("headers", textsOf(dialect, sql`a.headers`)),
    json("metadata", textsOf(dialect, sql`a.metadata`)),
    plain("status", column("a.status")),
    plain("js_injection", sql`coalesce(a.js_injection, '')`),
  ];
  return sql`SELECT ${asText(dialect.object(members), dialect)} AS body
    FROM assets a LEFT JOIN asset_groups g ON g.team_id = a.team_id AND g.id = a.asset_group_id
    WHERE ${inTime(dialect, "a")}`;
});

/** Version 4 accepts any JSON here; version 3 shows an object of texts (V3-17). */
function textsOf(dialect: Dialect, json: Sql): Sql {
  if (dialect.kind === "sqlite")
    return sql`json(CASE WHEN ${json} = '{}' THEN '{}' ELSE coalesce(json_texts(${json}), '{}') END)`;
  return sql`CASE WHEN ${json} = '{}' OR ${json} IS NULL OR jsonb_typeof(${json}) <> 'object' THEN '{}'
    ELSE (SELECT jsonb_object_agg(key, coalesce(value #>> '{}', 'null')) FROM jsonb_each(${json})) END`;
}

/** Labels of type manual are groups, and so is the one of all screens, under a name of its own (V3-20). */
const groupId = trusted(
  "CASE l.type WHEN 'all-screens' THEN 'all-screens' ELSE l.id END",
);
const groupName = trusted(
  "CASE l.type WHEN 'manual' THEN l.name ELSE l.human_name END",
);

function groupMembers(): readonly Member[] {
  return [
    plain("id", groupId),
    plain("url", sql`'/api/v3/groups/' || ${groupId} || '/'`),
    plain("name", groupName),
  ];
}

/** Groups of a team, as `l`. */
export function groupRows(dialect: Dialect, team: string, more: Sql): Sql {
  return sql`${groupView(dialect)} l.team_id = ${team} ${more}`;
}

const groupView = once((dialect) => {
  const screen = dialect.object([
    plain("id", column("s.id")),
    plain("name", column("s.name")),
    json("coords", coordsOf(dialect)),
  ]);
  const all = sql`SELECT ${screen} AS body FROM screens s
    WHERE ${inTime(dialect, "s")} s.team_id = l.team_id ORDER BY s.id`;
  const some = sql`SELECT ${screen} AS body FROM label_screen k JOIN screens s ON s.id = k.screen_id
    WHERE ${inTime(dialect, "k")} k.team_id = l.team_id AND k.label_id = l.id ORDER BY s.id`;
  const shown = dialect.nested(
    sql`CASE l.type WHEN 'all-screens' THEN ${dialect.arrayOf(all, true)} ELSE ${dialect.arrayOf(some, true)} END`,
  );
  const members = [...groupMembers(), json("screens", shown)];
  return sql`SELECT ${asText(dialect.object(members), dialect)} AS body
    FROM labels l WHERE ${inTime(dialect, "l")}`;
});

function coordsOf({ kind }: Dialect): Sql {
  return kind === "sqlite"
    ? sql`json(CASE WHEN json_type(s.coords, '$[0]') IN ('integer', 'real') AND json_type(s.coords, '$[1]') IN ('integer', 'real')
        THEN json_array(json_extract(s.coords, '$[0]'), json_extract(s.coords, '$[1]')) ELSE '[0,0]' END)`
    : sql`CASE WHEN jsonb_typeof(s.coords -> 0) = 'number' AND jsonb_typeof(s.coords -> 1) = 'number'
        THEN jsonb_build_array(s.coords -> 0, s.coords -> 1) ELSE '[0, 0]' END`;
}

/** Playlists of a team, as `p`; a single one also has its assets. */
export function playlistRows(
  dialect: Dialect,
  team: string,
  more: Sql,
  { withAssets }: { readonly withAssets: boolean },
): Sql {
  const view = withAssets ? fullPlaylistView : listedPlaylist;
  return sql`${view(dialect)} p.team_id = ${team} ${more}`;
}

const listedPlaylist = once((dialect) => playlistView(dialect, false));
const fullPlaylistView = once((dialect) => playlistView(dialect, true));

function playlistView(dialect: Dialect, withAssets: boolean): Sql {
  const group = dialect.object(groupMembers());
  const groups = sql`SELECT ${group} AS body FROM label_playlist k JOIN labels l ON l.id = k.label_id
    WHERE ${inTime(dialect, "k")} k.team_id = p.team_id AND k.playlist_id = p.id ORDER BY k.row_id`;
  const item = dialect.object([
    plain("id", column("i.asset_id")),
    plain("duration", column("i.duration")),
  ]);
  const items = sql`SELECT ${item} AS body FROM playlist_items i
    WHERE ${inTime(dialect, "i")} i.team_id = p.team_id AND i.playlist_id = p.id ORDER BY i.position, i.id`;
  const least = trusted(dialect.kind === "sqlite" ? "min" : "least");
  // Bounded and rounded, so that the sum neither overflows nor depends on the order of its parts.
  const duration = sql`(SELECT coalesce(round(sum(${least}(i.duration, 1000000000)) * 1000000) / 1000000, 0)
    FROM playlist_items i WHERE ${inTime(dialect, "i")} i.team_id = p.team_id AND i.playlist_id = p.id)`;
  const members = [
    plain("id", column("p.id")),
    plain("url", sql`'/api/v3/playlists/' || p.id || '/'`),
    plain("title", column("p.title")),
    json("is_enabled", dialect.shownFlag(sql`p.is_enabled`)),
    plain("priority", column("p.priority")),
    plain("predicate", column("p.predicate")),
    json("groups", dialect.nested(dialect.arrayOf(groups, true))),
    plain("duration", duration),
    ...(withAssets
      ? [json("assets", dialect.nested(dialect.arrayOf(items, true)))]
      : []),
  ];
  return sql`SELECT ${asText(dialect.object(members), dialect)} AS body
    FROM playlists p WHERE ${inTime(dialect, "p")}`;
}

/** Screens of a team, as `s`, in the list or the detail format. */
export function screenRows(
  dialect: Dialect,
  team: string,
  more: Sql,
  { isDetailed }: { readonly isDetailed: boolean },
): Sql {
  const view = isDetailed ? fullScreenView : listedScreen;
  return sql`${view(dialect)} s.team_id = ${team} ${more}`;
}

const listedScreen = once((dialect) => screenView(dialect, false));
const fullScreenView = once((dialect) => screenView(dialect, true));

function screenView(dialect: Dialect, isDetailed: boolean): Sql {
  const group = dialect.object(groupMembers());
  const groups = sql`SELECT ${group} AS body FROM (
      SELECT k.label_id AS id FROM label_screen k
        WHERE ${inTime(dialect, "k")} k.team_id = s.team_id AND k.screen_id = s.id
      UNION SELECT b.id FROM labels b WHERE b.team_id = s.team_id AND b.type = 'all-screens'
    ) own JOIN labels l ON l.id = own.id WHERE l.type <> 'screen' ORDER BY l.type, l.id`;
  const members = [
    plain("id", column("s.id")),
    json("in_sync", dialect.shownFlag(sql`s.in_sync`)),
    plain("status", column("s.status")),
    plain("type", column("s.type")),
    json("coords", coordsOf(dialect)),
    json("is_enabled", dialect.shownFlag(sql`s.is_enabled`)),
    plain("last_ping", dialect.shownMoment(lastContact)),
    json("groups", dialect.nested(dialect.arrayOf(groups, true))),
    plain("name", column("s.name")),
    plain("last_screenshot", shownAddress(column("s.last_screenshot"))),
    ...(isDetailed ? screenDetails(dialect) : []),
  ];
  return sql`SELECT ${asText(dialect.object(members), dialect)} AS body
    FROM screens s WHERE ${inTime(dialect, "s")}`;
}

function screenDetails(dialect: Dialect): readonly Member[] {
  const textOf = (name: string): Member =>
    plain(name, sql`coalesce(${column(`s.${name}`)}, '')`);
  const config =
    dialect.kind === "sqlite"
      ? sql`json(CASE json_type(s.config) WHEN 'object' THEN s.config ELSE '{}' END)`
      : sql`CASE jsonb_typeof(s.config) WHEN 'object' THEN s.config ELSE '{}' END`;
  return [
    textOf("hostname"),
    textOf("last_ip"),
    textOf("local_ip"),
    textOf("mac"),
    plain(
      "last_screenshot_time",
      dialect.shownMoment(sql`s.last_screenshot_time`),
    ),
    ...[textOf("location"), textOf("timezone")],
    plain("uptime", sql`coalesce(CAST(s.uptime AS TEXT), '')`),
    ...[textOf("hardware_version"), textOf("software_version")],
    textOf("load_avg"),
    json("ws_open", dialect.shownFlag(sql`s.ws_open`)),
    ...[
      plain("team", column("s.team_id")),
      plain("team_id", column("s.team_id")),
    ],
    plain("created_at", dialect.shownMoment(sql`s.created_at`)),
    json("debug", dialect.shownFlag(sql`s.debug`)),
    textOf("interface"),
    plain("signal_strength", column("s.signal_strength")),
    json("config", config),
    json("item_counts", dialect.shownJson(column("s.item_counts"))),
  ];
}

/** Whole numbers without a decimal point, on both databases. */
const seconds =
  trusted(`CASE WHEN (b.ended_at - b.started_at) % 1000 = 0 THEN (b.ended_at - b.started_at) / 1000
  ELSE CAST(b.ended_at - b.started_at AS DOUBLE PRECISION) / 1000 END`);

/** Playbacks of a team, as `b`, newest first; conditions and the window may follow. */
export function playbackRows(dialect: Dialect, team: string, more: Sql): Sql {
  return sql`${playbackView(dialect)} b.team_id = ${team} ${more}) b
    ORDER BY b.started_at DESC, b.id DESC`;
}

const playbackView = once((dialect) => {
  const members = [
    plain("id", column("b.id")),
    plain("screen_id", column("b.screen_id")),
    plain("asset_id", column("b.asset_id")),
    plain("playlist_id", column("b.playlist_id")),
    plain("started_at", dialect.shownMoment(sql`b.started_at`)),
    plain("ended_at", dialect.shownMoment(sql`b.ended_at`)),
    plain("duration", seconds),
  ];
  // Rows are selected before their JSON is composed: skipped rows cost almost nothing.
  return sql`SELECT ${asText(dialect.object(members), dialect)} AS body
    FROM (SELECT * FROM playbacks b WHERE ${inTime(dialect, "b")}`;
});
