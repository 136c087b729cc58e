// Passkeys of people: adding, listing and removing them, and signing in with one (V3-211 to V3-214).

import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  type RegistrationResponseJSON,
} from "@simplewebauthn/server";
import type { Kysely } from "kysely";
import { composeSentence } from "../../../contract/sentence-templates.ts";
import { serviceSentences } from "../../../contract/sentences/service-sentences.ts";
import type {
  PasskeyAdditionV3,
  PasskeyAssertionV3,
} from "../../../contract/v3/v3-passkeys.ts";
import { Failure } from "../../../core/failure.ts";
import type { Database } from "../../../platform/database/database.ts";
import { noteActivity } from "../../activity/activity.ts";
import { changesBetween } from "../../activity/changes.ts";
import type { ContentTables } from "../../tables.ts";
import { derivedFrom } from "../derived-value.ts";
import { flowMs } from "../sign-in-flows.ts";
import type { PersonRow } from "../tables.ts";
import type { PasskeySite } from "./passkey-site.ts";

export interface ShownPasskey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly usedAt: number | null;
}

export type PasskeySignIn =
  | { readonly kind: "in" | "refused"; readonly person: PersonRow }
  /** Nobody has this passkey. */
  | { readonly kind: "unknown" };

export interface Passkeys {
  list(personId: string): Promise<readonly ShownPasskey[]>;
  /** What the browser needs to make one. Throws `conflict` where the person has as many as they can have. */
  optionsToAdd(
    person: PersonRow,
    site: PasskeySite,
    secret: string,
  ): Promise<object>;
  /** Throws `conflict` as `optionsToAdd`, and for a passkey that was added before. Null: the browser proves nothing. */
  add(
    person: PersonRow,
    site: PasskeySite,
    secret: string,
    addition: PasskeyAdditionV3,
  ): Promise<ShownPasskey | null>;
  /** Returns whether the person had it. */
  remove(person: PersonRow, id: string): Promise<boolean>;
  /** What the browser needs to offer the passkeys that it has for the site, of whomever. */
  optionsToSignIn(site: PasskeySite, secret: string): Promise<object>;
  signIn(
    site: PasskeySite,
    secret: string,
    assertion: PasskeyAssertionV3,
  ): Promise<PasskeySignIn>;
}

const maxOfPerson = 20;
/** COSE: EdDSA, ES256 and RS256. Without a list, the library asks Node for one, which prints a warning. */
const supportedAlgorithmIDs = [-8, -7, -257];

/** Of the secret in the browser's cookie; one of them is never taken for another. */
const challengeToSignIn = (secret: string): string =>
  derivedFrom(secret, "passkey sign-in");
const challengeToAdd = (secret: string, { id }: PersonRow): string =>
  derivedFrom(secret, `passkey of ${id}`);

