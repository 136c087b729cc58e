// Sessions of people in browsers, in the database, so that they hold on every instance and after a restart (V4-371 to V4-373).

import type { Kysely } from "kysely";
import type { Database } from "../../platform/database/database.ts";
import type { Admission } from "../access/admission.ts";
import { labelIdsFrom } from "../access/limit-labels.ts";
import { noteActivity } from "../activity/activity.ts";
import type { ContentTables } from "../tables.ts";
import type { PersonRow } from "./tables.ts";
import { hashOfSecret, makeSecret } from "./one-time-secret.ts";

const hourMs = 3_600_000;
const maxIdleMs = 12 * hourMs;
export const maxSessionMs = 7 * 24 * hourMs;
/** One that was ended stops working after this long on every instance; until then lookups skip the database. */
const rememberedMs = 1_000;
const maxRemembered = 1_000;
/** Last use is stored to the minute. */
const noteUseIntervalMs = 60_000;
/** Of one person; beyond it the one that was used least recently ends. */
const maxOfPerson = 50;
const agentLetters = 300;
/** Failures of a person within this time are one entry of the activity log, with their number. */
const oneEntryMs = hourMs;

export interface ShownSession {
  readonly id: string;
  readonly agent: string;
  readonly createdAt: number;
  readonly usedAt: number;
}

export interface Sessions {
  /** Returns the secret for the cookie, this once. */
  begin(personId: string, agent: string): Promise<string>;
  /** Notes in the activity log that somebody tried to sign in as this person and could not (V4-384). */
  noteFailure(
    person: Pick<PersonRow, "id" | "name" | "team_id">,
    address: string,
  ): Promise<void>;
  /** Null for a session that is unknown or over, and for a person who is disabled. */
  admissionOf(secret: string): Admission | null | Promise<Admission | null>;
  list(personId: string): Promise<readonly ShownSession[]>;
  /** Returns whether the person had it. */
  end(personId: string, id: string): Promise<boolean>;
  endAll(personId: string): Promise<void>;
  /** What was changed about people counts here immediately; on other instances within a second. */
  forget(): void;
}

export interface SessionsOptions {
  readonly database: Database<ContentTables>;
  readonly now: () => number;
  readonly makeId: () => string;
  readonly monotonic: () => number;
}

