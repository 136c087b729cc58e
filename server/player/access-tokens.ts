// Access tokens of the interface, each with a name and its last use; only their hashes are stored.

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { playerSentences } from "../contract/sentences/player-sentences.ts";
import { composeSentence } from "../contract/sentence-templates.ts";
import { Failure } from "../core/failure.ts";
import type { Sqlite } from "../platform/sqlite/sqlite.ts";

export interface Token {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  /** Written at most once a minute; null until the first use. */
  readonly lastUsedAt: number | null;
}

export interface Access {
  /** Admits the player itself during this run; it is not stored anywhere. */
  readonly internalSecret: string;
  tokens(): readonly Token[];
  hasTokens(): boolean;
  /** The secret is returned only this once. Throws `conflict` for a name that is taken. */
  add(name: string): { readonly token: Token; readonly secret: string };
  /** Throws `not-found`. */
  revoke(id: string): void;
  /** The id of the token with this secret, whose use is recorded; null when there is none. */
  idFor(secret: string): string | null;
  has(id: string): boolean;
  /** Empty for an id that is no token's, such as that of the password. */
  nameOf(id: string): string;
  /** Whether the player itself has this id. */
  isOwn(id: string): boolean;
  /** A session that came from this token was used. */
  noteUse(id: string): void;
}

export interface AccessOptions {
  readonly database: Sqlite;
  readonly now: () => number;
  /** 32 random lower-case hex digits. */
  readonly makeId: () => string;
  /** A token was created or revoked. */
  readonly onWritten?: (() => void) | undefined;
}

/** More than any site has scripts and managers; each request is compared with all of them. */
const maxTokens = 100;
/** A busy client must not wear out the disk for a timestamp that is never read to the second. */
const noteUseIntervalMs = 60_000;
/** No row has this id: ids of rows are hexadecimal. */
const internalId = "own";

interface TokenRow {
  readonly id: string;
  readonly name: string;
  readonly hash: Buffer;
  readonly created_at: number;
  readonly last_used_at: number | null;
}

export function createAccess(options: AccessOptions): Access {
  const { database, now, makeId } = options;
  // Read for each request: a token revoked on the command line stops working immediately.
  const all = database.prepare<[], TokenRow>(
    "SELECT * FROM tokens ORDER BY created_at, id",
  );
  const exists = database
    .prepare<[string], number>("SELECT 1 FROM tokens WHERE id = ?")
    .pluck();
  const count = database
    .prepare<[], number>("SELECT count(*) FROM tokens")
    .pluck();
  const nameTaken = database
    .prepare<[string], number>("SELECT 1 FROM tokens WHERE name = ?")
    .pluck();
  const insert = database.prepare(
    "INSERT INTO tokens (id, name, hash, created_at) VALUES (?, ?, ?, ?)",
  );
  const drop = database.prepare("DELETE FROM tokens WHERE id = ?");
  const noteUse = database.prepare(
    "UPDATE tokens SET last_used_at = ? WHERE id = ?",
  );

  const internalSecret = randomBytes(32).toString("base64url");
  const internalHash = hashOf(internalSecret);

  const add = database.transaction((name: string) => {
    if (nameTaken.get(name) !== undefined)
      throw new Failure(
        "conflict",
        composeSentence(playerSentences["token-name-taken"], { name }),
      );
    if ((count.get() ?? 0) >= maxTokens)
      throw new Failure(
        "conflict",
        composeSentence(playerSentences["tokens-limit"], { limit: maxTokens }),
      );
    const secret = randomBytes(32).toString("base64url");
    const token = { id: makeId(), name, createdAt: now(), lastUsedAt: null };
    insert.run(token.id, name, hashOf(secret), token.createdAt);
    return { token, secret };
  });

  function use({ id, last_used_at: before }: TokenRow): void {
    const moment = now();
    if (before !== null && Math.abs(moment - before) < noteUseIntervalMs)
      return;
    try {
      noteUse.run(moment, id);
    } catch {
      // A full disk locks no client out.
    }
  }

  return {
    internalSecret,
    tokens: () =>
      all.all().map((row) => ({
        id: row.id,
        name: row.name,
        createdAt: row.created_at,
        lastUsedAt: row.last_used_at,
      })),
    hasTokens: () => (count.get() ?? 0) > 0,
    add: (name) => {
      const token = add.immediate(name);
      options.onWritten?.();
      return token;
    },
    revoke: (id) => {
      if (drop.run(id).changes === 0)
        throw new Failure(
          "not-found",
          composeSentence(playerSentences["token-unknown"], { id }),
        );
      options.onWritten?.();
    },
    idFor: (secret) => {
      const hash = hashOf(secret);
      if (timingSafeEqual(internalHash, hash)) return internalId;
      let tokenRow: TokenRow | null = null;
      // All of them, so that the response time reveals nothing.
      for (const row of all.all())
        if (timingSafeEqual(row.hash, hash)) tokenRow = row;
      if (tokenRow) use(tokenRow);
      return tokenRow?.id ?? null;
    },
    noteUse: (id) => {
      const row = all.all().find((one) => one.id === id);
      if (row) use(row);
    },
    has: (id) => id === internalId || exists.get(id) !== undefined,
    nameOf: (id) => all.all().find((one) => one.id === id)?.name ?? "",
    isOwn: (id) => id === internalId,
  };
}

/** A random secret of 256 bits cannot be guessed from its hash, so a slow hash would gain nothing. */
function hashOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
