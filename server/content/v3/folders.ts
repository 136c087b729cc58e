// Folders by name: version 3 knows asset groups by nothing else, and makes them when they are named (V3-16).

import { sql } from "../sql.ts";
import { lockOf, type Ask, type V3 } from "./v3.ts";
import { trusted } from "../sql.ts";

/** The group's id; null for no name. */
export async function folderNamed(
  v3: V3,
  ask: Ask,
  team: string,
  name: string,
): Promise<string | null> {
  if (name.trim() === "") return null;
  const found = await find(ask, team, name);
  if (found !== null) return found;
  // Of two that name a new folder at once, the second finds it made.
  await ask(sql`SELECT id FROM teams WHERE id = ${team}${trusted(lockOf(v3))}`);
  const made = await find(ask, team, name);
  if (made !== null) return made;
  const id = v3.makeId();
  await ask(
    sql`INSERT INTO asset_groups (id, team_id, title, created_at) VALUES (${id}, ${team}, ${name}, ${v3.now()})`,
  );
  return id;
}

async function find(
  ask: Ask,
  team: string,
  name: string,
): Promise<string | null> {
  const [row] = await ask(
    sql`SELECT id FROM asset_groups WHERE team_id = ${team} AND title = ${name} ORDER BY id LIMIT 1`,
  );
  return row ? String(row["id"]) : null;
}
