// Folders by name: version 3 knows asset groups by name only, and creates them on first use (V3-16).

import { sql } from "../../sql.ts";
import { lockOf, type RunQuery, type V3 } from "../operation/v3.ts";
import { trusted } from "../../sql.ts";

/** The group's id; null for no name. */
export async function folderNamed(
  v3: V3,
  runQuery: RunQuery,
  team: string,
  name: string,
): Promise<string | null> {
  if (name.trim() === "") return null;
  const existing = await find(runQuery, team, name);
  if (existing !== null) return existing;
  // When two requests name a new folder at once, the second finds it created.
  await runQuery(
    sql`SELECT id FROM teams WHERE id = ${team}${trusted(lockOf(v3))}`,
  );
  const created = await find(runQuery, team, name);
  if (created !== null) return created;
  const id = v3.makeId();
  await runQuery(
    sql`INSERT INTO asset_groups (id, team_id, title, created_at) VALUES (${id}, ${team}, ${name}, ${v3.now()})`,
  );
  return id;
}

async function find(
  runQuery: RunQuery,
  team: string,
  name: string,
): Promise<string | null> {
  const [row] = await runQuery(
    sql`SELECT id FROM asset_groups WHERE team_id = ${team} AND title = ${name} ORDER BY id LIMIT 1`,
  );
  return row ? String(row["id"]) : null;
}
