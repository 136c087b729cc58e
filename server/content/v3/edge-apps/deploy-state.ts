// Reads the state of an edge app: its deployed revision, its settings, and its files of all revisions.

import type { Row } from "../../../platform/database/database.ts";
import { lastRevisions } from "../../v4/write/revisions.ts";
import { sql } from "../../sql.ts";
import type { AppState, VersionFacts } from "./deploy-plan.ts";
import type { Place } from "./deploy-place.ts";
import type { RunQuery } from "../operation/v3.ts";

export interface FoundState extends AppState {
  /** The deployed revision. */
  readonly revision: number | null;
  /** The largest revision number, deleted ones included. */
  readonly lastRevision: number;
  readonly settingIds: ReadonlyMap<string, string>;
}

export async function readAppState(
  runQuery: RunQuery,
  { team, app }: Place,
): Promise<FoundState> {
  const last = await lastRevisions(runQuery, team, (id) => sql`${id} = ${app}`);
  const [version] = await runQuery(
    sql`SELECT v.* FROM edge_app_channels c JOIN edge_app_versions v
        ON v.team_id = c.team_id AND v.app_id = c.app_id AND v.revision = c.app_revision
      WHERE c.team_id = ${team} AND c.app_id = ${app} AND c.channel = 'stable'`,
  );
  const settings = await runQuery(
    sql`SELECT * FROM edge_app_settings WHERE team_id = ${team} AND app_id = ${app} ORDER BY name`,
  );
  const files = await runQuery(
    sql`SELECT id, title, signature, status, processing_error, app_revision FROM assets
      WHERE team_id = ${team} AND app_id = ${app} AND (type = 'edge-app-file' OR (type IS NULL AND app_installation_id IS NULL))
      ORDER BY id`,
  );
  return {
    version: version ? factsFrom(version) : null,
    revision: version ? Number(version["revision"]) : null,
    lastRevision: Number(last.get(app) ?? 0n),
    fileTree: new Map(
      Object.entries(jsonIn(version, "file_tree") ?? {}).filter(
        (entry): entry is [string, string] => typeof entry[1] === "string",
      ),
    ),
    settingIds: new Map(
      settings.map(({ name, id }) => [String(name), String(id)]),
    ),
    settings: settings.map((row) => ({
      name: String(row["name"]),
      type: String(row["type"]),
      default_value: textIn(row, "default_value"),
      title: textIn(row, "title"),
      optional: Boolean(row["optional"]),
      help_text: textIn(row, "help_text") ?? "",
      is_global: Boolean(row["is_global"]),
    })),
    files: files.map((row) => ({
      id: String(row["id"]),
      path: String(row["title"]),
      signature: textIn(row, "signature"),
      status: String(row["status"]),
      error: String(row["processing_error"]),
      revision:
        row["app_revision"] === null ? null : Number(row["app_revision"]),
    })),
  };
}

function factsFrom(row: Row): VersionFacts {
  const categories: unknown = jsonIn(row, "categories");
  const entrypoint: unknown = jsonIn(row, "entrypoint");
  return {
    user_version: textIn(row, "user_version") ?? "",
    description: textIn(row, "description") ?? "",
    icon: textIn(row, "icon") ?? "",
    author: textIn(row, "author") ?? "",
    homepage_url: textIn(row, "homepage_url") ?? "",
    categories: Array.isArray(categories) ? (categories as string[]) : [],
    ready_signal: Boolean(row["ready_signal"]),
    entrypoint: typeof entrypoint === "string" ? entrypoint : "",
  };
}

function textIn(row: Row, name: string): string | null {
  const value = row[name];
  return typeof value === "string" ? value : null;
}

function jsonIn(row: Row | undefined, name: string): object | null {
  const text = row?.[name];
  return typeof text === "string" ? (JSON.parse(text) as object | null) : null;
}
