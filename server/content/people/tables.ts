// Row types of people, their sessions and their invitations for Kysely (V4-370 to V4-379, V3-204).

import type { ColumnType } from "kysely";
import type { Role } from "../../core/role.ts";

/** Milliseconds since 1970, UTC. */
type Moment = number;
/** SQLite returns 0 or 1; both databases accept a boolean. */
type Flag = ColumnType<boolean | 0 | 1, boolean, boolean>;

export interface PeopleTables {
  readonly people: {
    readonly id: string;
    readonly team_id: string;
    /** In lower case; of one person in all teams. */
    readonly email: string;
    readonly name: string;
    /** Null: no password is right. */
    readonly password_hash: string | null;
    readonly role: Role;
    /** JSON; null: no limit. */
    readonly label_ids: string | null;
    readonly is_disabled: Flag;
    /** Sealed; null: no second factor. */
    readonly totp_secret: string | null;
    /** Sealed: a second factor that is not confirmed yet. */
    readonly totp_pending: string | null;
    /** The last time step of which a code was used: each is valid once. */
    readonly totp_step: number;
    /** JSON: hashes of the recovery codes that are left. */
    readonly recovery_codes: string;
    readonly created_at: Moment;
    readonly last_sign_in_at: Moment | null;
  };
  readonly person_sessions: {
    readonly id: string;
    readonly person_id: string;
    /** Of the secret in the cookie. */
    readonly hash: string;
    /** Of the browser, as it names itself. */
    readonly agent: string;
    readonly created_at: Moment;
    readonly used_at: Moment;
  };
  readonly invitations: {
    readonly id: string;
    readonly team_id: string;
    /** Of the secret in the link. */
    readonly hash: string;
    /** Null: the first person states it. */
    readonly email: string | null;
    readonly role: Role;
    readonly label_ids: string | null;
    /** A person who sets a new password; null: a new person. */
    readonly person_id: string | null;
    readonly created_at: Moment;
    readonly expires_at: Moment;
  };
  /** Accounts of providers with which people sign in (V3-209). */
  readonly person_identities: {
    readonly issuer: string;
    readonly subject: string;
    readonly person_id: string;
    readonly created_at: Moment;
  };
  /** For signing in, and as a second way beside the password (V3-211). */
  readonly passkeys: {
    readonly id: string;
    readonly person_id: string;
    /** In base64url, as the browser states it. */
    readonly credential_id: string;
    /** COSE, in base64url. */
    readonly public_key: string;
    /** Of signatures, where the device counts them. */
    readonly counter: number;
    /** JSON: how browsers reach the device. */
    readonly transports: string;
    readonly name: string;
    readonly created_at: Moment;
    readonly used_at: Moment | null;
  };
  /** What a browser has begun: signing in with a provider or a passkey, or adding a passkey (V3-207, V3-212). */
  readonly sign_in_flows: {
    /** Of the secret in the cookie. */
    readonly hash: string;
    readonly created_at: Moment;
  };
  readonly password_links: {
    /** One link at most: another replaces it. */
    readonly person_id: string;
    /** Of the secret in the link. */
    readonly hash: string;
    readonly created_at: Moment;
  };
}

export type PersonRow = Omit<PeopleTables["people"], "is_disabled"> & {
  readonly is_disabled: boolean | 0 | 1;
};
