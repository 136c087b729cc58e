// Sessions of people in browsers, in the database, so that they hold on every instance and after a restart (V4-371 to V4-373).

import type { Database } from "../../platform/database/database.ts";
import type { Admission } from "../access/admission.ts";
import { labelIdsFrom } from "../access/limit-labels.ts";
import type { ContentTables } from "../tables.ts";
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

export interface ShownSession {
  readonly id: string;
  readonly agent: string;
  readonly createdAt: number;
  readonly usedAt: number;
}

export interface Sessions {
  /** Returns the secret for the cookie, this once. */
  begin(personId: string, agent: string): Promise<string>;
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

  return {
    begin: async (personId, agent) => {
      const secret = makeSecret();
      const moment = now();
      await kysely
        .insertInto("person_sessions")
        .values({
          ...{ id: makeId(), person_id: personId, hash: hashOfSecret(secret) },
          agent: agent.slice(0, agentLetters),
          ...{ created_at: moment, used_at: moment },
        })
        .execute();
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
      const ended = await kysely
        .deleteFrom("person_sessions")
        .where("person_id", "=", personId)
        .where("id", "=", id)
        .returning("id")
        .execute();
      remembered.clear();
      return ended.length > 0;
    },
    endAll: async (personId) => {
      await kysely
        .deleteFrom("person_sessions")
        .where("person_id", "=", personId)
        .execute();
      remembered.clear();
    },
    forget: () => remembered.clear(),
  };
}
