// People who sign in to the service: their accounts, invitations and second factors (V4-370, V4-374 to V4-378).

import type { Kysely } from "kysely";
import { composeSentence } from "../../contract/sentence-templates.ts";
import { serviceSentences } from "../../contract/sentences/service-sentences.ts";
import type { ActivityChangeV3 } from "../../contract/v3/v3-activity.ts";
import type { InvitationPreviewV3 } from "../../contract/v3/v3-people.ts";
import { Failure, fieldFailure } from "../../core/failure.ts";
import { canHaveLimits, type Role } from "../../core/role.ts";
import type { Database } from "../../platform/database/database.ts";
import {
  hashPassword,
  isPassword,
  type HashCost,
} from "../../platform/password-hash.ts";
import { noteActivity, type Note } from "../activity/activity.ts";
import { changesBetween, hiddenChange } from "../activity/changes.ts";
import { labelsNamed, textOfLabelIds } from "../access/limit-labels.ts";
import type { Sealer } from "../access/secret-encryption.ts";
import type { ContentTables } from "../tables.ts";
import { endSessions } from "./end-sessions.ts";
import { emailTaken, insertPerson } from "./insert-person.ts";
import { invitationHours, invitationMs } from "./invitation-link.ts";
import { assertAdministratorLeft, couldSignIn } from "./last-administrator.ts";
import { hashOfSecret, makeSecret } from "./one-time-secret.ts";
import { dropPasskeys } from "./passkeys/passkeys.ts";
import { dropPasswordLink } from "./password-links.ts";
import type { PersonRow } from "./tables.ts";
import {
  hashOfRecoveryCode,
  makeRecoveryCodes,
  makeTotpSecret,
  stepOfCode,
  totpAddress,
} from "./second-factor.ts";

export type InvitationRow = ContentTables["invitations"];

export interface Access {
  readonly role: Role;
  /** Names or ids of labels; null: no limit (V4-362). */
  readonly labels: readonly string[] | null;
}

export interface NewInvitation extends Access {
  /** Null: the person who uses the link states it. */
  readonly email: string | null;
}

export interface Invited {
  readonly id: string;
  /** For the link, returned only here. */
  readonly secret: string;
}

export interface PersonChange {
  readonly name?: string | undefined;
  readonly access?: Access | undefined;
  readonly isDisabled?: boolean | undefined;
}

export interface Acceptance {
  readonly secret: string;
  readonly name: string | undefined;
  readonly email: string | undefined;
  readonly password: string;
}

/** `code-required`: the password is right, and a second factor is needed beside it. */
export type SignInResult = PersonRow | "code-required" | null;

export interface People {
  hasAny(): Promise<boolean>;
  list(teamId?: string): Promise<readonly PersonRow[]>;
  find(id: string): Promise<PersonRow | null>;
  findByEmail(email: string): Promise<PersonRow | null>;
  /** Throws `not-found`, and `conflict` for a change that leaves the team without an administrator who can sign in. */
  change(teamId: string, id: string, change: PersonChange): Promise<void>;
  /** As `change`. */
  remove(teamId: string, id: string): Promise<void>;
  /** Throws `conflict` for an address that a person has already; replaces an earlier invitation of this address. */
  invite(teamId: string, invitation: NewInvitation): Promise<Invited>;
  invitations(teamId: string): Promise<readonly InvitationRow[]>;
  /** Returns whether there was one. */
  withdraw(teamId: string, id: string): Promise<boolean>;
  /** A link to set a new password; from now on neither the one before nor a second factor, a passkey or a session is valid. */
  reset(person: PersonRow): Promise<Invited>;
  /** What the holder of a link has to state. Throws `not-found` for a link that is not valid. */
  preview(secret: string): Promise<InvitationPreviewV3>;
  /** Returns the person, who is new or has a new password. Throws `not-found` for a link that is not valid. */
  accept(acceptance: Acceptance): Promise<PersonRow>;
  /** Takes as long for an unknown account. Null: something is wrong. */
  signIn(email: string, password: string, code: string): Promise<SignInResult>;
  isPasswordOf(person: PersonRow, password: string): Promise<boolean>;
  /** Ends all sessions except the stated one. */
  setPassword(
    id: string,
    password: string,
    exceptSession: string,
  ): Promise<void>;
  /** A secret that counts once it is confirmed. */
  beginSecondFactor(
    person: PersonRow,
  ): Promise<{ readonly secret: string; readonly address: string }>;
  /** Returns the recovery codes, this once; null for a wrong code. */
  confirmSecondFactor(
    person: PersonRow,
    code: string,
  ): Promise<readonly string[] | null>;
  removeSecondFactor(id: string): Promise<void>;
}

