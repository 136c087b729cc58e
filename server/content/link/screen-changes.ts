// Numbers the changes of what is listed about each screen, by triggers in the transaction of the change itself, so that a list can
// be continued from where it was read last (V3-120).

import type { Kysely } from "kysely";
import type { ContentTables } from "../tables.ts";

/** A removal is listed for this long; who was away for longer gets the whole list. */
export const removalsKeptMs = 7 * 24 * 3_600_000;

/** Columns of a screen that are listed; `last_ping` changes with every heartbeat and doesn't count. */
const screenColumns = [
  ...["name", "is_enabled", "timezone", "location", "item_counts"],
  ...["software_version", "last_screenshot", "last_screenshot_time"],
];

const stateColumns = ["state", "since", "reason", "report", "reported_at"];

const adoptedColumns = ["address", "username", "problem", "facts"];

const differs = (columns: readonly string[]): string =>
  columns.map((name) => `OLD.${name} IS NOT NEW.${name}`).join(" OR ");

/** This database has one writer at a time: a counter numbers the changes in the order of their commits. */
const inSqlite = {
  count: `INSERT INTO screen_change_count (id, next, epoch) VALUES (1, 2, '')
    ON CONFLICT (id) DO UPDATE SET next = next + 1;`,
  number: "(SELECT next - 1 FROM screen_change_count)",
  note: (where: string): string =>
    `${inSqlite.count} UPDATE screen_changes SET change = ${inSqlite.number} WHERE ${where} AND removed_at IS NULL;`,
  trigger: (name: string, on: string, act: string): string =>
    `CREATE TRIGGER ${name} AFTER ${on} BEGIN ${act} END;`,
} as const;

function sqliteTriggers(): string {
  const { count, number, note, trigger } = inSqlite;
  return [
    `CREATE TABLE screen_changes (
      screen_id TEXT PRIMARY KEY,
      team_id TEXT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
      change INTEGER NOT NULL,
      removed_at INTEGER
    ) STRICT, WITHOUT ROWID;`,
    "CREATE TABLE screen_change_count (id INTEGER PRIMARY KEY, next INTEGER NOT NULL, epoch TEXT NOT NULL) STRICT;",
    ...afterTables,
    trigger(
      "screens_number_insert",
      "INSERT ON screens",
      `${count} INSERT INTO screen_changes (screen_id, team_id, change, removed_at)
        VALUES (NEW.id, NEW.team_id, ${number}, NULL)
        ON CONFLICT (screen_id) DO UPDATE SET change = excluded.change, removed_at = NULL;`,
    ),
    trigger(
      "screens_number_update",
      `UPDATE OF ${screenColumns.join(", ")} ON screens WHEN ${differs(screenColumns)}`,
      note("screen_id = NEW.id"),
    ),
    trigger(
      "screens_number_delete",
      "DELETE ON screens",
      `${count} UPDATE screen_changes SET change = ${number}, removed_at = unixepoch() * 1000 WHERE screen_id = OLD.id;`,
    ),
    trigger(
      "screen_states_number_insert",
      "INSERT ON screen_states",
      note("screen_id = NEW.screen_id"),
    ),
    trigger(
      "screen_states_number_update",
      `UPDATE ON screen_states WHEN ${differs(stateColumns)}`,
      note("screen_id = NEW.screen_id"),
    ),
    trigger(
      "label_screen_number_insert",
      "INSERT ON label_screen",
      note("screen_id = NEW.screen_id"),
    ),
    trigger(
      "label_screen_number_delete",
      "DELETE ON label_screen",
      note("screen_id = OLD.screen_id"),
    ),
    trigger(
      "labels_number_update",
      "UPDATE OF name ON labels WHEN OLD.name IS NOT NEW.name AND NEW.type = 'manual'",
      note(
        "screen_id IN (SELECT screen_id FROM label_screen WHERE label_id = NEW.id)",
      ),
    ),
  ].join("\n");
}

/**
 * A change has the number of its transaction. A reader continues from the oldest transaction that had not ended by then: whatever
 * their order of commits is, no change is left out, and a few are listed twice.
 *
 * Each statement numbers all of its screens at once and locks them in the order of their ids, as every writer does (V4-273): the rows
 * of a statement, and the screens of a label, come in any order.
 */
