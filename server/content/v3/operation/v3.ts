// Shared context of all operations of version 3, and their access to the database.

import type { Kysely } from "kysely";
import type {
  Database,
  Row,
  Run,
} from "../../../platform/database/database.ts";
import type { Log } from "../../../platform/log.ts";
import {
  activityInsert,
  noteActivity,
  type Note,
} from "../../activity/activity.ts";
import type { Adopted } from "../../adopted/adopted.ts";
import type { Alerts } from "../../alerts/alerts.ts";
import type { Mailer } from "../../alerts/mailer.ts";
import type { AppTokens } from "../../access/app-tokens.ts";
import type { Keys } from "../../access/keys.ts";
import type { Sealer } from "../../access/secret-encryption.ts";
import type { FileRetention } from "../../ingest/file-retention.ts";
import type { ReadsFor } from "../../replica/list-reads.ts";
import type { Link } from "../../link/link.ts";
import type { ContentTables } from "../../tables.ts";
import { dialects, type Dialect } from "../../v4/sql/dialect.ts";
import { sql, statementOf, type Sql } from "../../sql.ts";
import type { Openid } from "../../people/openid/openid.ts";
import type { PasswordLinks } from "../../people/password-links.ts";
import type { Passkeys } from "../../people/passkeys/passkeys.ts";
import type { PasswordMail } from "../../people/password-mail.ts";
import type { People } from "../../people/people.ts";
import type { Sessions } from "../../people/sessions.ts";
import type { SignInFlows } from "../../people/sign-in-flows.ts";
import type { SignInLimit } from "../../people/sign-in-limit.ts";
import type { WhatIf } from "../../what-if/what-if.ts";
import type { Geocode } from "../places/geocode.ts";
import type { StoredFiles } from "../../files/stored-files.ts";

export interface V3Options {
  readonly database: Database<ContentTables>;
  /** Where lists and reports are read (V4-403). */
  readonly readsFor: ReadsFor;
  readonly store: StoredFiles;
  readonly fileRetention: FileRetention;
  readonly link: Link;
  readonly adopted: Adopted;
  readonly alerts: Alerts;
  /** Null: no mail server is configured. */
  readonly mailer: Mailer | null;
  readonly whatIf: WhatIf;
  readonly sealSecret: Sealer["seal"];
  readonly keys: Pick<Keys, "addTo" | "list" | "revoke">;
  readonly people: People;
  readonly sessions: Sessions;
  readonly signInLimit: SignInLimit;
  readonly signInFlows: SignInFlows;
  readonly passkeys: Passkeys;
  /** Null: no provider is configured. */
  readonly openid: Openid | null;
  readonly passwordLinks: PasswordLinks;
  /** Null: no mail server is configured. */
  readonly passwordMail: PasswordMail | null;
  readonly appTokens: AppTokens;
  readonly log: Log;
  readonly makeId: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly mayConnect: (address: string) => boolean;
  readonly geocode: Geocode;
  /** A screenshot of a page, as PNG; undefined without a browser (V3-15). */
  readonly takeScreenshot: TakeScreenshot | undefined;
  /** Path of the operator's tokens for edge apps, as JSON (V3-58). */
  readonly oauthTokens: string | undefined;
  /** Called after a write outside any request. */
  readonly onChanged: () => void;
}

export type TakeScreenshot = (page: {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly script: string;
}) => Promise<Uint8Array>;

export interface V3 extends V3Options {
  readonly dialect: Dialect;
}

export function createV3(options: V3Options): V3 {
  return { ...options, dialect: dialects[options.database.kind] };
}

/** Runs a query within a transaction. */
export type RunQuery = (of: Sql) => Promise<readonly Row[]>;

export function queryRunner(
  { dialect }: Pick<V3, "dialect">,
  run: Run,
): RunQuery {
  return (of) => run(statementOf(of, dialect.kind));
}

export function reading(v3: V3): RunQuery {
  return (of) => v3.database.read(statementOf(of, v3.dialect.kind));
}

/** Writes these entries to the activity log, in the transaction of what they are about (V4-380). */
export async function note(
  v3: V3,
  runQuery: RunQuery,
  team: string,
  ...notes: readonly Note[]
): Promise<void> {
  if (notes.length > 0) await runQuery(noteStatement(v3, team, notes));
}

/** The same in a transaction of Kysely. */
export function noteIn(
  { database, now, makeId }: V3,
  transaction: Kysely<ContentTables>,
  team: string,
  ...notes: readonly Note[]
): Promise<void> {
  const context = { team, now: now(), makeId };
  return noteActivity(transaction, database.kind, context, ...notes);
}

/** Inserts one row and its entry, on PostgreSQL in one statement. */
export async function insertNoted(
  v3: V3,
  runQuery: RunQuery,
  team: string,
  insert: Sql,
  added: Note,
): Promise<void> {
  const noted = noteStatement(v3, team, [added]);
  if (v3.dialect.kind === "postgres") {
    await runQuery(sql`WITH noted AS (${noted}) ${insert}`);
    return;
  }
  await runQuery(insert);
  await runQuery(noted);
}

function noteStatement(
  { now, makeId }: V3,
  team: string,
  notes: readonly Note[],
): Sql {
  return activityInsert({ team, now: now(), makeId }, notes);
}

/** Runs the work in one transaction. */
export function writing<T>(
  v3: V3,
  work: (runQuery: RunQuery) => Promise<T>,
): Promise<T> {
  return v3.database.write((run) => work(queryRunner(v3, run)));
}

/**
 * Of two that change the same row, the second waits for the first; one that only links it need not. SQLite has one
 * writer.
 */
export function lockOf({ dialect }: Pick<V3, "dialect">): string {
  return dialect.kind === "postgres" ? " FOR NO KEY UPDATE" : "";
}

/** The JSON of the one row, as text; null when there is none. */
export function bodyIn(rows: readonly Row[]): string | null {
  const [row] = rows;
  return row ? String(row["body"]) : null;
}