export interface PeopleOptions {
  readonly database: Database<ContentTables>;
  readonly now: () => number;
  readonly makeId: () => string;
  readonly sealer: Sealer;
  readonly hashCost?: HashCost | undefined;
}

export function emailFrom(text: string): string {
  return text.trim().toLowerCase();
}

export function createPeople(options: PeopleOptions): People {
  const { database, now, makeId, sealer, hashCost } = options;
  const { kysely } = database;

  const note = (
    transaction: Kysely<ContentTables>,
    team: string,
    ...notes: readonly Note[]
  ): Promise<void> =>
    noteActivity(
      ...([transaction, database.kind] as const),
      { team, now: now(), makeId },
      ...notes,
    );

  const hasAny = async (): Promise<boolean> =>
    (await kysely
      .selectFrom("people")
      .select("id")
      .limit(1)
      .executeTakeFirst()) !== undefined;

  const find = async (id: string): Promise<PersonRow | null> =>
    (await kysely
      .selectFrom("people")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirst()) ?? null;

  const findByEmail = async (email: string): Promise<PersonRow | null> =>
    (await kysely
      .selectFrom("people")
      .selectAll()
      .where("email", "=", emailFrom(email))
      .executeTakeFirst()) ?? null;

  async function columnsOf(teamId: string, { role, labels }: Access) {
    if (labels && !canHaveLimits(role))
      throw fieldFailure("labels", serviceSentences["labels-role"]);
    const ids = labels ? await labelsNamed(kysely, teamId, labels) : null;
    return { role, label_ids: textOfLabelIds(ids) };
  }

  async function insertInvitation(
    values: Pick<
      InvitationRow,
      "team_id" | "email" | "role" | "label_ids" | "person_id"
    >,
    begin: (transaction: Kysely<ContentTables>) => Promise<void> = async () =>
      undefined,
  ): Promise<Invited> {
    const invited = { id: makeId(), secret: makeSecret() };
    const moment = now();
    await database.transaction(async (transaction) => {
      await begin(transaction);
      await transaction
        .deleteFrom("invitations")
        .where((eb) =>
          eb.or([
            eb("expires_at", "<=", moment),
            eb.and([
              eb("team_id", "=", values.team_id),
              values.email === null
                ? eb("email", "is", null)
                : eb("email", "=", values.email),
            ]),
          ]),
        )
        .execute();
      await transaction
        .insertInto("invitations")
        .values({
          ...{ ...values, id: invited.id, created_at: moment },
          ...{ hash: hashOfSecret(invited.secret) },
          expires_at: moment + invitationMs,
        })
        .execute();
      const { role, label_ids } = values;
      if (values.person_id === null)
        await note(transaction, values.team_id, {
          ...{ kind: "invitation", what: "added", id: invited.id },
          name: values.email ?? "",
          changes: changesBetween(null, { role, label_ids }),
        });
    });
    return invited;
  }

  async function changing(
    teamId: string,
    id: string,
    /** Returns the person as they are then, or were; null: there is none. */
    work: (transaction: Kysely<ContentTables>) => Promise<PersonRow | null>,
    what: "changed" | "removed",
  ): Promise<void> {
    await database.transaction(async (transaction) => {
      // One change of a team's people after the other.
      await transaction
        .updateTable("teams")
        .set({ id: teamId })
        .where("id", "=", teamId)
        .execute();
      const before = await transaction
        .selectFrom("people")
        .selectAll()
        .where("team_id", "=", teamId)
        .where("id", "=", id)
        .executeTakeFirst();
      const couldBefore = before && (await couldSignIn(transaction, before));
      const after = before && (await work(transaction));
      if (!after) throw new Failure("not-found", "Not found.");
      const changes =
        what === "changed"
          ? changesBetween(shownFields(before), shownFields(after))
          : [];
      if (what === "removed" || changes.length > 0)
        await note(transaction, teamId, {
          ...{ kind: "person", what, id, name: after.name, changes },
        });
      if (before.role === "admin" && !before.is_disabled)
        await assertAdministratorLeft(
          transaction,
          teamId,
          couldBefore === true,
        );
    });
  }

  /** Whether the code is right; it is then used up. */
  async function redeem(person: PersonRow, code: string): Promise<boolean> {
    const { id, totp_secret: sealed } = person;
    if (sealed === null) return true;
    const secret = sealer.open(id, sealed);
    const step = stepOfCode(secret, code, now(), Number(person.totp_step));
    if (step !== null) {
      const used = await kysely
        .updateTable("people")
        .set({ totp_step: step })
        .where("id", "=", id)
        .where("totp_step", "<", step)
        .returning("id")
        .execute();
      return used.length > 0;
    }
    const left = JSON.parse(person.recovery_codes) as readonly string[];
    const hash = hashOfRecoveryCode(id, code);
    if (!left.includes(hash)) return false;
    const used = await kysely
      .updateTable("people")
      .set({
        recovery_codes: JSON.stringify(left.filter((one) => one !== hash)),
      })
      .where("id", "=", id)
      // Of two that use the same one at once, the second is refused.
      .where("recovery_codes", "=", person.recovery_codes)
      .returning("id")
      .execute();
    return used.length > 0;
  }

  /** The link of the first person makes nobody an administrator beside others, and none lets a disabled person in. */
  async function isUsable({
    email,
    person_id,
  }: InvitationRow): Promise<boolean> {
    if (email === null) return !(await hasAny());
    return person_id === null || !(await find(person_id))?.is_disabled;
  }

  async function usableInvitation(hash: string): Promise<InvitationRow> {
    const found = await kysely
      .selectFrom("invitations")
      .selectAll()
      .where("hash", "=", hash)
      .where("expires_at", ">", now())
      .executeTakeFirst();
    if (!found || !(await isUsable(found))) throw linkOver();
    return found;
  }

  async function accept(acceptance: Acceptance): Promise<PersonRow> {
    const hash = hashOfSecret(acceptance.secret);
    const found = await usableInvitation(hash);
    const email = found.email ?? emailFrom(acceptance.email ?? "");
    const name = acceptance.name ?? "";
    if (found.person_id === null && name === "")
      throw fieldFailure("name", "name is required");
    if (email === "") throw fieldFailure("email", "email is required");
    const password_hash = await hashPassword(acceptance.password, hashCost);
    // Nobody is signed in yet: it is the person of the link who does this.
    const noteByPerson = (
      transaction: Kysely<ContentTables>,
      person: { readonly id: string; readonly name: string },
      { what, changes }: Required<Pick<Note, "what" | "changes">>,
    ): Promise<void> =>
      noteActivity(
        ...([transaction, database.kind] as const),
        {
          ...{ team: found.team_id, now: now(), makeId },
          author: { kind: "person", ...person },
        },
        { kind: "person", what, ...person, changes },
      );
    const id = await database.transaction(async (transaction) => {
      // The link is used up first: of two that use it at once, one waits and is refused.
      const used = await transaction
        .deleteFrom("invitations")
        .where("hash", "=", hash)
        .returning("id")
        .executeTakeFirst();
      if (!used) throw linkOver();
      if (found.person_id === null) {
        const { team_id, role, label_ids } = found;
        const context = { id: makeId(), now: now() };
        const person = await insertPerson(transaction, context, {
          ...{ team_id, role, label_ids, name, email, password_hash },
        });
        const changes = changesBetween(null, { email, role });
        const { id: newId } = person;
        const added = { id: newId, name };
        await noteByPerson(transaction, added, { what: "added", changes });
        return newId;
      }
      const changed = await transaction
        .updateTable("people")
        .set({ password_hash, last_sign_in_at: now() })
        .where("id", "=", found.person_id)
        .returning(["id", "name"])
        .executeTakeFirst();
      const changes = [hiddenChange("password")];
      await dropPasswordLink(transaction, found.person_id);
      if (changed)
        await noteByPerson(transaction, changed, { what: "changed", changes });
      return found.person_id;
    });
    const person = await find(id);
    if (!person) throw linkOver();
    return person;
  }

  return {
    ...{ find, findByEmail, hasAny, accept },
    preview: async (secret) => {
      const { email, person_id } = await usableInvitation(hashOfSecret(secret));
      return { email, is_reset: person_id !== null };
    },
    list: (teamId) =>
      kysely
        .selectFrom("people")
        .selectAll()
        .$if(teamId !== undefined, (query) =>
          query.where("team_id", "=", teamId ?? ""),
        )
        .orderBy("created_at")
        .orderBy("id")
        .execute(),
    change: async (teamId, id, { name, access, isDisabled }) => {
      const ofAccess = access && (await columnsOf(teamId, access));
      await changing(
        teamId,
        id,
        async (transaction) => {
          const changed = await transaction
            .updateTable("people")
            .set({
              // A statement needs a column, also where nothing was sent.
              team_id: teamId,
              ...(name !== undefined && { name }),
              ...ofAccess,
              ...(isDisabled !== undefined && { is_disabled: isDisabled }),
            })
            .where("team_id", "=", teamId)
            .where("id", "=", id)
            .returningAll()
            .executeTakeFirst();
          if (isDisabled) {
            await endSessions(transaction, id);
            await dropPasswordLink(transaction, id);
          }
          return changed ?? null;
        },
        "changed",
      );
    },
    remove: (teamId, id) =>
      changing(
        teamId,
        id,
        async (transaction) => {
          const gone = await transaction
            .deleteFrom("people")
            .where("team_id", "=", teamId)
            .where("id", "=", id)
            .returningAll()
            .executeTakeFirst();
          return gone ?? null;
        },
        "removed",
      ),
    invite: async (teamId, { email, ...access }) => {
      const columns = await columnsOf(teamId, access);
      const address = email === null ? null : emailFrom(email);
      if (address !== null && (await findByEmail(address))) throw emailTaken();
      return insertInvitation({
        ...{ team_id: teamId, email: address, person_id: null, ...columns },
      });
    },
    invitations: (teamId) =>
      kysely
        .selectFrom("invitations")
        .selectAll()
        .where("team_id", "=", teamId)
        .where("expires_at", ">", now())
        .orderBy("created_at")
        .orderBy("id")
        .execute(),
    withdraw: (teamId, id) =>
      database.transaction(async (transaction) => {
        const gone = await transaction
          .deleteFrom("invitations")
          .where("team_id", "=", teamId)
          .where("id", "=", id)
          .returning("email")
          .executeTakeFirst();
        if (gone)
          await note(transaction, teamId, {
            ...{ kind: "invitation", what: "removed", id },
            name: gone.email ?? "",
          });
        return gone !== undefined;
      }),
    reset: ({ id, team_id, name, email, role, label_ids }) => {
      const invitation = { team_id, email, role, label_ids, person_id: id };
      return insertInvitation(invitation, async (transaction) => {
        await transaction
          .updateTable("people")
          .set({ password_hash: null })
          .where("id", "=", id)
          .execute();
        // The person may have another account at the provider by now.
        await transaction
          .deleteFrom("person_identities")
          .where("person_id", "=", id)
          .execute();
        const factorGone = await withoutSecondFactor(transaction, id);
        const passkeys = await dropPasskeys(transaction, id);
        await endSessions(transaction, id);
        await dropPasswordLink(transaction, id);
        await note(transaction, team_id, {
          ...{ kind: "person", what: "changed", id, name },
          changes: [
            hiddenChange("password"),
            ...(factorGone ? [factorChange(false)] : []),
            ...passkeys.flatMap((passkey) =>
              changesBetween({ passkey }, { passkey: null }),
            ),
          ],
        });
      });
    },
    signIn: async (email, password, code) => {
      const person = await findByEmail(email);
      const isRight = await isPassword(
        password,
        person?.password_hash ?? null,
        hashCost,
      );
      if (!person || !isRight || person.is_disabled) return null;
      if (person.totp_secret !== null && code === "") return "code-required";
      if (!(await redeem(person, code))) return null;
      await kysely
        .updateTable("people")
        .set({ last_sign_in_at: now() })
        .where("id", "=", person.id)
        .execute();
      return person;
    },
    isPasswordOf: ({ password_hash }, password) =>
      isPassword(password, password_hash, hashCost),
    setPassword: async (id, password, exceptSession) => {
      const password_hash = await hashPassword(password, hashCost);
      await database.transaction(async (transaction) => {
        const changed = await transaction
          .updateTable("people")
          .set({ password_hash })
          .where("id", "=", id)
          .returning(["team_id", "name"])
          .executeTakeFirst();
        await endSessions(transaction, id, exceptSession);
        await dropPasswordLink(transaction, id);
        if (changed)
          await note(transaction, changed.team_id, {
            ...{ kind: "person", what: "changed", id, name: changed.name },
            changes: [hiddenChange("password")],
          });
      });
    },
    beginSecondFactor: async ({ id, email }) => {
      const secret = makeTotpSecret();
      await kysely
        .updateTable("people")
        .set({ totp_pending: sealer.seal(id, secret) })
        .where("id", "=", id)
        .execute();
      return { secret, address: totpAddress(secret, email) };
    },
    confirmSecondFactor: async ({ id, totp_pending: pending }, code) => {
      if (pending === null)
        throw new Failure("conflict", serviceSentences["factor-first"]);
      const step = stepOfCode(sealer.open(id, pending), code, now(), 0);
      if (step === null) return null;
      const codes = makeRecoveryCodes();
      const hashes = codes.map((one) => hashOfRecoveryCode(id, one));
      await database.transaction(async (transaction) => {
        const changed = await transaction
          .updateTable("people")
          .set({ totp_secret: pending, totp_pending: null, totp_step: step })
          .set({ recovery_codes: JSON.stringify(hashes) })
          .where("id", "=", id)
          .where("totp_pending", "=", pending)
          .returning(["team_id", "name"])
          .executeTakeFirst();
        if (changed)
          await note(
            transaction,
            changed.team_id,
            factorNote(id, changed, true),
          );
      });
      return codes;
    },
    removeSecondFactor: async (id) => {
      await database.transaction(async (transaction) => {
        const gone = await withoutSecondFactor(transaction, id);
        if (gone)
          await note(transaction, gone.team_id, factorNote(id, gone, false));
      });
    },
  };
}

