// Commands for a screen, such as a restart: given by an operator, listed until the player acknowledges them or they expire (L-11).

import type { LinkCommand } from "../../contract/link/link.ts";
import type { Database } from "../../platform/database/database.ts";
import type { ContentTables } from "../tables.ts";

/** An older command would take people by surprise. */
const commandLastsMs = 10 * 60_000;
/** Given later than now: the database's clock was set back since, and its age is unknown (L-37). */
const clockStepMs = 60_000;

export interface ScreenCommands {
  commands(screenId: string): Promise<readonly LinkCommand[]>;
  order(teamId: string, screenId: string, kind: string): Promise<LinkCommand>;
  acknowledgeCommands(screenId: string, ids: readonly string[]): Promise<void>;
}

export interface ScreenCommandsOptions {
  readonly database: Database<ContentTables>;
  readonly makeId: () => string;
  readonly now: () => number;
}

export function createScreenCommands({
  database,
  makeId,
  now,
}: ScreenCommandsOptions): ScreenCommands {
  const { kysely } = database;
  return {
    commands: async (screenId) => {
      const rows = await kysely
        .selectFrom("screen_commands")
        .select(["id", "kind", "created_at"])
        .where("screen_id", "=", screenId)
        .where("created_at", ">", now() - commandLastsMs)
        .where("created_at", "<=", now() + clockStepMs)
        .orderBy("id")
        .execute();
      return rows.map(commandFrom);
    },
    order: async (team_id, screen_id, kind) => {
      const command = { id: makeId(), kind, created_at: now() };
      await kysely
        .insertInto("screen_commands")
        .values({ ...command, team_id, screen_id })
        .execute();
      return commandFrom(command);
    },
    acknowledgeCommands: async (screenId, ids) => {
      await kysely
        .deleteFrom("screen_commands")
        .where("screen_id", "=", screenId)
        .where((eb) =>
          eb.or([
            eb("created_at", "<=", now() - commandLastsMs),
            eb("created_at", ">", now() + clockStepMs),
            ...(ids.length > 0 ? [eb("id", "in", [...ids])] : []),
          ]),
        )
        .execute();
    },
  };
}

function commandFrom(row: {
  readonly id: string;
  readonly kind: string;
  readonly created_at: number;
}): LinkCommand {
  const { id, kind, created_at } = row;
  return { id, kind, created_at: new Date(created_at).toISOString() };
}
