// Defaults and side effects of writes, table by table.

import { serviceSentences } from "../../../contract/sentences/service-sentences.ts";
import type { Table } from "../../catalogue.ts";
import type { Row, Run } from "../../../platform/database/database.ts";
import { mapInPieces } from "../../../platform/text/incremental.ts";
import type { Dialect } from "../sql/dialect.ts";
import { limits } from "../parse/request-limits.ts";
import { lockRows, needsOwners, ownersOf } from "./locks.ts";
import type { NewRow } from "../plan/plan-write.ts";
import { mayNotWrite, noSuch, refusedValue } from "../../http/v4-errors.ts";
import {
  lastRevisions,
  leaveRevisions,
  refuseUnknownRevisions,
} from "./revisions.ts";
import { joined, named, sql, statementOf, type Sql } from "../../sql.ts";
import type { Value } from "../plan/values.ts";
import { insertStatements } from "../sql/write-query.ts";

/** Tables whose writes read or change rows elsewhere. */
const withFollowers = new Set([
  ...["playlist_items", "edge_apps", "edge_app_versions", "screens"],
  ...["edge_app_installations", "edge_app_settings"],
  ...["edge_app_setting_values", "edge_app_secret_values", "label_screen"],
  "edge_app_channels",
]);

export function hasFollowers({ name }: Table): boolean {
  return withFollowers.has(name);
}

/** Within one transaction. */
export interface WriteContext {
  readonly run: Run;
  readonly dialect: Dialect;
  readonly tableNamed: (name: string) => Table;
  readonly team: string;
  readonly now: number;
  readonly makeId: () => string;
  readonly sealSecret: (settingId: string, value: string) => string;
}

type Prepared = Map<string, Value | null>;

export async function prepareRows(
  context: WriteContext,
  table: Table,
  rows: readonly NewRow[],
): Promise<readonly NewRow[]> {
  const prepared = await mapInPieces(
    rows,
    limits.rowsPerBatch,
    (row): Prepared =>
      new Map(row)
        .set(table.key, text(context.makeId()))
        .set(table.teamColumn, text(context.team))
        .set("created_at", { type: "moment", value: context.now }),
  );
  if (needsOwners(table.name, prepared.length === 1, context.dialect))
    await lockOwners(context, table, prepared);
  await preparations[table.name]?.(context, prepared);
  return prepared;
}

/** Most single rows are locked by their insert, and hold nothing that another writer could wait for. */
async function lockOwners(
  context: WriteContext,
  table: Table,
  rows: readonly Prepared[],
): Promise<void> {
  const { dialect, team } = context;
  const locking = {
    dialect,
    team,
    runQuery: (of: Sql) => runQuery(context, of),
  };
  for (const owner of ownersOf[table.name] ?? []) {
    const ids = valuesIn(rows, owner.column);
    const areMeant = dialect.keysOneOf(named("id"), ids);
    await lockRows(locking, owner.table, owner.lock, areMeant);
  }
}

function text(value: string): Value {
  return { type: "text", value };
}

function textOf(row: NewRow, name: string): string | null {
  const value = row.get(name);
  return value?.type === "text" ? value.value : null;
}

function runQuery(
  { run, dialect }: Pick<WriteContext, "run" | "dialect">,
  query: Sql,
): Promise<readonly Row[]> {
  return run(statementOf(query, dialect.kind));
}

type Preparation = (
  context: WriteContext,
  rows: readonly Prepared[],
) => Promise<void>;

const preparations: Readonly<Record<string, Preparation>> = {
  labels: async (_context, rows) => {
    for (const row of rows)
      row
        .set("type", text("manual"))
        .set("human_name", row.get("name") ?? null);
  },
  playlist_items: preparePositions,
  edge_app_versions: prepareRevisions,
  edge_app_setting_values: (context, rows) =>
    prepareSettings(context, rows, "string"),
  edge_app_secret_values: (context, rows) =>
    prepareSettings(context, rows, "secret"),
};

/** Clients insert between two items, so the gaps are wide (V4-41). Of two writers, the second waits for the playlist's lock. */
const positionGap = 100_000n;

async function preparePositions(
  context: WriteContext,
  rows: readonly Prepared[],
): Promise<void> {
  const unpositioned = rows.filter(
    (row) => (row.get("position") ?? null) === null,
  );
  const playlists = valuesIn(unpositioned, "playlist_id");
  const last = await lastPositions(context, playlists);
  for (const row of unpositioned) {
    const playlist = textOf(row, "playlist_id") ?? "";
    const position = nextAfter(last.get(playlist), positionGap, "position");
    last.set(playlist, position);
    row.set("position", { type: "integer", value: position });
  }
}

