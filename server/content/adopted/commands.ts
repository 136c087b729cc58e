// Carries out commands for an adopted player, each at most once, as far as its interface has them (V3-119).

import type { Kysely } from "kysely";
import type { HeartbeatLink, LinkCommand } from "../../contract/link/link.ts";
import type { ContentTables } from "../tables.ts";
import type { AnthiasClient } from "./anthias-client.ts";
import { PlayerError } from "./player-error.ts";

export interface PlayerCommands {
  readonly kysely: Kysely<ContentTables>;
  readonly client: AnthiasClient;
  readonly now: () => number;
  readonly screenId: string;
}

type Results = NonNullable<HeartbeatLink["done"]>;

/** `look` is a contact, which has just begun. */
export async function carryOutCommands(
  options: PlayerCommands,
  pending: readonly LinkCommand[],
): Promise<Results> {
  const results: Results = [];
  for (const command of pending) {
    // One that was begun before this service stopped is not repeated: it expires.
    if (!(await begin(options, command.id))) continue;
    results.push(await carriedOut(options, command));
  }
  return results;
}

async function carriedOut(
  options: PlayerCommands,
  command: LinkCommand,
): Promise<Results[number]> {
  const { id } = command;
  try {
    await send(options, command);
    return { id, is_done: true };
  } catch (error) {
    if (!(error instanceof PlayerError)) throw error;
    return { id, is_done: false, message: error.message };
  }
}

async function begin(
  { kysely, now, screenId }: PlayerCommands,
  id: string,
): Promise<boolean> {
  const begun = await kysely
    .updateTable("screen_commands")
    .set({ state: "received", state_at: now() })
    .where("id", "=", id)
    .where("screen_id", "=", screenId)
    .where("state", "=", "waiting")
    .returning("id")
    .execute();
  return begun.length > 0;
}

async function send(
  options: PlayerCommands,
  { kind, arguments: given }: LinkCommand,
): Promise<void> {
  const { client } = options;
  switch (kind) {
    case "look":
      return;
    case "next":
    case "previous":
      return client.control(kind);
    case "show":
      return client.control(
        `asset&${await remoteIdOf(options, given?.["asset_id"])}`,
      );
    case "reboot":
      return client.reboot();
    default:
      throw new PlayerError("refused", "command-unknown");
  }
}

async function remoteIdOf(
  { kysely, screenId }: PlayerCommands,
  assetId: unknown,
): Promise<string> {
  const own = await kysely
    .selectFrom("adopted_assets")
    .select(["remote_id", "slot"])
    .where("screen_id", "=", screenId)
    .where("remote_id", "is not", null)
    .orderBy("id")
    .execute();
  const found = own.find(({ slot }) => slot.split("#")[0] === assetId);
  if (found?.remote_id != null) return found.remote_id;
  throw new PlayerError("refused", "not-on-player");
}