/** What the activity log may say about a person. */
function shownFields({ name, role, label_ids, is_disabled }: PersonRow) {
  return { name, role, label_ids, is_disabled: Boolean(is_disabled) };
}

function factorNote(
  id: string,
  { name }: Pick<PersonRow, "name">,
  isOn: boolean,
): Note {
  return {
    ...{ kind: "person", what: "changed", id, name },
    changes: [factorChange(isOn)],
  };
}

function factorChange(isOn: boolean): ActivityChangeV3 {
  return { field: "second_factor", before: !isOn, after: isOn };
}

/** Returns whose it was; undefined if there was none. Of two that remove it, one does. */
async function withoutSecondFactor(
  transaction: Kysely<ContentTables>,
  id: string,
): Promise<Pick<PersonRow, "team_id" | "name"> | undefined> {
  const gone = await transaction
    .updateTable("people")
    .set({ totp_secret: null })
    .where("id", "=", id)
    .where("totp_secret", "is not", null)
    .returning(["team_id", "name"])
    .executeTakeFirst();
  await transaction
    .updateTable("people")
    .set({ totp_pending: null, recovery_codes: "[]" })
    .where("id", "=", id)
    .execute();
  return gone;
}

function linkOver(): Failure {
  return new Failure(
    "not-found",
    composeSentence(serviceSentences["link-expired"], {
      hours: invitationHours,
    }),
  );
}