async function prepareRevisions(
  context: WriteContext,
  rows: readonly Prepared[],
): Promise<void> {
  const apps = valuesIn(rows, "app_id");
  await lockApps(context, apps);
  const last = new Map(
    await lastRevisions(
      (of) => runQuery(context, of),
      context.team,
      (app) => context.dialect.keysOneOf(app, apps),
    ),
  );
  for (const row of rows) {
    const app = textOf(row, "app_id") ?? "";
    const revision = nextAfter(last.get(app), 1n, "revision");
    last.set(app, revision);
    row.set("revision", { type: "integer", value: revision });
  }
}

/** Numbers no database can store are rejected here: a driver would not even accept them. */
function nextAfter(last = 0n, gap: bigint, name: string): bigint {
  const next = last + gap;
  if (BigInt.asIntN(64, next) !== next)
    throw refusedValue("22003", `"${name}" is out of range`);
  return next;
}

function valuesIn(rows: readonly Prepared[], name: string): readonly string[] {
  return [...new Set(rows.flatMap((row) => textOf(row, name) ?? []))];
}

/** Of two concurrent writers, the second sees the numbers that the first assigned; SQLite has one writer anyway. */
async function lockApps(
  context: WriteContext,
  apps: readonly string[],
): Promise<void> {
  const { dialect, team } = context;
  if (dialect.kind === "sqlite" || apps.length === 0) return;
  await runQuery(
    context,
    sql`SELECT id FROM edge_apps WHERE team_id = ${team} AND ${dialect.keysOneOf(named("id"), apps)} ORDER BY id FOR NO KEY UPDATE`,
  );
}

async function lastPositions(
  context: WriteContext,
  keys: readonly string[],
): Promise<Map<string, bigint>> {
  if (keys.length === 0) return new Map();
  const rows = await runQuery(
    context,
    sql`SELECT playlist_id, max(position) AS largest FROM playlist_items
      WHERE team_id = ${context.team} AND ${context.dialect.keysOneOf(named("playlist_id"), keys)} GROUP BY playlist_id`,
  );
  return new Map(
    rows.map(({ playlist_id, largest }) => [
      String(playlist_id),
      BigInt(Number(largest)),
    ]),
  );
}

/** A value names an app or installation, and a setting; both lead to the setting it is a value of. */
async function prepareSettings(
  context: WriteContext,
  rows: readonly Prepared[],
  type: "string" | "secret",
): Promise<void> {
  for (const row of rows) {
    const installation = textOf(row, "installation_id");
    const app =
      textOf(row, "app_id") ??
      (installation === null ? null : await appOf(context, installation));
    if (app === null)
      throw refusedValue(
        "23502",
        'null value in column "app_id" violates not-null constraint',
      );
    const [setting] = await runQuery(
      context,
      sql`SELECT id, type FROM edge_app_settings
        WHERE team_id = ${context.team} AND app_id = ${app} AND name = ${textOf(row, "name") ?? ""}`,
    );
    if (!setting) throw noSuch("setting");
    if (setting["type"] !== type)
      throw refusedValue("23514", `the setting is not of type ${type}`);
    const settingId = String(setting["id"]);
    row.set("setting_id", text(settingId)).set("app_id", text(app));
    const value = textOf(row, "value");
    if (type === "secret" && value !== null)
      row.set("value", text(context.sealSecret(settingId, value)));
  }
}

async function appOf(context: WriteContext, id: string): Promise<string> {
  const [found] = await runQuery(
    context,
    sql`SELECT app_id FROM edge_app_installations WHERE team_id = ${context.team} AND id = ${id}`,
  );
  if (!found) throw noSuch("installation");
  return String(found["app_id"]);
}

export interface Inserted {
  /** Only the new rows. */
  readonly rows: readonly NewRow[];
  /** Includes merged rows. */
  readonly keys: readonly string[];
  /** The columns that were sent. */
  readonly sent: ReadonlySet<string>;
}

/** A new app gets a channel named stable; a new installation gets an asset that can be scheduled. */
export async function followInsert(
  context: WriteContext,
  table: Table,
  { rows, keys, sent }: Inserted,
): Promise<void> {
  if (table.name === "edge_app_settings" && keys.length > 0)
    await followSettings(context, null, keys);
  if (table.name === "edge_app_channels" && sent.has("app_revision"))
    await refuseUnknownRevisions(context, keys);
  await refuseBuiltInLinks(context, table, keys);
  if (table.name === "edge_apps")
    await insertFollowing(context, "edge_app_channels", rows, (row) => [
      ["app_id", row.get("id") ?? null],
      ["channel", text("stable")],
    ]);
  if (table.name === "edge_app_installations")
    await insertFollowing(context, "assets", rows, (row) => [
      ["type", text("edge-app")],
      ["title", row.get("name") ?? text("")],
      ["status", text("finished")],
      ["app_id", row.get("app_id") ?? null],
      ["app_channel", text("stable")],
      ["app_installation_id", row.get("id") ?? null],
    ]);
}

