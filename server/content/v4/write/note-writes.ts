// What the activity log says about written rows of version 4's tables: one entry for each thing, or one for very many (V4-381).

import type {
  ActivityChangeV3,
  ActivityKindV3,
} from "../../../contract/v3/v3-activity.ts";
import type { Row } from "../../../platform/database/database.ts";
import type { Note } from "../../activity/activity.ts";
import {
  changesBetween,
  hiddenChange,
  isHiddenField,
  maxChanges,
  shownField,
  type Fields,
} from "../../activity/changes.ts";
import type { Column, Table } from "../../catalogue.ts";
import { plainFrom } from "../../http/json-body.ts";
import { named, sql, type Sql } from "../../sql.ts";
import type { Conflict, NewRow } from "../plan/plan-write.ts";

/** More rows of one write than this become one entry, with the first identifiers. */
export const maxNoted = 200;
const maxIds = 5;

/** What the rows of a table are to people. */
interface Resource {
  readonly kind: ActivityKindV3;
  /** The column of the name; of rows that belong to something else, in its table. */
  readonly nameColumn: string;
  /** Set where a row is part of something else, whose entry it becomes. */
  readonly owner?: {
    readonly table: string;
    /** In both tables, its key is `id`. */
    readonly column: string;
    /** The field of the owner that the rows make up, and the column that says which they are. */
    readonly field: string;
    readonly value: string;
  };
}

const part = (
  kind: ActivityKindV3,
  nameColumn: string,
  table: string,
  column: string,
  field: string,
  value: string,
): Resource => ({ kind, nameColumn, owner: { table, column, field, value } });

const ofPlaylist = (field: string, value: string): Resource =>
  part("playlist", "title", "playlists", "playlist_id", field, value);
const ofApp = (field: string, value: string): Resource =>
  part("edge-app", "name", "edge_apps", "app_id", field, value);
const ofSetting = (value: string): Resource =>
  part("setting", "name", "edge_app_settings", "setting_id", value, value);

const resources: Readonly<Record<string, Resource>> = {
  assets: { kind: "asset", nameColumn: "title" },
  asset_groups: { kind: "folder", nameColumn: "title" },
  labels: { kind: "group", nameColumn: "name" },
  screens: { kind: "screen", nameColumn: "name" },
  playlists: { kind: "playlist", nameColumn: "title" },
  edge_apps: { kind: "edge-app", nameColumn: "name" },
  edge_app_settings: { kind: "setting", nameColumn: "name" },
  playlist_items: ofPlaylist("items", "asset_id"),
  label_playlist: ofPlaylist("groups", "label_id"),
  label_screen: part(
    ...(["screen", "name", "screens", "screen_id", "groups"] as const),
    "label_id",
  ),
  shared_playlists: ofPlaylist("teams", "team_id"),
  edge_app_versions: ofApp("versions", "revision"),
  edge_app_channels: ofApp("channels", "channel"),
  edge_app_installations: ofApp("installations", "name"),
  edge_app_setting_values: ofSetting("value"),
  // No column has this name, and no value is read.
  edge_app_secret_values: ofSetting("secret_value"),
};

function resourceOf({ name }: Table): Resource {
  const resource = resources[name];
  if (!resource) throw new Error(`Nobody says what ${name} are.`);
  return resource;
}

/** Null for rows that are part of something else. */
export function thingOf(
  table: Table,
): Pick<Resource, "kind" | "nameColumn"> | null {
  const resource = resourceOf(table);
  return resource.owner ? null : resource;
}

/** The columns that an entry needs beside those that change. */
export function notedColumns(table: Table): readonly string[] {
  const { nameColumn, owner } = resourceOf(table);
  if (!owner) return [nameColumn];
  return [
    owner.column,
    ...(table.columns.has(owner.value) ? [owner.value] : []),
  ];
}

type What = "added" | "changed" | "removed";

interface Written {
  readonly key: string;
  readonly before: Fields | null;
  readonly after: Fields | null;
  /** Of a changed row. */
  readonly changes?: readonly ActivityChangeV3[];
}

export function notesOfInsert(
  table: Table,
  rows: readonly NewRow[],
): readonly Note[] {
  return notesOf(table, "added", rows.length, () =>
    needed(rows).map((row) => {
      const after = plainRow(row);
      return { key: textAt(after, table.key), before: null, after };
    }),
  );
}

/** Of very many rows, only the first. */
function needed<Each>(rows: readonly Each[]): readonly Each[] {
  return rows.length > maxNoted ? rows.slice(0, maxIds) : rows;
}

/**
 * The rows as they were and as they are now, by their keys. Of more than `maxNoted`, only some as they were are needed, which name
 * them.
 */
export function notesOfUpdate(
  table: Table,
  before: readonly Row[],
  after: readonly Row[],
  columns: readonly string[],
): readonly Note[] {
  return notesOf(table, "changed", after.length, () => {
    const were = before.map((row): [string, Fields] => [
      textAt(row, "row_key"),
      fieldsOf(table, row),
    ]);
    if (after.length > maxNoted)
      return needed(were).map(([key, was]) => ({
        ...{ key, before: was, after: was },
      }));
    const wasByKey = new Map(were);
    return after.flatMap((row) => {
      const key = textAt(row, "row_key");
      return changed(
        ...([key, wasByKey.get(key) ?? {}, fieldsOf(table, row)] as const),
        columns,
      );
    });
  });
}

