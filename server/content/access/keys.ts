// API keys: each belongs to a team and has a role; the service stores only their hashes (V4-203, V4-360).

import { hash as hashOnce, randomBytes, timingSafeEqual } from "node:crypto";
import { generalSentences } from "../../contract/sentences/general-sentences.ts";
import { composeSentence } from "../../contract/sentence-templates.ts";
import { serviceSentences } from "../../contract/sentences/service-sentences.ts";
import { Failure, fieldFailure } from "../../core/failure.ts";
import { canHaveLimits, type Role } from "../../core/role.ts";
import type { Database } from "../../platform/database/database.ts";
import { noteActivity } from "../activity/activity.ts";
import { changesBetween } from "../activity/changes.ts";
import type { ContentTables } from "../tables.ts";
import type { Admission } from "./admission.ts";
import { labelIdsFrom, labelsNamed, textOfLabelIds } from "./limit-labels.ts";
import { addTeam } from "./teams.ts";

export interface Key {
  readonly id: string;
  readonly name: string;
  readonly team: string;
  readonly teamId: string;
  readonly role: Role;
  /** Ids of the labels it is limited to; null: no limit. */
  readonly labelIds: readonly string[] | null;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

export interface NewKey {
  readonly name: string;
  /** Name of a team; created when it does not exist yet. */
  readonly team: string;
  /** Chosen by the operator; otherwise 256 random bits. */
  readonly secret?: string | undefined;
  /** The default is `admin`. */
  readonly role?: Role | undefined;
  /** Names or ids of labels that it is limited to (V4-362). */
  readonly labels?: readonly string[] | undefined;
}

export interface AddedKey {
  readonly id: string;
  /** Returned only here. */
  readonly secret: string;
}

export interface Keys {
  /** Returns the key, this once. Throws `conflict` when it is in use already, and `invalid` for labels that do not exist. */
  add(key: NewKey): Promise<string>;
  /** The same for a team that exists, by its id. */
  addTo(teamId: string, key: Omit<NewKey, "team">): Promise<AddedKey>;
  /** Those of one team, or of all. */
  list(teamId?: string): Promise<readonly Key[]>;
  /** The id of the team of this name; created when it does not exist yet. */
  teamNamed(name: string): Promise<string>;
  hasAny(): Promise<boolean>;
  isKnown(secret: string): Promise<boolean>;
  /** Of the labels that a key is limited to; a deleted one is its id. */
  labelNames(ids: readonly string[]): Promise<readonly string[]>;
  /** Throws `not-found`, also for a key of another team than the stated one. */
  revoke(id: string, teamId?: string): Promise<void>;
  /** What the key admits to; null for an unknown key. */
  admissionOf(secret: string): Admission | null | Promise<Admission | null>;
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
  const remembered = new Map<string, { admission: Admission; until: number }>();

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

  const add = async ({ team, ...key }: NewKey): Promise<string> =>
    (await addTo(await teamNamed(team), key)).secret;

  async function addTo(
    teamId: string,
    { name, role = "admin", labels, secret }: Omit<NewKey, "team">,
  ): Promise<AddedKey> {
    if (labels && !canHaveLimits(role))
      throw fieldFailure("labels", serviceSentences["labels-role"]);
    const labelIds = labels ? await labelsNamed(kysely, teamId, labels) : null;
    const key = secret ?? randomBytes(32).toString("base64url");
    const id = makeId();
    await database.transaction(async (transaction) => {
      const added = await transaction
        .insertInto("api_keys")
        .values({
          ...{ id, team_id: teamId, name, hash: hashOf(key), role },
          label_ids: textOfLabelIds(labelIds),
          created_at: now(),
        })
        .onConflict((on) => on.column("hash").doNothing())
        .returning("id")
        .executeTakeFirst();
      if (!added) throw new Failure("conflict", serviceSentences["key-exists"]);
      await noteActivity(transaction, database.kind, contextOf(teamId), {
        ...{ kind: "key", what: "added", id, name },
        changes: changesBetween(null, {
          ...{ role, labels: labelIds ?? undefined },
        }),
      });
    });
    return { id, secret: key };
  }