export function createSessions(options: SessionsOptions): Sessions {
  const { database, now, makeId, monotonic } = options;
  const { kysely } = database;
  const remembered = new Map<
    string,
    { readonly admission: Admission; readonly until: number }
  >();

  const open = (moment: number) =>
    kysely
      .selectFrom("person_sessions as s")
      .where("s.created_at", ">", moment - maxSessionMs)
      .where("s.used_at", ">", moment - maxIdleMs);

  async function lookUp(secret: string): Promise<Admission | null> {
    const moment = now();
    const row = await open(moment)
      .innerJoin("people as p", "p.id", "s.person_id")
      .select(["s.id as session_id", "s.used_at", "p.id", "p.name"])
      .select(["p.team_id", "p.role", "p.label_ids"])
      .where("s.hash", "=", hashOfSecret(secret))
      .where("p.is_disabled", "=", false)
      .executeTakeFirst();
    if (!row) return null;
    const { id, name, team_id: team, role, session_id: sessionId } = row;
    const admission: Admission = {
      ...{ team, role, sessionId, labelIds: labelIdsFrom(row.label_ids) },
      actor: { kind: "person", id, name },
    };
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(secret, { admission, until: monotonic() + rememberedMs });
    if (Math.abs(moment - Number(row.used_at)) >= noteUseIntervalMs)
      // A full disk signs nobody out.
      await kysely
        .updateTable("person_sessions")
        .set({ used_at: moment })
        .where("id", "=", sessionId)
        .execute()
        .catch(() => undefined);
    return admission;
  }

  /** Those that are over, of everyone, and the person's least recently used beyond the limit. */
  async function tidy(personId: string): Promise<void> {
    const moment = now();
    await kysely
      .deleteFrom("person_sessions")
      .where((eb) =>
        eb.or([
          eb("created_at", "<=", moment - maxSessionMs),
          eb("used_at", "<=", moment - maxIdleMs),
        ]),
      )
      .execute();
    const kept = await kysely
      .selectFrom("person_sessions")
      .select("id")
      .where("person_id", "=", personId)
      .orderBy("used_at", "desc")
      .orderBy("id", "desc")
      .limit(maxOfPerson)
      .execute();
    if (kept.length === maxOfPerson)
      await kysely
        .deleteFrom("person_sessions")
        .where("person_id", "=", personId)
        .where(
          "id",
          "not in",
          kept.map(({ id }) => id),
        )
        .execute();
  }

  const personOf = (transaction: Kysely<ContentTables>, id: string) =>
    transaction
      .selectFrom("people")
      .select(["id", "name", "team_id"])
      .where("id", "=", id)
      .executeTakeFirst();

  /** Who signs in or out is the person, also where the request is nobody's yet. */
  async function note(
    transaction: Kysely<ContentTables>,
    personId: string,
    what: "signed-in" | "signed-out",
    count = 1,
  ): Promise<void> {
    const person = count > 0 && (await personOf(transaction, personId));
    if (!person) return;
    const { id, name, team_id: team } = person;
    await noteActivity(
      ...([transaction, database.kind] as const),
      { team, now: now(), makeId, author: { kind: "person", id, name } },
      { ...{ kind: "person", what, id, name, count } },
    );
  }

  /** The entry to which more failures of the same person are added. */
  const failing = new Map<
    string,
    { readonly entry: string; readonly until: number }
  >();

  const noteFailure: Sessions["noteFailure"] = async (person, address) => {
    const { id, name, team_id: team } = person;
    const last = failing.get(id);
    if (last && monotonic() < last.until) {
      const { numUpdatedRows } = await kysely
        .updateTable("service_activity")
        .set((eb) => ({ count: eb("count", "+", 1) }))
        .where("team_id", "=", team)
        .where("id", "=", last.entry)
        .executeTakeFirst();
      if (numUpdatedRows > 0n) return;
    }
    if (failing.size >= maxRemembered) failing.clear();
    const entry = makeId();
    failing.set(id, { entry, until: monotonic() + oneEntryMs });
    await noteActivity(
      ...([kysely, database.kind] as const),
      {
        ...{ team, now: now(), makeId: () => entry },
        author: { kind: "unknown", id: null, name: "", address },
      },
      { kind: "person", what: "sign-in-failed", id, name },
    );
  };

  return {
    noteFailure,
    begin: async (personId, agent) => {
      const secret = makeSecret();
      const moment = now();
      await database.transaction(async (transaction) => {
        await transaction
          .insertInto("person_sessions")
          .values({
            ...{
              id: makeId(),
              person_id: personId,
              hash: hashOfSecret(secret),
            },
            agent: agent.slice(0, agentLetters),
            ...{ created_at: moment, used_at: moment },
          })
          .execute();
        await note(transaction, personId, "signed-in");
      });
      await tidy(personId);
      return secret;
    },
    admissionOf: (secret) => {
      const cached = remembered.get(secret);
      if (cached && monotonic() < cached.until) return cached.admission;
      remembered.delete(secret);
      return lookUp(secret);
    },
    list: async (personId) => {
      const rows = await open(now())
        .select(["s.id", "s.agent", "s.created_at", "s.used_at"])
        .where("s.person_id", "=", personId)
        .orderBy("s.used_at", "desc")
        .orderBy("s.id", "desc")
        .execute();
      return rows.map(({ id, agent, created_at, used_at }) => ({
        ...{ id, agent, createdAt: Number(created_at) },
        usedAt: Number(used_at),
      }));
    },
    end: async (personId, id) => {
      const ended = await database.transaction(async (transaction) => {
        const gone = await transaction
          .deleteFrom("person_sessions")
          .where("person_id", "=", personId)
          .where("id", "=", id)
          .returning("id")
          .execute();
        await note(transaction, personId, "signed-out", gone.length);
        return gone.length > 0;
      });
      remembered.clear();
      return ended;
    },
    endAll: async (personId) => {
      await database.transaction(async (transaction) => {
        const gone = await transaction
          .deleteFrom("person_sessions")
          .where("person_id", "=", personId)
          .returning("id")
          .execute();
        await note(transaction, personId, "signed-out", gone.length);
      });
      remembered.clear();
    },
    forget: () => remembered.clear(),
  };
}