function postgresTriggers(): string {
  const { number, changed, lock, note, trigger } = inPostgres;
  return [
    `CREATE TABLE screen_changes (
      screen_id text COLLATE "C" PRIMARY KEY,
      team_id text COLLATE "C" NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
      change bigint NOT NULL,
      removed_at bigint
    );`,
    'CREATE TABLE screen_change_count (id bigint PRIMARY KEY, next bigint NOT NULL, epoch text COLLATE "C" NOT NULL);',
    ...afterTables,
    trigger(
      "screens_number_insert",
      "INSERT ON screens",
      `INSERT INTO screen_changes (screen_id, team_id, change, removed_at)
        SELECT id, team_id, ${number}, NULL FROM changed_to ORDER BY id
        ON CONFLICT (screen_id) DO UPDATE SET change = excluded.change, removed_at = NULL;`,
    ),
    trigger(
      "screens_number_update",
      "UPDATE ON screens",
      note(changed("id", screenColumns)),
    ),
    trigger(
      "screens_number_delete",
      "DELETE ON screens",
      `${lock("SELECT id FROM changed_from")}
        UPDATE screen_changes SET change = ${number},
          removed_at = (extract(epoch FROM clock_timestamp()) * 1000)::bigint
        WHERE screen_id IN (SELECT id FROM changed_from);`,
    ),
    trigger(
      "screen_states_number_insert",
      "INSERT ON screen_states",
      note("SELECT screen_id FROM changed_to"),
    ),
    trigger(
      "screen_states_number_update",
      "UPDATE ON screen_states",
      note(changed("screen_id", stateColumns)),
    ),
    trigger(
      "label_screen_number_insert",
      "INSERT ON label_screen",
      note("SELECT screen_id FROM changed_to"),
    ),
    trigger(
      "label_screen_number_delete",
      "DELETE ON label_screen",
      note("SELECT screen_id FROM changed_from"),
    ),
    trigger(
      "labels_number_update",
      "UPDATE ON labels",
      note(
        `SELECT screen_id FROM label_screen WHERE label_id IN (${changed("id", ["name"])} AND now.type = 'manual')`,
      ),
    ),
  ].join("\n");
}

const inPostgres = {
  number: "pg_current_xact_id()::text::bigint",
  /** Keys of the rows of an update in which one of these columns differs. */
  changed: (key: string, columns: readonly string[]): string => {
    const list = (row: string) => columns.map((name) => `${row}.${name}`);
    return `SELECT now.${key} FROM changed_to now JOIN changed_from before USING (${key})
      WHERE (${list("now").join(", ")}) IS DISTINCT FROM (${list("before").join(", ")})`;
  },
  lock: (screens: string): string =>
    `PERFORM 1 FROM screen_changes WHERE screen_id IN (${screens}) ORDER BY screen_id FOR NO KEY UPDATE;`,
  note: (screens: string): string =>
    `${inPostgres.lock(screens)}
      UPDATE screen_changes SET change = ${inPostgres.number}
      WHERE screen_id IN (${screens}) AND removed_at IS NULL AND change <> ${inPostgres.number};`,
  /** Its rows are `changed_to` after it, and `changed_from` before it. */
  trigger: (name: string, on: string, act: string): string => {
    const rows = [
      ...(on.startsWith("DELETE") ? [] : ["NEW TABLE AS changed_to"]),
      ...(on.startsWith("INSERT") ? [] : ["OLD TABLE AS changed_from"]),
    ];
    return `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        ${act}
        RETURN NULL;
      END $$;
      CREATE TRIGGER ${name} AFTER ${on} REFERENCING ${rows.join(" ")} FOR EACH STATEMENT EXECUTE FUNCTION ${name}();`;
  },
} as const;

const afterTables = [
  "INSERT INTO screen_changes (screen_id, team_id, change, removed_at) SELECT id, team_id, 0, NULL FROM screens;",
  "CREATE INDEX screen_changes_in_order ON screen_changes (team_id, change);",
  "CREATE INDEX removed_screens ON screen_changes (removed_at) WHERE removed_at IS NOT NULL;",
];

/** One migration. */
export const screenChanges = {
  sqlite: sqliteTriggers(),
  postgres: postgresTriggers(),
};

/** What an adopted player tells is listed, too (V3-110). Comes after its table. */
export const adoptedChanges = {
  sqlite: [
    inSqlite.trigger(
      "adopted_players_number_insert",
      "INSERT ON adopted_players",
      inSqlite.note("screen_id = NEW.screen_id"),
    ),
    inSqlite.trigger(
      "adopted_players_number_update",
      `UPDATE ON adopted_players WHEN ${differs(adoptedColumns)}`,
      inSqlite.note("screen_id = NEW.screen_id"),
    ),
  ].join("\n"),
  postgres: [
    inPostgres.trigger(
      "adopted_players_number_insert",
      "INSERT ON adopted_players",
      inPostgres.note("SELECT screen_id FROM changed_to"),
    ),
    inPostgres.trigger(
      "adopted_players_number_update",
      "UPDATE ON adopted_players",
      inPostgres.note(inPostgres.changed("screen_id", adoptedColumns)),
    ),
  ].join("\n"),
};

/** Numbers given before are unknown from now on: the database may have been restored from a backup (L-32). */
export async function beginNumbering(
  kysely: Kysely<ContentTables>,
  epoch: string,
): Promise<void> {
  await kysely
    .insertInto("screen_change_count")
    .values({ id: 1, next: 1, epoch })
    .onConflict((on) => on.column("id").doUpdateSet({ epoch }))
    .execute();
}

/** Those from long after now were written before the database's clock was set back. */
export async function forgetRemovedScreens(
  kysely: Kysely<ContentTables>,
  now: number,
): Promise<void> {
  await kysely
    .deleteFrom("screen_changes")
    .where((eb) =>
      eb.or([
        eb("removed_at", "<=", now - removalsKeptMs),
        eb("removed_at", ">", now + removalsKeptMs),
      ]),
    )
    .execute();
}
