// API keys: each belongs to a team; the service stores only their hashes (V4-203).

import { hash as hashOnce, randomBytes, timingSafeEqual } from "node:crypto";
import { Failure } from "../../core/failure.ts";
import type { Database } from "../../platform/database/database.ts";
import type { ContentTables } from "../tables.ts";
import { addTeam } from "./teams.ts";

export interface Key {
  readonly id: string;
  readonly name: string;
  readonly team: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

export interface NewKey {
  readonly name: string;
  /** Name of a team; created when it does not exist yet. */
  readonly team: string;
  /** Chosen by the operator; otherwise 256 random bits. */
  readonly secret?: string | undefined;
}

export interface Keys {
  /** Returns the key, this once. Throws `conflict` when it is in use already. */
  add(key: NewKey): Promise<string>;
  list(): Promise<readonly Key[]>;
  hasAny(): Promise<boolean>;
  isKnown(secret: string): Promise<boolean>;
  /** Throws `not-found`. */
  revoke(id: string): Promise<void>;
  /** The id of the team this key belongs to; null for an unknown key. */
  teamOf(secret: string): string | null | Promise<string | null>;
  /** The name of a key, which may have been revoked; null for an unknown one. */
  nameOf(secret: string): Promise<string | null>;
}

export interface KeysOptions {
  readonly database: Database<ContentTables>;
  readonly now: () => number;
  readonly makeId: () => string;
  /** Milliseconds of a clock that is never set; the default is that of the process. */
  readonly monotonic?: (() => number) | undefined;
}

/** A revoked key stops working after this long on every instance; until then lookups skip the database. */
const rememberedMs = 1_000;
const maxRemembered = 1_000;
/** Last use is stored to the minute: a busy client must not wear out the disk for precision that nobody reads. */
const noteUseIntervalMs = 60_000;

export function createKeys(options: KeysOptions): Keys {
  const { database, now, makeId } = options;
  const { monotonic = () => performance.now() } = options;
  const { kysely } = database;
  // Keyed by a hash private to the process and different in each run, so that lookup time reveals nothing about a key.
  const remembered = new Map<string, { teamId: string; until: number }>();

  async function teamNamed(name: string): Promise<string> {
    const keyRow = await kysely
      .selectFrom("teams")
      .select("id")
      .where("name", "=", name)
      .executeTakeFirst();
    if (keyRow) return keyRow.id;
    const id = await agreedId(`team ${name}`);
    const team = { id, name, labelId: makeId(), moment: now() };
    await addTeam(kysely, team).catch(async (error: unknown) => {
      if (!(await hasTeam(id))) throw error;
    });
    return id;
  }

  /** Two instances that start together create one team, not two. */
  async function agreedId(purpose: string): Promise<string> {
    await kysely
      .insertInto("service_secrets")
      .values({ name: purpose, secret: makeId() })
      .onConflict((on) => on.doNothing())
      .execute();
    const { secret } = await kysely
      .selectFrom("service_secrets")
      .select("secret")
      .where("name", "=", purpose)
      .executeTakeFirstOrThrow();
    return secret;
  }

  async function hasTeam(id: string): Promise<boolean> {
    const row = await kysely
      .selectFrom("teams")
      .select("id")
      .where("id", "=", id)
      .executeTakeFirst();
    return row !== undefined;
  }

  async function add({ name, team, secret }: NewKey): Promise<string> {
    const key = secret ?? randomBytes(32).toString("base64url");
    const hash = hashOf(key);
    const teamId = await teamNamed(team);
    const added = await kysely
      .insertInto("api_keys")
      .values({
        ...{ id: makeId(), team_id: teamId, name, hash },
        created_at: now(),
      })
      .onConflict((on) => on.column("hash").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (!added) throw new Failure("conflict", "This API key already exists.");
    return key;
  }

  const rowOf = (hash: string) =>
    kysely
      .selectFrom("api_keys")
      .select(["id", "team_id", "hash", "last_used_at"])
      .where("hash", "=", hash)
      .where("revoked_at", "is", null)
      .executeTakeFirst();

  async function lookUp(secret: string): Promise<string | null> {
    const hash = hashOf(secret);
    const row = await rowOf(hash);
    // Found by its hash, which reveals nothing about the key; compared in constant time all the same.
    if (!row || !timingSafeEqual(Buffer.from(row.hash), Buffer.from(hash)))
      return null;
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(secret, {
      teamId: row.team_id,
      until: monotonic() + rememberedMs,
    });
    await noteUse(row.id, row.last_used_at);
    return row.team_id;
  }

  async function noteUse(id: string, before: number | null): Promise<void> {
    const moment = now();
    if (
      before !== null &&
      Math.abs(moment - Number(before)) < noteUseIntervalMs
    )
      return;
    // A full disk locks nobody out.
    await kysely
      .updateTable("api_keys")
      .set({ last_used_at: moment })
      .where("id", "=", id)
      .execute()
      .catch(() => undefined);
  }

  return {
    add,
    list: async () => {
      const rows = await kysely
        .selectFrom("api_keys")
        .innerJoin("teams", "teams.id", "api_keys.team_id")
        .select([
          ...(["api_keys.id", "api_keys.name", "teams.name as team"] as const),
          ...(["api_keys.created_at", "api_keys.last_used_at"] as const),
        ])
        .where("revoked_at", "is", null)
        .orderBy("api_keys.created_at")
        .orderBy("api_keys.id")
        .execute();
      return rows.map(({ created_at, last_used_at, ...row }) => ({
        ...row,
        createdAt: Number(created_at),
        lastUsedAt: last_used_at === null ? null : Number(last_used_at),
      }));
    },
    hasAny: async () =>
      (await kysely
        .selectFrom("api_keys")
        .select("id")
        .where("revoked_at", "is", null)
        .limit(1)
        .executeTakeFirst()) !== undefined,
    isKnown: async (secret) => (await rowOf(hashOf(secret))) !== undefined,
    revoke: async (id) => {
      const rows = await kysely
        .updateTable("api_keys")
        .set({ revoked_at: now() })
        .where("id", "=", id)
        .where("revoked_at", "is", null)
        .returning("id")
        .execute();
      if (rows.length === 0)
        throw new Failure(
          "not-found",
          `There is no key with the identifier ${id}.`,
        );
    },
    teamOf: (secret) => {
      const cached = remembered.get(secret);
      if (cached && monotonic() < cached.until) return cached.teamId;
      remembered.delete(secret);
      return lookUp(secret);
    },
    nameOf: async (secret) =>
      (
        await kysely
          .selectFrom("api_keys")
          .select("name")
          .where("hash", "=", hashOf(secret))
          .executeTakeFirst()
      )?.name ?? null,
  };
}

/** 256 random bits cannot be guessed from their hash, so a slow hash would gain nothing. */
function hashOf(secret: string): string {
  return hashOnce("sha256", secret, "hex");
}
