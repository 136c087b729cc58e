// The password of the player, with which people sign browsers in: one at most, of which only the hash is stored (V2-779).

import type { Sqlite } from "../../platform/sqlite/sqlite.ts";
import {
  hashPassword,
  hashPasswordSync,
  isPassword,
  type HashCost,
} from "../../platform/password-hash.ts";

export interface Password {
  /** Null without a password. It differs for each one that is set, the same text included. */
  id(): string | null;
  /** Null without a password. */
  setAt(): number | null;
  /** Replaces the one before. */
  set(password: string): Promise<void>;
  /** The same for a command, which has nothing else to do meanwhile. */
  setSync(password: string): void;
  /** Returns whether there was one. */
  remove(): boolean;
  /** The id of the password if this is the one; null if it is wrong, or none is set. */
  check(password: string): Promise<string | null>;
}

export interface PasswordOptions {
  readonly database: Sqlite;
  readonly now: () => number;
  /** 32 random lower-case hex digits. */
  readonly makeId: () => string;
  /** It was set or removed. */
  readonly onWritten?: (() => void) | undefined;
  readonly hashCost?: HashCost | undefined;
}

interface PasswordRow {
  readonly id: string;
  readonly hash: string;
  readonly set_at: number;
}

export function createPassword(options: PasswordOptions): Password {
  const { database, now, makeId, hashCost } = options;
  // Read for each request: one set on the command line counts immediately.
  const row = database.prepare<[], PasswordRow>(
    "SELECT id, hash, set_at FROM password",
  );
  const write = database.prepare(
    `INSERT INTO password (one, id, hash, set_at) VALUES (1, ?, ?, ?)
     ON CONFLICT (one) DO UPDATE
       SET id = excluded.id, hash = excluded.hash, set_at = excluded.set_at`,
  );
  const drop = database.prepare("DELETE FROM password");

  function store(hash: string): void {
    write.run(makeId(), hash, now());
    options.onWritten?.();
  }

  return {
    id: () => row.get()?.id ?? null,
    setAt: () => row.get()?.set_at ?? null,
    set: async (password) => store(await hashPassword(password, hashCost)),
    setSync: (password) => store(hashPasswordSync(password)),
    remove: () => {
      const { changes } = drop.run();
      if (changes > 0) options.onWritten?.();
      return changes > 0;
    },
    check: async (password) => {
      const found = row.get();
      const isRight = await isPassword(password, found?.hash ?? null, hashCost);
      return found && isRight ? found.id : null;
    },
  };
}