/** None where nothing differs. */
function changed(
  key: string,
  before: Fields,
  after: Fields,
  columns: readonly string[],
): readonly Written[] {
  const changes = changesBetween(before, after, columns);
  return changes.length === 0 ? [] : [{ key, before, after, changes }];
}

/** Rows that an insert merged into: as they were, and what was sent for them. */
export function notesOfMerge(
  table: Table,
  { columns, sent }: Conflict,
  before: readonly Row[],
  rows: readonly NewRow[],
): readonly Note[] {
  const placeOf = (row: Fields): string =>
    columns.map((name) => textAt(row, name)).join("\n");
  const sentRows = new Map(
    rows.map(plainRow).map((row) => [placeOf(row), row]),
  );
  const others = sent.filter((name) => !columns.includes(name));
  const merged = before.flatMap((row) => {
    const was = fieldsOf(table, row);
    const is = sentRows.get(placeOf(was));
    const key = textAt(row, "row_key");
    return is ? changed(key, was, { ...was, ...is }, others) : [];
  });
  return notesOf(table, "changed", merged.length, () => merged);
}

export function notesOfRemoval(
  table: Table,
  rows: readonly Row[],
): readonly Note[] {
  return notesOf(table, "removed", rows.length, () =>
    needed(rows).map((row) => ({
      key: textAt(row, "row_key"),
      ...{ before: fieldsOf(table, row), after: null },
    })),
  );
}

function notesOf(
  table: Table,
  what: What,
  count: number,
  written: () => readonly Written[],
): readonly Note[] {
  if (count === 0) return [];
  const resource = resourceOf(table);
  const all = written();
  if (count > maxNoted) return [noteOfMany(resource, what, count, all)];
  if (resource.owner) return notesOfOwners(resource, what, all);
  const { kind, nameColumn } = resource;
  return all.map(({ key, before, after, changes = [] }) => ({
    ...{ kind, what, id: key, changes },
    name: textAt(after ?? before ?? {}, nameColumn),
  }));
}

function noteOfMany(
  { kind, owner }: Resource,
  what: What,
  count: number,
  rows: readonly Written[],
): Note {
  const ids = rows
    .slice(0, maxIds)
    .map(({ key, before, after }) =>
      owner ? textAt(after ?? before ?? {}, owner.column) : key,
    );
  const shown = [...new Set(ids)].join(", ");
  const change: ActivityChangeV3 = {
    field: owner ? `${owner.field} of` : "ids",
    before: what === "added" ? null : shown,
    after: what === "removed" ? null : shown,
  };
  return {
    ...{ kind, what: owner ? "changed" : what, id: null, name: "" },
    ...{ changes: [change], count },
  };
}

/** One entry for each owner. */
function notesOfOwners(
  { kind, nameColumn, owner }: Resource,
  what: What,
  rows: readonly Written[],
): readonly Note[] {
  if (!owner) return [];
  const groups = new Map<string, Written[]>();
  for (const row of rows) {
    const id = textAt(row.after ?? row.before ?? {}, owner.column);
    const group = groups.get(id);
    if (group) group.push(row);
    else groups.set(id, [row]);
  }
  return [...groups].map(([id, members]): Note => {
    const changes =
      what === "changed"
        ? members.flatMap(({ changes: all = [] }) =>
            all.map((change) => partChange(owner.field, change)),
          )
        : [linkChange(owner, what, members)];
    return {
      ...{
        kind,
        what: "changed",
        id,
        name: nameOfOwner(owner, nameColumn, id),
      },
      ...{ changes: changes.slice(0, maxChanges), count: members.length },
    };
  });
}

function partChange(field: string, change: ActivityChangeV3): ActivityChangeV3 {
  if (isHiddenField(field)) return hiddenChange(field);
  return change.field === field
    ? change
    : { ...change, field: `${field}.${change.field}` };
}

function linkChange(
  { field, value }: NonNullable<Resource["owner"]>,
  what: What,
  members: readonly Written[],
): ActivityChangeV3 {
  const values = members.map(({ before, after }) => (after ?? before)?.[value]);
  const shown = shownField(
    field,
    values.length === 1 ? (values[0] ?? true) : values.join(", "),
  );
  return {
    field,
    before: what === "added" ? null : shown,
    after: what === "removed" ? null : shown,
  };
}

/** Found in the same statement; empty for one that does not exist any more. */
function nameOfOwner(
  { table }: NonNullable<Resource["owner"]>,
  nameColumn: string,
  id: string,
): Sql {
  return sql`coalesce((SELECT ${named(nameColumn)} FROM ${named(table)} WHERE id = ${id}), '')`;
}

export function plainRow(row: NewRow): Fields {
  return Object.fromEntries(
    [...row].map(([name, value]) => [
      name,
      value?.type === "json" ? plainFrom(value.value) : (value?.value ?? null),
    ]),
  );
}

/** The values of a stored row, the same on both databases. */
function fieldsOf({ columns }: Table, row: Row): Fields {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      fieldOf(columns.get(name), value),
    ]),
  );
}

function fieldOf(column: Column | undefined, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  switch (column?.type) {
    case "flag":
      return Boolean(value);
    case "level":
      return Number(value) > 0;
    case "integer":
    case "decimal":
    case "moment":
      return Number(value);
    case "json":
      return typeof value === "string" ? JSON.parse(value) : value;
    default:
      return value;
  }
}

function textAt(row: Fields, name: string): string {
  const value = row[name];
  if (typeof value === "string") return value;
  const isNumber = typeof value === "number" || typeof value === "bigint";
  return isNumber ? String(value) : "";
}
