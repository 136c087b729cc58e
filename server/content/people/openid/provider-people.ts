// The person behind an account of an OpenID Connect provider: one who signed in with it before, one with the address that it has
// verified, one who is invited, or one whose claims have a role (V3-209, V3-210).

import type { Kysely } from "kysely";
import type { Role } from "../../../core/role.ts";
import { Failure } from "../../../core/failure.ts";
import type { Database } from "../../../platform/database/database.ts";
import { noteActivity } from "../../activity/activity.ts";
import { changesBetween } from "../../activity/changes.ts";
import type { ContentTables } from "../../tables.ts";
import { insertPerson } from "../insert-person.ts";
import { emailFrom } from "../people.ts";
import type { PersonRow } from "../tables.ts";
import type { ProvedIdentity } from "./provider.ts";

export type ProviderSignIn =
  | { readonly kind: "in" | "disabled"; readonly person: PersonRow }
  /** `other-account`: the person signed in with another account of this provider before. */
  | { readonly kind: "unknown" | "other-account" };

export interface ProviderPeople {
  signIn(
    identity: ProvedIdentity & { readonly email: string },
    role: Role | null,
  ): Promise<ProviderSignIn>;
}

const maxPeople = 1000;

export function createProviderPeople(options: {
  readonly database: Database<ContentTables>;
  readonly now: () => number;
  readonly makeId: () => string;
  /** Of people who are not invited. */
  readonly defaultTeam: () => Promise<string>;
}): ProviderPeople {
  const { database, now, makeId, defaultTeam } = options;

  async function add(
    transaction: Kysely<ContentTables>,
    access: {
      readonly team_id: string;
      readonly role: Role;
      readonly label_ids: string | null;
    },
    { email, name }: { readonly email: string; readonly name: string },
  ): Promise<PersonRow> {
    const context = { id: makeId(), now: now() };
    const person = await insertPerson(transaction, context, {
      ...{ ...access, email, name: name || email, password_hash: null },
    });
    const { id, team_id: team, role } = person;
    const added = { kind: "person", id, name: person.name } as const;
    await noteActivity(
      ...([transaction, database.kind] as const),
      { team, now: now(), makeId, author: added },
      {
        ...{ ...added, what: "added" },
        changes: changesBetween(null, { email, role }),
      },
    );
    return person;
  }

  /** By an invitation that is open, which is used up, or by the role of their claims. */
  async function newPerson(
    transaction: Kysely<ContentTables>,
    identity: { readonly email: string; readonly name: string },
    role: Role | null,
    team_id: string | null,
  ): Promise<PersonRow | null> {
    const invitation = await transaction
      .deleteFrom("invitations")
      .where("email", "=", identity.email)
      .where("person_id", "is", null)
      .where("expires_at", ">", now())
      .returning(["team_id", "role", "label_ids"])
      .executeTakeFirst();
    if (invitation) return add(transaction, invitation, identity);
    if (role === null || team_id === null) return null;
    const { count } = await transaction
      .selectFrom("people")
      .select((eb) => eb.fn.countAll().as("count"))
      .where("team_id", "=", team_id)
      .executeTakeFirstOrThrow();
    if (Number(count) >= maxPeople)
      throw new Failure(
        "conflict",
        `A team can have at most ${maxPeople} people.`,
      );
    return add(transaction, { team_id, role, label_ids: null }, identity);
  }

  return {
    signIn: async ({ issuer, subject, email: stated, name }, role) => {
      const email = emailFrom(stated);
      const team = role === null ? null : await defaultTeam();
      return database.transaction(async (transaction) => {
        const known = await transaction
          .selectFrom("person_identities as i")
          .innerJoin("people as p", "p.id", "i.person_id")
          .selectAll("p")
          .where("i.issuer", "=", issuer)
          .where("i.subject", "=", subject)
          .executeTakeFirst();
        const person =
          known ??
          (await transaction
            .selectFrom("people")
            .selectAll()
            .where("email", "=", email)
            .executeTakeFirst()) ??
          (await newPerson(transaction, { email, name }, role, team));
        if (!person) return { kind: "unknown" };
        if (person.is_disabled) return { kind: "disabled", person };
        if (!known) {
          const other = await transaction
            .selectFrom("person_identities")
            .select("subject")
            .where("person_id", "=", person.id)
            .where("issuer", "=", issuer)
            .executeTakeFirst();
          // The address may have been given to somebody else.
          if (other) return { kind: "other-account" };
          await transaction
            .insertInto("person_identities")
            .values({
              ...{ issuer, subject, person_id: person.id, created_at: now() },
            })
            // The same person in two tabs.
            .onConflict((on) => on.doNothing())
            .execute();
        }
        await transaction
          .updateTable("people")
          .set({ last_sign_in_at: now() })
          .where("id", "=", person.id)
          .execute();
        return { kind: "in", person };
      });
    },
  };
}