export function createPasskeys({
  database,
  now,
  makeId,
}: {
  readonly database: Database<ContentTables>;
  readonly now: () => number;
  readonly makeId: () => string;
}): Passkeys {
  const { kysely } = database;

  const rowsOf = (personId: string, within = kysely) =>
    within
      .selectFrom("passkeys")
      .selectAll()
      .where("person_id", "=", personId)
      .orderBy("created_at")
      .orderBy("id")
      .execute();

  async function assertRoom(personId: string, within = kysely): Promise<void> {
    if ((await rowsOf(personId, within)).length >= maxOfPerson)
      throw new Failure(
        "conflict",
        composeSentence(serviceSentences["passkeys-limit"], {
          limit: maxOfPerson,
        }),
      );
  }

  const note = (
    transaction: Kysely<ContentTables>,
    { id, name, team_id: team }: PersonRow,
    before: string | null,
    after: string | null,
  ): Promise<void> =>
    noteActivity(
      ...([transaction, database.kind] as const),
      { team, now: now(), makeId },
      {
        ...{ kind: "person", what: "changed", id, name },
        changes: changesBetween({ passkey: before }, { passkey: after }),
      },
    );

  return {
    list: async (personId) =>
      (await rowsOf(personId)).map(({ id, name, created_at, used_at }) => ({
        ...{ id, name, createdAt: Number(created_at) },
        usedAt: used_at === null ? null : Number(used_at),
      })),
    optionsToAdd: async (person, { id: rpID }, secret) => {
      await assertRoom(person.id);
      const known = await rowsOf(person.id);
      return generateRegistrationOptions({
        ...{ rpName: "Vitrine", rpID, timeout: flowMs },
        ...{ userID: bytesOfText(person.id), userName: person.email },
        userDisplayName: person.name,
        challenge: bytesOf(challengeToAdd(secret, person)),
        supportedAlgorithmIDs,
        // A device that has one already says so instead of making another.
        excludeCredentials: known.map(({ credential_id: id, transports }) => ({
          ...{ id, transports: transportsIn(transports) },
        })),
        // It is found without an email address, and the device checks who uses it.
        authenticatorSelection: {
          residentKey: "required",
          userVerification: "required",
        },
      });
    },
    add: async (person, site, secret, { name, credential }) => {
      const proved = await verifyRegistrationResponse({
        response: credential as RegistrationResponseJSON,
        expectedChallenge: challengeToAdd(secret, person),
        ...{ expectedOrigin: site.origin, expectedRPID: site.id },
        supportedAlgorithmIDs,
      }).catch(() => null);
      if (!proved?.verified) return null;
      const {
        id: credentialId,
        publicKey,
        counter,
      } = proved.registrationInfo.credential;
      const row = {
        ...{ id: makeId(), person_id: person.id, name },
        ...{ credential_id: credentialId, counter, created_at: now() },
        public_key: Buffer.from(publicKey).toString("base64url"),
        transports: JSON.stringify(credential.response.transports ?? []),
        used_at: null,
      };
      const isAdded = await database.transaction(async (transaction) => {
        // One after the other, and none beside a reset: that changes the password.
        const same = await transaction
          .updateTable("people")
          .set({ team_id: person.team_id })
          .where("id", "=", person.id)
          .where("password_hash", "=", person.password_hash)
          .returning("id")
          .executeTakeFirst();
        if (!same) return false;
        await assertRoom(person.id, transaction);
        const added = await transaction
          .insertInto("passkeys")
          .values(row)
          .onConflict((on) => on.column("credential_id").doNothing())
          .returning("id")
          .executeTakeFirst();
        if (!added)
          throw new Failure("conflict", serviceSentences["passkey-known"]);
        await note(transaction, person, null, name);
        return true;
      });
      if (!isAdded) return null;
      return { id: row.id, name, createdAt: row.created_at, usedAt: null };
    },
    remove: (person, id) =>
      database.transaction(async (transaction) => {
        const gone = await transaction
          .deleteFrom("passkeys")
          .where("person_id", "=", person.id)
          .where("id", "=", id)
          .returning("name")
          .executeTakeFirst();
        if (gone) await note(transaction, person, gone.name, null);
        return gone !== undefined;
      }),
    optionsToSignIn: (site, secret) =>
      generateAuthenticationOptions({
        ...{ rpID: site.id, timeout: flowMs, userVerification: "required" },
        challenge: bytesOf(challengeToSignIn(secret)),
      }),
    signIn: async (site, secret, { credential }) => {
      const found = await kysely
        .selectFrom("passkeys as k")
        .innerJoin("people as p", "p.id", "k.person_id")
        .selectAll("p")
        .select(["k.id as passkey_id", "k.public_key", "k.counter"])
        .where("k.credential_id", "=", credential.id)
        .executeTakeFirst();
      if (!found) return { kind: "unknown" };
      const { passkey_id, public_key, counter, ...person } = found;
      const proved = await verifyAuthenticationResponse({
        response: credential as AuthenticationResponseJSON,
        expectedChallenge: challengeToSignIn(secret),
        ...{ expectedOrigin: site.origin, expectedRPID: site.id },
        credential: {
          ...{ id: credential.id, publicKey: bytesOf(public_key) },
          counter: Number(counter),
        },
      }).catch(() => null);
      if (!proved?.verified || person.is_disabled)
        return { kind: "refused", person };
      const moment = now();
      await kysely
        .updateTable("passkeys")
        .set({ counter: proved.authenticationInfo.newCounter })
        .set({ used_at: moment })
        .where("id", "=", passkey_id)
        .execute();
      await kysely
        .updateTable("people")
        .set({ last_sign_in_at: moment })
        .where("id", "=", person.id)
        .execute();
      return { kind: "in", person };
    },
  };
}

/** Revokes all passkeys of a person whose account is reset. Returns their names. */
export async function dropPasskeys(
  transaction: Kysely<ContentTables>,
  personId: string,
): Promise<readonly string[]> {
  const gone = await transaction
    .deleteFrom("passkeys")
    .where("person_id", "=", personId)
    .returning("name")
    .execute();
  return gone.map(({ name }) => name);
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(base64url, "base64url"));
}

function bytesOfText(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, "utf8"));
}

function transportsIn(json: string): AuthenticatorTransport[] {
  return JSON.parse(json) as AuthenticatorTransport[];
}
