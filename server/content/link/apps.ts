// What a player receives for the page of an installed edge app: files of its revision, settings, secrets (L-14).

import type { AppLink } from "../../contract/link/link.ts";
import type { Database } from "../../platform/database/database.ts";
import type { ContentTables } from "../tables.ts";

export type OpenSecret = (settingId: string, stored: string) => string;

/** Null when the team has no such installation. */
export async function appForPlayer(
  database: Database<ContentTables>,
  teamId: string,
  installationId: string,
  openSecret: OpenSecret = (_settingId, stored) => stored,
): Promise<Omit<AppLink, "app_auth_token"> | null> {
  const { kysely } = database;
  const installation = await kysely
    .selectFrom("edge_app_installations")
    .select(["id", "app_id", "name", "app_channel"])
    .where("team_id", "=", teamId)
    .where("id", "=", installationId)
    .executeTakeFirst();
  if (!installation) return null;
  const { app_id, name, app_channel } = installation;
  const version = await kysely
    .selectFrom("edge_app_channels")
    .innerJoin("edge_app_versions", (join) =>
      join
        .onRef("edge_app_versions.app_id", "=", "edge_app_channels.app_id")
        .onRef(
          "edge_app_versions.revision",
          "=",
          "edge_app_channels.app_revision",
        ),
    )
    .select(["revision", "entrypoint", "ready_signal", "file_tree"])
    .where("edge_app_channels.app_id", "=", app_id)
    .where("channel", "=", app_channel)
    .executeTakeFirst();
  const revision = version ? Number(version.revision) : null;
  const files =
    revision === null
      ? []
      : await kysely
          .selectFrom("assets")
          .select(["id", "title", "signature"])
          .where("team_id", "=", teamId)
          .where("app_id", "=", app_id)
          .where("type", "=", "edge-app-file")
          .where("app_revision", "=", revision)
          .execute();
  const settings = await settingsOf(
    database,
    app_id,
    installation.id,
    openSecret,
  );
  return {
    ...{ installation_id: installation.id, app_id, name, revision },
    entrypoint:
      settings["screenly_entrypoint"] ?? addressFrom(version?.entrypoint),
    ready_signal: Boolean(version?.ready_signal),
    files: placedFiles(version?.file_tree, files),
    settings,
  };
}

/** Path → identifier from the revision's `file_tree`; for a revision without one, titles are paths (L-14). */
function placedFiles(
  fileTree: string | undefined,
  files: readonly {
    readonly id: string;
    readonly title: string;
    readonly signature: string | null;
  }[],
): Record<string, string> {
  const tree: unknown = JSON.parse(fileTree ?? "{}");
  const paths = Object.entries(tree ?? {});
  if (paths.length === 0)
    return Object.fromEntries(files.map(({ id, title }) => [title, id]));
  const ids = new Map<unknown, string>(
    files.map(({ id, signature }) => [signature, id]),
  );
  return Object.fromEntries(
    paths.flatMap(([path, signature]) => {
      const id = ids.get(signature);
      return id === undefined ? [] : [[path, id] as const];
    }),
  );
}

function addressFrom(json: string | null | undefined): string | null {
  const value: unknown = JSON.parse(json ?? "null");
  return typeof value === "string" && value !== "" ? value : null;
}

/** The installation's value, else the app's, else the default; settings without any are left out. */
async function settingsOf(
  { kysely }: Database<ContentTables>,
  appId: string,
  installationId: string,
  openSecret: OpenSecret,
): Promise<Record<string, string>> {
  const settings = await kysely
    .selectFrom("edge_app_settings")
    .select(["id", "name", "type", "default_value"])
    .where("app_id", "=", appId)
    .orderBy("name")
    .execute();
  const valuesIn = (
    table: "edge_app_setting_values" | "edge_app_secret_values",
  ) =>
    kysely
      .selectFrom(table)
      .select(["setting_id", "installation_id", "value"])
      .where("app_id", "=", appId)
      .where((eb) =>
        eb.or([
          eb("installation_id", "is", null),
          eb("installation_id", "=", installationId),
        ]),
      )
      .execute();
  const values = [
    ...(await valuesIn("edge_app_setting_values")),
    ...(await valuesIn("edge_app_secret_values")).map((row) => ({
      ...row,
      value: openSecret(row.setting_id, row.value),
    })),
  ];
  const valueOf = (settingId: string, isOwn: boolean) =>
    values.find(
      (each) =>
        each.setting_id === settingId &&
        (each.installation_id !== null) === isOwn,
    )?.value;
  return Object.fromEntries(
    settings.flatMap(({ id, name, default_value }) => {
      const value = valueOf(id, true) ?? valueOf(id, false) ?? default_value;
      return value === null ? [] : [[name, value] as const];
    }),
  );
}
