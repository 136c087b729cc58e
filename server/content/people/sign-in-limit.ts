// Limits how often passwords are tried, by address and by account, and compares one at a time, since each takes 32 MiB (V4-375).

import { hash } from "node:crypto";
import { generalSentences } from "../../contract/sentences/general-sentences.ts";
import { Failure } from "../../core/failure.ts";
import { createAttempts } from "../../platform/failed-sign-ins.ts";
import { tooManyAttempts } from "../http/too-many-attempts.ts";

export interface SignInLimit {
  /**
   * Runs the check, unless too many failed before; null, its result for wrong credentials, counts as failed. `account` is the
   * email address, whether an account has it or not. Throws `too-many` and `unavailable`.
   */
  run<T>(
    address: string,
    account: string,
    check: () => Promise<T | null>,
  ): Promise<T | null>;
}

const maxOfAddress = 50;
const maxOfAccount = 10;
/** A few seconds of waiting. */
const maxWaiting = 10;

export function createSignInLimit(monotonic: () => number): SignInLimit {
  const ofAddresses = createAttempts(monotonic);
  const ofAccounts = createAttempts(monotonic);
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  // Counted before the next one begins: many that are sent at once have no more attempts than one after the other.
  async function serialized<T>(
    address: string,
    account: string,
    check: () => Promise<T | null>,
  ): Promise<T | null> {
    const key = hash("sha256", account, "hex");
    if (ofAddresses.countOf(address) >= maxOfAddress)
      throw tooManyAttempts(
        "sign-ins-limit",
        ofAddresses.note(address).secondsLeft,
      );
    if (ofAccounts.countOf(key) >= maxOfAccount)
      throw tooManyAttempts("sign-ins-limit", ofAccounts.note(key).secondsLeft);
    const result = await check();
    if (result === null) {
      ofAddresses.note(address);
      ofAccounts.note(key);
    }
    return result;
  }

  return {
    run: async (address, account, check) => {
      if (waiting >= maxWaiting)
        throw new Failure("unavailable", generalSentences["passwords-at-once"]);
      waiting += 1;
      const mine = last.then(() => serialized(address, account, check));
      last = mine.catch(() => undefined);
      try {
        return await mine;
      } finally {
        waiting -= 1;
      }
    },
  };
}
