// Records which teams have unannounced changes, by triggers in the transaction of the change itself (L-30).

/** Tables with content that a team's players show. */
const contentTables = [
  ...["assets", "asset_groups", "labels", "screens", "playlists"],
  ...["playlist_items", "label_screen", "label_playlist", "shared_playlists"],
  ...["edge_apps", "edge_app_versions", "edge_app_channels"],
  ...["edge_app_installations", "edge_app_settings"],
  ...["edge_app_setting_values", "edge_app_secret_values"],
] as const;

/** A heartbeat updates the other columns of a screen, which is no change of content (L-10). */
const screenColumns = [
  ...["name", "hostname", "type", "is_enabled", "debug"],
  ...["location", "coords", "timezone", "config"],
];

const teamColumn = (table: string): string =>
  table === "shared_playlists" ? "owner_team_id" : "team_id";

/** No player shows the intermediate statuses of an ingest. */
const isIngestStep = (before: string, after: string): string =>
  `${after}.status IN ('downloading', 'processing') AND ${before}.status <> ${after}.status`;

/** One row per team and kind: this database has one writer at a time. */
function sqliteTriggers(): string {
  const note = (team: string, isCall: 0 | 1): string =>
    `INSERT INTO pending_changes (team_id, is_call) SELECT ${team}, ${isCall}
      WHERE NOT EXISTS (SELECT 1 FROM pending_changes WHERE team_id = ${team} AND is_call = ${isCall});`;
  const trigger = (
    table: string,
    event: "INSERT" | "UPDATE" | "DELETE",
  ): string => {
    const row = event === "DELETE" ? "OLD" : "NEW";
    const columns =
      table === "screens" && event === "UPDATE"
        ? ` OF ${screenColumns.join(", ")}`
        : "";
    const when =
      table === "assets" && event === "UPDATE"
        ? ` WHEN NOT (${isIngestStep("OLD", "NEW")})`
        : "";
    return `CREATE TRIGGER ${table}_note_${event.toLowerCase()} AFTER ${event}${columns} ON ${table}${when}
      BEGIN ${note(`${row}.${teamColumn(table)}`, 0)} END;`;
  };
  return [
    `CREATE TABLE pending_changes (
      team_id TEXT NOT NULL,
      is_call INTEGER NOT NULL,
      PRIMARY KEY (team_id, is_call)
    ) STRICT, WITHOUT ROWID;`,
    ...contentTables.flatMap((table) => [
      trigger(table, "INSERT"),
      trigger(table, "UPDATE"),
      trigger(table, "DELETE"),
    ]),
    `CREATE TRIGGER screen_commands_note_call AFTER INSERT ON screen_commands
      BEGIN ${note("NEW.team_id", 1)} END;`,
  ].join("\n");
}

/** Rows are only added, so that no writer waits for another of the same team. */
function postgresTriggers(): string {
  const noting = (
    name: string,
    team: string,
    rows = "fresh",
    isCall = false,
  ): string =>
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO pending_changes (team_id, is_call) SELECT DISTINCT ${team}, ${isCall} FROM ${rows};
      RETURN NULL;
    END $$;`;
  const trigger = (
    table: string,
    event: "INSERT" | "UPDATE" | "DELETE",
  ): string => {
    const isCompared =
      event === "UPDATE" && (table === "assets" || table === "screens");
    const referencing = {
      INSERT: "NEW TABLE AS fresh",
      UPDATE: `${isCompared ? "OLD TABLE AS stale " : ""}NEW TABLE AS fresh`,
      DELETE: "OLD TABLE AS fresh",
    };
    const calling =
      table === "shared_playlists"
        ? "note_owners"
        : isCompared
          ? `note_changed_${table}`
          : "note_teams";
    return `CREATE TRIGGER ${table}_note_${event.toLowerCase()} AFTER ${event} ON ${table}
      REFERENCING ${referencing[event]} FOR EACH STATEMENT EXECUTE FUNCTION ${calling}();`;
  };
  const both = "fresh JOIN stale USING (id)";
  const columnsOf = (row: string): string =>
    screenColumns.map((name) => `${row}.${name}`).join(", ");
  return [
    `CREATE TABLE pending_changes (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      team_id text COLLATE "C" NOT NULL,
      is_call boolean NOT NULL
    );`,
    noting("note_teams", "team_id"),
    noting("note_owners", "owner_team_id"),
    noting("note_calls", "team_id", "fresh", true),
    noting(
      "note_changed_assets",
      "fresh.team_id",
      `${both} WHERE NOT (${isIngestStep("stale", "fresh")})`,
    ),
    noting(
      "note_changed_screens",
      "fresh.team_id",
      `${both} WHERE (${columnsOf("fresh")}) IS DISTINCT FROM (${columnsOf("stale")})`,
    ),
    ...contentTables.flatMap((table) => [
      trigger(table, "INSERT"),
      trigger(table, "UPDATE"),
      trigger(table, "DELETE"),
    ]),
    `CREATE TRIGGER screen_commands_note_call AFTER INSERT ON screen_commands
      REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION note_calls();`,
  ].join("\n");
}

/** One migration. */
export const pendingChanges = {
  sqlite: sqliteTriggers(),
  postgres: postgresTriggers(),
};
