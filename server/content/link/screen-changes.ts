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

const differs = (columns: readonly string[], isDistinct: string): string =>
  columns.map((name) => `OLD.${name} ${isDistinct} NEW.${name}`).join(" OR ");

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
      `UPDATE OF ${screenColumns.join(", ")} ON screens WHEN ${differs(screenColumns, "IS NOT")}`,
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
      `UPDATE ON screen_states WHEN ${differs(stateColumns, "IS NOT")}`,
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
 * A change has the number of its transaction. Who reads goes on from the oldest transaction that had not ended by then: whatever
 * their order of commits is, no change is left out, and a few are listed twice.
 */
function postgresTriggers(): string {
  const number = "pg_current_xact_id()::text::bigint";
  const noting = (name: string, act: string): string =>
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      ${act}
      RETURN NULL;
    END $$;`;
  const note = (where: string): string =>
    `UPDATE screen_changes SET change = ${number} WHERE ${where} AND removed_at IS NULL AND change <> ${number};`;
  const trigger = postgresTrigger;
  return [
    `CREATE TABLE screen_changes (
      screen_id text COLLATE "C" PRIMARY KEY,
      team_id text COLLATE "C" NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
      change bigint NOT NULL,
      removed_at bigint
    );`,
    'CREATE TABLE screen_change_count (id bigint PRIMARY KEY, next bigint NOT NULL, epoch text COLLATE "C" NOT NULL);',
    ...afterTables,
    noting(
      "number_new_screen",
      `INSERT INTO screen_changes (screen_id, team_id, change, removed_at) VALUES (NEW.id, NEW.team_id, ${number}, NULL)
      ON CONFLICT (screen_id) DO UPDATE SET change = excluded.change, removed_at = NULL;`,
    ),
    noting("number_screen", note("screen_id = NEW.id")),
    noting(
      "number_removed_screen",
      `UPDATE screen_changes SET change = ${number},
        removed_at = (extract(epoch FROM clock_timestamp()) * 1000)::bigint WHERE screen_id = OLD.id;`,
    ),
    noting("number_screen_of_new", note("screen_id = NEW.screen_id")),
    noting("number_screen_of_old", note("screen_id = OLD.screen_id")),
    noting(
      "number_screens_of_label",
      note(
        "screen_id IN (SELECT screen_id FROM label_screen WHERE label_id = NEW.id)",
      ),
    ),
    trigger("screens_number_insert", "INSERT ON screens", "number_new_screen"),
    trigger(
      "screens_number_update",
      `UPDATE OF ${screenColumns.join(", ")} ON screens`,
      "number_screen",
      differs(screenColumns, "IS DISTINCT FROM"),
    ),
    trigger(
      "screens_number_delete",
      "DELETE ON screens",
      "number_removed_screen",
    ),
    trigger(
      "screen_states_number_insert",
      "INSERT ON screen_states",
      "number_screen_of_new",
    ),
    trigger(
      "screen_states_number_update",
      "UPDATE ON screen_states",
      "number_screen_of_new",
      differs(stateColumns, "IS DISTINCT FROM"),
    ),
    trigger(
      "label_screen_number_insert",
      "INSERT ON label_screen",
      "number_screen_of_new",
    ),
    trigger(
      "label_screen_number_delete",
      "DELETE ON label_screen",
      "number_screen_of_old",
    ),
    trigger(
      "labels_number_update",
      "UPDATE OF name ON labels",
      "number_screens_of_label",
      "OLD.name IS DISTINCT FROM NEW.name AND NEW.type = 'manual'",
    ),
  ].join("\n");
}

function postgresTrigger(
  name: string,
  on: string,
  calls: string,
  when = "TRUE",
): string {
  return `CREATE TRIGGER ${name} AFTER ${on} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION ${calls}();`;
}

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
      `UPDATE ON adopted_players WHEN ${differs(adoptedColumns, "IS NOT")}`,
      inSqlite.note("screen_id = NEW.screen_id"),
    ),
  ].join("\n"),
  postgres: [
    postgresTrigger(
      "adopted_players_number_insert",
      "INSERT ON adopted_players",
      "number_screen_of_new",
    ),
    postgresTrigger(
      "adopted_players_number_update",
      "UPDATE ON adopted_players",
      "number_screen_of_new",
      differs(adoptedColumns, "IS DISTINCT FROM"),
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