async function insertFollowing(
  context: WriteContext,
  name: string,
  rows: readonly NewRow[],
  valuesOf: (row: NewRow) => readonly (readonly [string, Value | null])[],
): Promise<void> {
  const table = context.tableNamed(name);
  const following = await prepareRows(
    context,
    table,
    rows.map((row) => new Map(valuesOf(row))),
  );
  for (const statement of insertStatements(
    context.dialect,
    table,
    following,
    null,
  ))
    await runQuery(context, statement);
}

/** What else an update sets in the same row: a manual label's display name follows its name. */
export function withFollowing(table: Table, changes: NewRow): NewRow {
  const name = changes.get("name");
  return table.name === "labels" && name
    ? new Map(changes).set("human_name", name)
    : changes;
}

/** A screen's own label follows its name, and so does an installation's asset; values follow their setting (V4-42). */
export async function followUpdate(
  context: WriteContext,
  table: Table,
  changes: NewRow,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  const name = textOf(changes, "name");
  if (table.name === "edge_app_settings")
    await followSettings(context, name, keys);
  if (table.name === "edge_app_channels" && changes.has("app_revision"))
    await refuseUnknownRevisions(context, keys);
  if (table.name === "edge_app_installations" && changes.has("name"))
    await renameInstallations(context, name ?? "", keys);
  if (table.name !== "screens" || name === null) return;
  await runQuery(
    context,
    sql`UPDATE labels SET name = ${name}, human_name = ${name} WHERE ${ownLabels(context, keys)}`,
  );
}

/** The asset of an installation has the installation's name (V4-283). */
async function renameInstallations(
  context: WriteContext,
  name: string,
  keys: readonly string[],
): Promise<void> {
  const { team, dialect } = context;
  await runQuery(
    context,
    sql`UPDATE assets SET title = ${name} WHERE team_id = ${team}
      AND ${dialect.keysOneOf(named("app_installation_id"), keys)}`,
  );
}

/** Compares with the current settings: clients send name and type back with every change. */
async function followSettings(
  context: WriteContext,
  name: string | null,
  keys: readonly string[],
): Promise<void> {
  const { team, dialect } = context;
  const settings = sql`team_id = ${team} AND ${dialect.keysOneOf(named("id"), keys)}`;
  const theirs = sql`team_id = ${team} AND ${dialect.keysOneOf(named("setting_id"), keys)}`;
  const valuesOf = {
    string: "edge_app_setting_values",
    secret: "edge_app_secret_values",
  } as const;
  for (const [kind, table] of Object.entries(valuesOf)) {
    // A setting that becomes a secret, or stops being one, loses its values.
    await runQuery(
      context,
      sql`DELETE FROM ${named(table)} WHERE ${theirs} AND setting_id IN (
        SELECT id FROM edge_app_settings WHERE ${settings} AND type <> ${kind})`,
    );
    if (name !== null)
      await runQuery(
        context,
        sql`UPDATE ${named(table)} SET name = ${name} WHERE ${theirs}`,
      );
  }
  // Defaults are visible to everybody, so a secret has none.
  await runQuery(
    context,
    sql`UPDATE edge_app_settings SET default_value = NULL
      WHERE ${settings} AND type = 'secret' AND default_value IS NOT NULL`,
  );
}

export async function followDelete(
  context: WriteContext,
  table: Table,
  keys: readonly string[],
): Promise<void> {
  await refuseBuiltInLinks(context, table, keys);
  if (table.name === "edge_app_versions" && keys.length > 0)
    await leaveRevisions(context, keys);
  if (table.name !== "screens" || keys.length === 0) return;
  await runQuery(
    context,
    sql`DELETE FROM labels WHERE ${ownLabels(context, keys)}`,
  );
}

function ownLabels(
  { team, dialect }: WriteContext,
  keys: readonly string[],
): Sql {
  return joined(
    [
      sql`team_id = ${team}`,
      sql`type = 'screen'`,
      dialect.keysOneOf(named("id"), keys),
    ],
    " AND ",
  );
}

/** A screen always keeps its own label, which no other screen gets, and All Screens (V4-38). */
async function refuseBuiltInLinks(
  context: WriteContext,
  { name }: Table,
  keys: readonly string[],
): Promise<void> {
  if (name !== "label_screen" || keys.length === 0) return;
  const { team, dialect } = context;
  const [found] = await runQuery(
    context,
    sql`SELECT l.id FROM label_screen k JOIN labels l ON l.id = k.label_id
      WHERE k.team_id = ${team} AND ${dialect.keysOneOf(sql`k.row_id`, keys)} AND l.type <> 'manual' LIMIT 1`,
  );
  if (found) throw mayNotWrite(name, serviceSentences["built-in-label"]);
}
