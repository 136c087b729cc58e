// A year of playbacks: any number of rows of a hundred screens and a thousand assets, written by the database itself.

import type { FilledContent } from "./store.ts";
import { openContentDatabase } from "./store.ts";

type BenchDatabase = ReturnType<typeof openContentDatabase>;

export const benchScreen = "S42";
/** The first one; each begins one second after the previous one. */
export const benchStart = Date.UTC(2026, 0, 1);

/** Fits within the statement timeout. */
const rowsAtOnce = 50_000;

export async function fillPlaybacks(
  { dataDir, databaseUrl, team }: FilledContent,
  count: number,
): Promise<void> {
  const database = openContentDatabase(dataDir, databaseUrl);
  const isSqlite = database.kind === "sqlite";
  const numbers = isSqlite
    ? "WITH RECURSIVE s(n) AS (SELECT ? UNION ALL SELECT n + 1 FROM s WHERE n < ?)"
    : "WITH s(n) AS (SELECT generate_series($1::bigint, $2::bigint))";
  const id = isSqlite ? "printf('%026d', n)" : "lpad(n::text, 26, '0')";
  try {
    const putBack = await dropIndexes(database);
    for (let from = 0; from < count; from += rowsAtOnce)
      await database.write((run) =>
        run({
          text: `${numbers} INSERT INTO playbacks (id, team_id, player_id, playback_id, screen_id, asset_id, playlist_id, started_at, ended_at)
            SELECT ${id}, '${team}', 'P', ${id}, 'S' || (n % 100), 'A' || (n % 1000), 'L' || (n % 50),
              ${benchStart} + n * 1000, ${benchStart} + n * 1000 + 10000 FROM s WHERE TRUE`,
          values: [from, Math.min(count, from + rowsAtOnce) - 1],
        }),
      );
    await putBack();
    await database.write((run) => run({ text: "ANALYZE", values: [] }));
  } finally {
    await database.close();
  }
}

/** Indexes built once at the end, in one sort, are many times faster; returns the function that restores them. */
async function dropIndexes(
  database: BenchDatabase,
): Promise<() => Promise<void>> {
  const isSqlite = database.kind === "sqlite";
  const indexes = await database.read({
    text: isSqlite
      ? "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'playbacks' AND sql IS NOT NULL"
      : "SELECT indexname AS name, indexdef AS sql FROM pg_indexes WHERE indexname ~ '^playbacks_(by|of)_'",
    values: [],
  });
  const executeEach = (texts: readonly string[]): Promise<void> =>
    database.write(async (run) => {
      // Longer than the statement timeout of any client.
      if (!isSqlite)
        await run({ text: "SET LOCAL statement_timeout = 0", values: [] });
      for (const text of texts) await run({ text, values: [] });
    });
  await executeEach(indexes.map(({ name }) => `DROP INDEX ${String(name)}`));
  return () => executeEach(indexes.map(({ sql }) => String(sql)));
}
