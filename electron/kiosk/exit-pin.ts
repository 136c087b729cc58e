// Exit PIN of an unattended player: stored hashed next to the store, with a lockout after wrong tries.

import { randomBytes, scrypt, scryptSync, timingSafeEqual } from "node:crypto";
import { rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import * as z from "zod";
import { makePrivateFolder } from "../../server/platform/files/private-folder.ts";
import {
  replaceFile,
  replaceFileSync,
} from "../../server/platform/files/replace-file.ts";

export type PinOutcome =
  | { readonly outcome: "right" }
  | { readonly outcome: "wrong"; readonly triesLeft: number }
  | { readonly outcome: "locked"; readonly seconds: number };

export interface ExitPin {
  isSet(): Promise<boolean>;
  /** Four to twelve digits; null removes it. */
  set(pin: string | null): Promise<void>;
  /** Without a PIN every input is right. */
  check(pin: string): Promise<PinOutcome>;
}

const pinPattern = /^\d{4,12}$/;
/** After this many wrong tries, locked for a minute; twice as long after each further one, up to 15 minutes (V2-255). */
const freeTries = 5;
const firstLockMs = 60_000;
const longestLockMs = 15 * 60_000;
const fileName = "exit-pin.json";
const hashBytes = 32;

const hashed = promisify(scrypt) as (
  secret: string,
  salt: Buffer,
  length: number,
) => Promise<Buffer>;

const schema = z.object({
  salt: z.string(),
  hash: z.string(),
  wrong: z.number().int().nonnegative(),
  lockedUntil: z.number(),
});
type Kept = z.infer<typeof schema>;

export function createExitPin(dataDir: string, now: () => number): ExitPin {
  const file = join(dataDir, fileName);
  let lastTask: Promise<unknown> = Promise.resolve();
  /** State that could not be written: a full disk does not allow more tries (V2-372). */
  let unkept: Kept | null = null;

  /** Serialised: concurrent tries would each read the count before. */
  function runInOrder<T>(work: () => Promise<T>): Promise<T> {
    const mine = lastTask.then(work);
    lastTask = mine.catch(() => undefined);
    return mine;
  }

  async function read(): Promise<Kept | null> {
    try {
      const stored = schema.parse(JSON.parse(await readFile(file, "utf8")));
      return unkept?.hash === stored.hash ? unkept : stored;
    } catch (error) {
      // A file that cannot be read must not unlock anything.
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw error;
    }
  }

  async function keep(stored: Kept): Promise<void> {
    unkept = stored;
    try {
      await replaceFile(file, JSON.stringify(stored));
      unkept = null;
    } catch {
      // It counts in memory until the player ends; the next try is written again.
    }
  }

  async function check(pin: string): Promise<PinOutcome> {
    const stored = await read();
    if (!stored) return { outcome: "right" };
    const waitMs = stored.lockedUntil - now();
    if (waitMs > longestLockMs) {
      // However the clock was set, the lockout is never longer than the longest.
      await keep({ ...stored, lockedUntil: now() + longestLockMs });
      return { outcome: "locked", seconds: longestLockMs / 1000 };
    }
    if (waitMs > 0)
      return { outcome: "locked", seconds: Math.ceil(waitMs / 1000) };
    const hash = Buffer.from(stored.hash, "base64");
    const given = await hashed(
      pin,
      Buffer.from(stored.salt, "base64"),
      hash.length,
    );
    if (timingSafeEqual(given, hash)) {
      if (stored.wrong > 0) await keep({ ...stored, wrong: 0, lockedUntil: 0 });
      return { outcome: "right" };
    }
    const wrong = stored.wrong + 1;
    const lockMs =
      wrong < freeTries
        ? 0
        : Math.min(firstLockMs * 2 ** (wrong - freeTries), longestLockMs);
    await keep({
      ...stored,
      wrong,
      lockedUntil: lockMs === 0 ? 0 : now() + lockMs,
    });
    return lockMs === 0
      ? { outcome: "wrong", triesLeft: freeTries - wrong }
      : { outcome: "locked", seconds: lockMs / 1000 };
  }

  return {
    isSet: async () => (await read()) !== null,
    set: (pin) => runInOrder(async () => setExitPin(dataDir, pin)),
    check: (pin) => runInOrder(() => check(pin)),
  };
}

/**
 * Synchronous: where a PIN is set at a command line there is no display, and Chromium never becomes ready, so it has to be done
 * before.
 */
export function setExitPin(dataDir: string, pin: string | null): void {
  const file = join(dataDir, fileName);
  if (pin === null) return rmSync(file, { force: true });
  if (!pinPattern.test(pin))
    throw new Error("A PIN must be four to twelve digits.");
  const salt = randomBytes(16);
  const stored: Kept = {
    salt: salt.toString("base64"),
    hash: scryptSync(pin, salt, hashBytes).toString("base64"),
    ...{ wrong: 0, lockedUntil: 0 },
  };
  // On Windows a folder gets its access list only while it is empty.
  makePrivateFolder(dataDir);
  replaceFileSync(file, JSON.stringify(stored));
}
