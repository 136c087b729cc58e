// Links with which people who forgot their password set a new one: valid for an hour, once, and stored as hashes (V3-204, V3-205).

import { serviceSentences } from "../../contract/sentences/service-sentences.ts";
import type { Kysely } from "kysely";
import type { PasswordLinkPreviewV3 } from "../../contract/v3/v3-people.ts";
import { Failure } from "../../core/failure.ts";
import type { Database } from "../../platform/database/database.ts";
import { hashPassword, type HashCost } from "../../platform/password-hash.ts";
import { noteActivity } from "../activity/activity.ts";
import { hiddenChange } from "../activity/changes.ts";
import type { ContentTables } from "../tables.ts";
import { endSessions } from "./end-sessions.ts";
import { hashOfSecret, makeSecret } from "./one-time-secret.ts";

export interface PasswordLinks {
  /** Returns the secret of a link, this once; an earlier link of the person is no longer valid. */
  create(personId: string): Promise<string>;
  /** Throws `not-found` for a link that is not valid. */
  preview(secret: string): Promise<PasswordLinkPreviewV3>;
  /**
   * Ends all sessions of the person and keeps their second factor. Returns the person's id; throws `not-found` for a link that is
   * not valid.
   */
  use(secret: string, password: string): Promise<string>;
}

export interface PasswordLinksOptions {
  readonly database: Database<ContentTables>;
  readonly now: () => number;
  readonly makeId: () => string;
  readonly hashCost?: HashCost | undefined;
}

const validMs = 3_600_000;

/** The secret is in the fragment, which no browser sends and no server logs. */
export function passwordLink(base: string, secret: string): string {
  return `${base}/#password=${secret}`;
}

export function createPasswordLinks({
  database,
  now,
  makeId,
  hashCost,
}: PasswordLinksOptions): PasswordLinks {
  const { kysely } = database;

  /** A person who is disabled gets in by none. */
  async function validLink(secret: string) {
    const found = await kysely
      .selectFrom("password_links as l")
      .innerJoin("people as p", "p.id", "l.person_id")
      .select(["p.email", "l.hash"])
      .where("l.hash", "=", hashOfSecret(secret))
      .where("l.created_at", ">", now() - validMs)
      .where("p.is_disabled", "=", false)
      .executeTakeFirst();
    if (!found) throw linkOver();
    return found;
  }

  return {
    create: async (personId) => {
      const secret = makeSecret();
      const values = { hash: hashOfSecret(secret), created_at: now() };
      await kysely
        .insertInto("password_links")
        .values({ person_id: personId, ...values })
        .onConflict((on) => on.column("person_id").doUpdateSet(values))
        .execute();
      return secret;
    },
    preview: async (secret) => ({ email: (await validLink(secret)).email }),
    use: async (secret, password) => {
      const { hash } = await validLink(secret);
      const password_hash = await hashPassword(password, hashCost);
      return database.transaction(async (transaction) => {
        // The link is used up first: of two that use it at once, one waits and is refused.
        const used = await transaction
          .deleteFrom("password_links")
          .where("hash", "=", hash)
          .returning("person_id")
          .executeTakeFirst();
        const changed =
          used &&
          (await transaction
            .updateTable("people")
            .set({ password_hash })
            .where("id", "=", used.person_id)
            .where("is_disabled", "=", false)
            .returning(["id", "name", "team_id"])
            .executeTakeFirst());
        if (!changed) throw linkOver();
        const { id, name, team_id: team } = changed;
        // Nor is a link of an administrator valid that was there to set a password.
        await transaction
          .deleteFrom("invitations")
          .where("person_id", "=", id)
          .execute();
        await endSessions(transaction, id);
        const person = { kind: "person", id, name } as const;
        await noteActivity(
          ...([transaction, database.kind] as const),
          { team, now: now(), makeId, author: person },
          { ...person, what: "changed", changes: [hiddenChange("password")] },
        );
        return id;
      });
    },
  };
}

/** For what makes a link pointless: another password, or an account that is disabled. */
export async function dropPasswordLink(
  transaction: Kysely<ContentTables>,
  personId: string,
): Promise<void> {
  await transaction
    .deleteFrom("password_links")
    .where("person_id", "=", personId)
    .execute();
}

function linkOver(): Failure {
  return new Failure("not-found", serviceSentences["password-link-over"]);
}
