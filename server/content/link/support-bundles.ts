// Support bundles that players send on the command collect-logs: kept for some days, a few of each screen (L-71, V3-132).

import type { Readable } from "node:stream";
import { open } from "node:fs/promises";
import { maxSupportBundleBytes } from "../../contract/link/link.ts";
import { Failure } from "../../core/failure.ts";
import type { ContentTables } from "../tables.ts";
import type { Kysely } from "kysely";
import type { ScreenshotOptions } from "./screenshots.ts";

export interface SupportBundles {
  /** Throws `not-found` where this command did not ask this player for one, or its time is over. */
  keep(
    screen: { readonly id: string; readonly teamId: string },
    commandId: string,
    source: Readable,
  ): Promise<void>;
  /** Null when there is none, or not any longer. */
  find(
    teamId: string,
    commandId: string,
  ): Promise<{ readonly hash: string; readonly sizeBytes: number } | null>;
  deleteOld(): Promise<void>;
}

const keptMs = 7 * 24 * 3_600_000;
/** The newest ones; a gigabyte for a whole team at most. */
const maxOfScreen = 3;
const maxOfTeam = 100;

export function createSupportBundles(
  options: ScreenshotOptions,
): SupportBundles {
  const { database, store, fileRetention, now } = options;
  const { kysely } = database;

  async function isRequested(
    of: Kysely<ContentTables>,
    screenId: string,
    commandId: string,
  ): Promise<boolean> {
    const command = await of
      .selectFrom("screen_commands")
      .select("id")
      .where("id", "=", commandId)
      .where("screen_id", "=", screenId)
      .where("kind", "=", "collect-logs")
      .where("state", "in", ["waiting", "received"])
      .executeTakeFirst();
    return command !== undefined;
  }

  /** Rows that go, and their files with them. */
  async function drop(
    transaction: Kysely<ContentTables>,
    commandIds: readonly string[],
  ): Promise<void> {
    if (commandIds.length === 0) return;
    const gone = await transaction
      .deleteFrom("support_bundles")
      .where("command_id", "in", [...commandIds])
      .returning("hash")
      .execute();
    for (const { hash } of gone)
      await transaction
        .insertInto("dropped_files")
        .values({ hash })
        .onConflict((on) => on.doNothing())
        .execute();
  }

  async function dropExcess(
    transaction: Kysely<ContentTables>,
    column: "screen_id" | "team_id",
    id: string,
    most: number,
  ): Promise<void> {
    const rows = await transaction
      .selectFrom("support_bundles")
      .select("command_id")
      .where(column, "=", id)
      .orderBy("created_at", "desc")
      .orderBy("command_id", "desc")
      .execute();
    await drop(
      transaction,
      rows.slice(most).map((row) => row.command_id),
    );
  }

  return {
    keep: async (screen, commandId, source) => {
      if (!(await isRequested(kysely, screen.id, commandId)))
        throw notRequested();
      const aside = await store.receive(source, maxSupportBundleBytes);
      if (!(await isGzip(aside.path))) {
        await store.discard(aside);
        throw new Failure(
          "invalid",
          "A support bundle must be a gzip archive.",
        );
      }
      const holder = `bundle ${commandId}`;
      await fileRetention.keep(aside, holder);
      const isKept = await database.transaction(async (transaction) => {
        await fileRetention.release(transaction, holder);
        if (!(await isRequested(transaction, screen.id, commandId)))
          return false;
        // Sent twice, when the response to the first was lost.
        await drop(transaction, [commandId]);
        await transaction
          .insertInto("support_bundles")
          .values({
            ...{ command_id: commandId, screen_id: screen.id },
            ...{ team_id: screen.teamId, hash: aside.hash, created_at: now() },
            size_bytes: aside.sizeBytes,
          })
          .execute();
        await dropExcess(transaction, "screen_id", screen.id, maxOfScreen);
        await dropExcess(transaction, "team_id", screen.teamId, maxOfTeam);
        return true;
      });
      options.onLeftOver();
      if (!isKept) throw notRequested();
    },
    find: async (teamId, commandId) => {
      const row = await kysely
        .selectFrom("support_bundles")
        .select(["hash", "size_bytes"])
        .where("command_id", "=", commandId)
        .where("team_id", "=", teamId)
        .executeTakeFirst();
      return row ? { hash: row.hash, sizeBytes: Number(row.size_bytes) } : null;
    },
    deleteOld: async () => {
      const rows = await kysely
        .selectFrom("support_bundles")
        .select("command_id")
        .where("created_at", "<=", now() - keptMs)
        .limit(maxOfTeam)
        .execute();
      if (rows.length === 0) return;
      await database.transaction((transaction) =>
        drop(
          transaction,
          rows.map((row) => row.command_id),
        ),
      );
      options.onLeftOver();
    },
  };
}

function notRequested(): Failure {
  return new Failure(
    "not-found",
    "No command of this screen is waiting for a support bundle with this identifier.",
  );
}

async function isGzip(file: string): Promise<boolean> {
  const handle = await open(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await handle.close();
  }
}
