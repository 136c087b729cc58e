// A year of playbacks: so many rows of a hundred screens and a thousand assets, written by the database itself.

import type { FilledContent } from "./store.ts";
import { openContentDatabase } from "./store.ts";

export const benchScreen = "S42";
/** The first one; each begins a second after the one before. */
export const benchStart = Date.UTC(2026, 0, 1);

/** Within the time that a statement has. */
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
    for (let from = 0; from < count; from += rowsAtOnce)
      await database.write((run) =>
        run({
          text: `${numbers} INSERT INTO playbacks (id, team_id, player_id, playback_id, screen_id, asset_id, playlist_id, started_at, ended_at)
            SELECT ${id}, '${team}', 'P', ${id}, 'S' || (n % 100), 'A' || (n % 1000), 'L' || (n % 50),
              ${benchStart} + n * 1000, ${benchStart} + n * 1000 + 10000 FROM s WHERE TRUE`,
          values: [from, Math.min(count, from + rowsAtOnce) - 1],
        }),
      );
    await database.write((run) => run({ text: "ANALYZE", values: [] }));
  } finally {
    await database.close();
  }
}
