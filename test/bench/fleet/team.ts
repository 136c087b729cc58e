// A team with many claimed screens, written straight into the database of a service that is not running yet.

import { addTeam } from "../../../server/content/access/teams.ts";
import { createKeys } from "../../../server/content/access/keys.ts";
import { createPlayers } from "../../../server/content/link/pairing.ts";
import type { ContentTables } from "../../../server/content/tables.ts";
import type { Database } from "../../../server/platform/database/database.ts";
import { createUlids } from "../../../server/core/ulid.ts";
import { createRandomBytes } from "../../../server/platform/random-bytes.ts";
import type { Player } from "./players.ts";

export const benchKey = "key-of-the-bench";

export async function claimScreens(
  database: Database<ContentTables>,
  count: number,
): Promise<readonly Player[]> {
  const now = Date.now;
  const makeUlid = createUlids(createRandomBytes());
  const makeId = (): string => makeUlid(now());
  const team = makeId();
  await addTeam(database.kysely, {
    ...{ id: team, name: "Bench", labelId: makeId(), moment: now() },
  });
  await createKeys({ database, makeId, now }).add({
    ...{ name: "bench", team: "Bench", secret: benchKey },
  });
  const players = createPlayers({ database, makeId, now });
  const claimed: Player[] = [];
  for (let at = 0; at < count; at += 1) {
    const { pin, credential } = await players.register({});
    const screen = await players.claim(pin, team, `Screen ${at}`);
    claimed.push({ credential, screenId: screen?.screenId ?? "" });
  }
  return claimed;
}
