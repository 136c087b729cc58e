// Adds Anthias players as screens, and changes their address and login (V3-110, V3-111).

import { composeSentence } from "../../contract/sentence-templates.ts";
import { serviceSentences } from "../../contract/sentences/service-sentences.ts";
import { Failure, fieldFailure } from "../../core/failure.ts";
import type {
  AdoptPlayerV3,
  AdoptedChangeV3,
} from "../../contract/v3/v3-adopted.ts";
import type { ActivityChangeV3 } from "../../contract/v3/v3-activity.ts";
import {
  DatabaseError,
  type Database,
} from "../../platform/database/database.ts";
import { noteActivity } from "../activity/activity.ts";
import { changesBetween, hiddenChange } from "../activity/changes.ts";
import { addScreenLabels } from "../link/pairing.ts";
import type { Sealer } from "../access/secret-encryption.ts";
import type { ContentTables } from "../tables.ts";
import { createAnthiasClient, type PlayerLogin } from "./anthias-client.ts";
import { playerOrigin } from "./player-address.ts";
import { PlayerError } from "./player-error.ts";

export interface AdoptOptions {
  readonly database: Database<ContentTables>;
  readonly makeId: () => string;
  readonly now: () => number;
  readonly sealer: Sealer;
  readonly mayConnect: (address: string) => boolean;
  readonly deadlineMs: number;
  readonly stopped: AbortSignal;
}

/** Each is contacted every half minute. */
const maxPlayers = 500;

/** Returns the screen's identifier. Throws a Failure by field where no player answers. */
export async function adopt(
  options: AdoptOptions,
  team: string,
  body: AdoptPlayerV3,
): Promise<string> {
  const { database, makeId, now, sealer } = options;
  const address = playerOrigin(body.address, options.mayConnect);
  const login = loginOf(body.username ?? null, body.password ?? null);
  await tryContact(options, address, login);
  const id = makeId();
  const host = new URL(address).hostname;
  const name = body.name?.trim() ? body.name.trim() : host;
  await database
    .transaction(async (transaction) => {
      const moment = now();
      const { count } = await transaction
        .selectFrom("adopted_players")
        .select((eb) => eb.fn.countAll().as("count"))
        .where("team_id", "=", team)
        .executeTakeFirstOrThrow();
      if (Number(count) >= maxPlayers)
        throw new Failure(
          "conflict",
          composeSentence(serviceSentences["team-limit"], {
            limit: maxPlayers,
            kind: "adopted players",
          }),
        );
      // One whose screen was deleted a moment ago is not in the way.
      await transaction
        .updateTable("adopted_players")
        .set({ removed_at: moment })
        .where("team_id", "=", team)
        .where("address", "=", address)
        .where("removed_at", "is", null)
        .where("screen_id", "not in", (eb) =>
          eb.selectFrom("screens").select("id").where("team_id", "=", team),
        )
        .execute();
      await transaction
        .insertInto("screens")
        .values({
          ...{ id, team_id: team, name, hostname: host, created_at: moment },
          ...(body.timezone !== undefined && { timezone: body.timezone }),
        })
        .execute();
      await addScreenLabels(transaction, makeId, { id, team, name, moment });
      await noteActivity(
        ...([transaction, database.kind] as const),
        { team, now: moment, makeId },
        { kind: "screen", what: "added", id, name },
      );
      await transaction
        .insertInto("adopted_players")
        .values({
          ...{ screen_id: id, team_id: team, address, problem: null },
          username: login?.username ?? null,
          password: login && sealer.seal(id, login.password),
          ...{ facts: "{}", failures: 0, due_at: 0, mark: "" },
          ...{ is_order_due: false, kept_order: "[]", lease_owner: null },
          ...{ lease_until: 0, removed_at: null, created_at: moment },
        })
        .execute();
    })
    .catch((error: unknown) => {
      throw asTaken(error);
    });
  return id;
}

/** Throws `not-found` for a screen that is no adopted player. */
export async function changeAdopted(
  options: AdoptOptions,
  { team, id }: { readonly team: string; readonly id: string },
  body: AdoptedChangeV3,
): Promise<void> {
  const { database, sealer, makeId, now } = options;
  const { kysely } = database;
  const row = await kysely
    .selectFrom("adopted_players")
    .select(["address", "username", "password"])
    .where("team_id", "=", team)
    .where("screen_id", "=", id)
    .where("removed_at", "is", null)
    .executeTakeFirst();
  if (!row) throw new Failure("not-found", serviceSentences["adopted-unknown"]);
  const address =
    body.address === undefined
      ? row.address
      : playerOrigin(body.address, options.mayConnect);
  const username = body.username === undefined ? row.username : body.username;
  // A password is for one place and one name: it is not sent to another that did not come with it.
  const isSame = address === row.address && username === row.username;
  const kept =
    isSame && row.password !== null ? sealer.open(id, row.password) : null;
  const login = loginOf(
    username,
    body.password === undefined ? kept : body.password,
  );
  await tryContact(options, address, login);
  await database
    .transaction(async (transaction) => {
      const before = await transaction
        .selectFrom("adopted_players")
        .select(["address", "username"])
        .where("screen_id", "=", id)
        .$if(database.kind === "postgres", (query) => query.forNoKeyUpdate())
        .executeTakeFirst();
      await transaction
        .updateTable("adopted_players")
        .set({
          ...{ address, username: login?.username ?? null },
          password: login && sealer.seal(id, login.password),
          ...{ problem: null, failures: 0, due_at: 0 },
        })
        .where("screen_id", "=", id)
        .execute();
      const changes = [
        ...(before ? changesOf(before, { address, username }) : []),
        ...(body.password === undefined ? [] : [hiddenChange("password")]),
      ];
      if (changes.length === 0) return;
      const screen = await transaction
        .selectFrom("screens")
        .select("name")
        .where("id", "=", id)
        .executeTakeFirst();
      await noteActivity(
        ...([transaction, database.kind] as const),
        { team, now: now(), makeId },
        {
          ...{ kind: "screen", what: "changed", id },
          ...{ name: screen?.name ?? "", changes },
        },
      );
    })
    .catch((error: unknown) => {
      throw asTaken(error);
    });
}

interface Place {
  readonly address: string;
  readonly username: string | null;
}

/** The address is an origin: nothing of it is to be hidden. */
function changesOf(
  { address: was, ...before }: Place,
  { address: is, ...after }: Place,
): readonly ActivityChangeV3[] {
  const moved = { field: "address", before: was, after: is };
  return [...(was === is ? [] : [moved]), ...changesBetween(before, after)];
}

function loginOf(
  username: string | null,
  password: string | null,
): PlayerLogin | null {
  if (username === null) {
    if (password === null) return null;
    throw fieldFailure("username", serviceSentences["login-name"]);
  }
  return { username, password: password ?? "" };
}

/** Reports a mistyped address immediately; a player that is off can be added once it is on. */
async function tryContact(
  { mayConnect, deadlineMs, stopped }: AdoptOptions,
  origin: string,
  login: PlayerLogin | null,
): Promise<void> {
  const client = createAnthiasClient({
    ...{ origin, login, mayConnect, deadlineMs, signal: stopped },
  });
  await client.assets().catch((error: unknown) => {
    if (!(error instanceof PlayerError)) throw error;
    throw fieldFailure(
      error.kind === "login" ? "username" : "address",
      error.message,
    );
  });
}

function asTaken(error: unknown): unknown {
  return error instanceof DatabaseError && error.sqlState === "23505"
    ? fieldFailure("address", serviceSentences["address-taken"])
    : error;
}