  const contextOf = (team: string) => ({ team, now: now(), makeId });

  const rowOf = (hash: string) =>
    kysely
      .selectFrom("api_keys")
      .select(["id", "team_id", "name", "hash", "role", "label_ids"])
      .select("last_used_at")
      .where("hash", "=", hash)
      .where("revoked_at", "is", null)
      .executeTakeFirst();

  async function lookUp(secret: string): Promise<Admission | null> {
    const hash = hashOf(secret);
    const row = await rowOf(hash);
    // Found by its hash, which reveals nothing about the key; compared in constant time all the same.
    if (!row || !timingSafeEqual(Buffer.from(row.hash), Buffer.from(hash)))
      return null;
    if (remembered.size >= maxRemembered) remembered.clear();
    const admission: Admission = {
      ...{ team: row.team_id, role: row.role },
      labelIds: labelIdsFrom(row.label_ids),
      actor: { kind: "key", id: row.id, name: row.name },
    };
    remembered.set(secret, { admission, until: monotonic() + rememberedMs });
    await noteUse(row.id, row.last_used_at);
    return admission;
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
    ...{ add, addTo, teamNamed },
    list: async (teamId) => {
      const rows = await kysely
        .selectFrom("api_keys")
        .innerJoin("teams", "teams.id", "api_keys.team_id")
        .select([
          ...(["api_keys.id", "api_keys.name", "teams.name as team"] as const),
          ...(["api_keys.team_id", "role", "label_ids"] as const),
          ...(["api_keys.created_at", "api_keys.last_used_at"] as const),
        ])
        .where("revoked_at", "is", null)
        .$if(teamId !== undefined, (query) =>
          query.where("team_id", "=", teamId ?? ""),
        )
        .orderBy("api_keys.created_at")
        .orderBy("api_keys.id")
        .execute();
      return rows.map(
        ({ created_at, last_used_at, team_id, label_ids, ...row }) => ({
          ...row,
          teamId: team_id,
          labelIds: labelIdsFrom(label_ids),
          createdAt: Number(created_at),
          lastUsedAt: last_used_at === null ? null : Number(last_used_at),
        }),
      );
    },
    hasAny: async () =>
      (await kysely
        .selectFrom("api_keys")
        .select("id")
        .where("revoked_at", "is", null)
        .limit(1)
        .executeTakeFirst()) !== undefined,
    isKnown: async (secret) => (await rowOf(hashOf(secret))) !== undefined,
    labelNames: async (ids) => {
      const labels = await kysely
        .selectFrom("labels")
        .select(["id", "name"])
        .where("id", "in", ids)
        .execute();
      return ids.map((id) => labels.find((one) => one.id === id)?.name ?? id);
    },
    revoke: async (id, teamId) => {
      await database.transaction(async (transaction) => {
        const revoked = await transaction
          .updateTable("api_keys")
          .set({ revoked_at: now() })
          .where("id", "=", id)
          .where("revoked_at", "is", null)
          .$if(teamId !== undefined, (query) =>
            query.where("team_id", "=", teamId ?? ""),
          )
          .returning(["name", "team_id"])
          .executeTakeFirst();
        if (!revoked)
          throw new Failure(
            "not-found",
            composeSentence(generalSentences["id-unknown"], {
              kind: "key",
              id,
            }),
          );
        await noteActivity(
          ...([transaction, database.kind] as const),
          contextOf(revoked.team_id),
          { ...{ kind: "key", what: "removed", id }, name: revoked.name },
        );
      });
    },
    admissionOf: (secret) => {
      const cached = remembered.get(secret);
      if (cached && monotonic() < cached.until) return cached.admission;
      remembered.delete(secret);
      return lookUp(secret);
    },
  };
}

/** 256 random bits cannot be guessed from their hash, so a slow hash would gain nothing. */
function hashOf(secret: string): string {
  return hashOnce("sha256", secret, "hex");
}
