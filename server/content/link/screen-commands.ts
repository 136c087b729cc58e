// Commands for screens, such as a restart: given by an operator, listed until their player reports a result or they expire
// (L-11, L-41, L-42).

import type { Kysely, Selectable } from "kysely";
import type {
  CommandState,
  HeartbeatLink,
  LinkCommand,
} from "../../contract/link/link.ts";
import type { Database, Row } from "../../platform/database/database.ts";
import { joined, sql, type Sql } from "../sql.ts";
import type { ContentTables } from "../tables.ts";

/** Results stay this long; a result that comes later than its command expired still counts (L-42). */
export const resultsKeptMs = 7 * 24 * 3_600_000;
/** Given later than now: the database's clock was set back since, and its age is unknown (L-37). */
const clockStepMs = 60_000;
/** Those given earlier have expired (L-11), however far the clock was corrected meanwhile. */
const longestMs = 600_000 + clockStepMs;

export interface ScreenCommands {
  pending(screenId: string): Promise<PendingCommands>;
  /** By screen, of those that have any; 500 screens at most. */
  pendingOf(
    screenIds: readonly string[],
  ): Promise<Map<string, PendingCommands>>;
  /** Screens of the team for which commands are listed. */
  screensWithCommands(teamId: string): Promise<ReadonlySet<string>>;
  /** Deletes those whose results are not kept any longer. */
  deleteOldCommands(): Promise<void>;
}

export interface PendingCommands {
  readonly commands: readonly LinkCommand[];
  /** Those that are being carried out are listed, too, but are no news (L-9). */
  readonly isAnyWaiting: boolean;
}

export interface ScreenCommandsOptions {
  readonly database: Database<ContentTables>;
  readonly now: () => number;
}

export function createScreenCommands({
  database,
  now,
}: ScreenCommandsOptions): ScreenCommands {
  const { kysely } = database;

  async function pendingOf(screenIds: readonly string[]) {
    const moment = now();
    const rows = await kysely
      .selectFrom("screen_commands")
      .select(["id", "screen_id", "kind", "created_at", "expires_at"])
      .select(["arguments", "state"])
      .where("screen_id", "in", screenIds)
      .where("expires_at", ">", moment)
      .where("created_at", "<=", moment + clockStepMs)
      .where("state", "in", ["waiting", "received"])
      .orderBy("id")
      .execute();
    const pending = new Map<string, PendingCommands>();
    for (const row of rows) {
      const { commands = [], isAnyWaiting = false } =
        pending.get(row.screen_id) ?? {};
      pending.set(row.screen_id, {
        commands: [...commands, commandFrom(row)],
        isAnyWaiting: isAnyWaiting || row.state === "waiting",
      });
    }
    return pending;
  }

  return {
    pending: async (screenId) =>
      (await pendingOf([screenId])).get(screenId) ?? {
        ...{ commands: [], isAnyWaiting: false },
      },
    pendingOf,
    screensWithCommands: async (teamId) => {
      const moment = now();
      const rows = await kysely
        .selectFrom("screen_commands")
        .select("screen_id")
        .distinct()
        .where("team_id", "=", teamId)
        // For the index by time.
        .where("created_at", ">", moment - longestMs)
        .where("created_at", "<=", moment + clockStepMs)
        .where("expires_at", ">", moment)
        .where("state", "in", ["waiting", "received"])
        .execute();
      return new Set(rows.map((row) => row.screen_id));
    },
    deleteOldCommands: async () => {
      await kysely
        .deleteFrom("screen_commands")
        .where((eb) =>
          eb.or([
            eb("created_at", "<=", now() - resultsKeptMs),
            // From long before the database's clock was set back.
            eb("created_at", ">", now() + resultsKeptMs),
          ]),
        )
        .execute();
    },
  };
}

function commandFrom(
  row: Selectable<
    Pick<
      ContentTables["screen_commands"],
      "id" | "kind" | "created_at" | "expires_at" | "arguments"
    >
  >,
): LinkCommand {
  return {
    ...{ id: row.id, kind: row.kind },
    created_at: new Date(Number(row.created_at)).toISOString(),
    expires_at: new Date(Number(row.expires_at)).toISOString(),
    arguments: JSON.parse(row.arguments) as Required<LinkCommand>["arguments"],
  };
}

export interface NewAction {
  readonly id: string;
  readonly teamId: string;
  /** Existing screens of the team. */
  readonly screenIds: readonly string[];
  readonly kind: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly issuedBy: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** A SQLite statement takes at most 32,766 values. */
const rowsAtOnce = 500;

/** Inserts a command for each screen, in the caller's transaction. */
export async function orderCommands(
  run: (of: Sql) => Promise<readonly Row[]>,
  makeId: () => string,
  action: NewAction,
): Promise<void> {
  const { id, teamId, kind, issuedBy, createdAt, expiresAt } = action;
  const given = JSON.stringify(action.arguments);
  for (let from = 0; from < action.screenIds.length; from += rowsAtOnce) {
    const rows = action.screenIds.slice(from, from + rowsAtOnce).map(
      (screenId) =>
        sql`(${makeId()}, ${teamId}, ${screenId}, ${kind}, ${createdAt}, ${id}, ${given}, ${issuedBy},
            'waiting', ${createdAt}, ${expiresAt})`,
    );
    await run(
      sql`INSERT INTO screen_commands (id, team_id, screen_id, kind, created_at, action_id, arguments, issued_by,
        state, state_at, expires_at) VALUES ${joined(rows, ", ")}`,
    );
  }
}

/** Of commands that have not ended yet; the first result of a command counts. */
export async function noteResults(
  transaction: Kysely<ContentTables>,
  screenId: string,
  { received = [], done = [] }: HeartbeatLink,
  moment: number,
): Promise<void> {
  const change = (
    ids: readonly string[],
    states: readonly CommandState[],
    state: CommandState,
    message: string | null = null,
  ) =>
    transaction
      .updateTable("screen_commands")
      .set({ state, state_at: moment, message })
      .where("screen_id", "=", screenId)
      .where("id", "in", [...ids])
      .where("state", "in", [...states])
      .execute();
  if (received.length > 0) await change(received, ["waiting"], "received");
  const isOpen = ["waiting", "received"] as const;
  const succeeded = done.filter(({ is_done }) => is_done);
  if (succeeded.length > 0)
    await change(
      succeeded.map(({ id }) => id),
      isOpen,
      "done",
    );
  for (const { id, is_done, message } of done)
    if (!is_done) await change([id], isOpen, "failed", message ?? null);
}

/** The state of a command in `screen_commands`: those without a result in time have expired (L-42, L-37). */
export function shownCommandState(moment: number): Sql {
  return sql`CASE WHEN state IN ('waiting', 'received')
    AND (expires_at <= ${moment} OR created_at > ${moment + clockStepMs}) THEN 'expired' ELSE state END`;
}
