// One account's look at its cloud: the token opened, the version found, and found anew when it is refused.

import type { SyncAccount } from "../../../core/sync-state.ts";
import type { AccountMemory } from "../accounts/accounts.ts";
import type { Cloud, Look } from "../remote/remote.ts";
import { createCloudHttp } from "../remote/remote-http.ts";
import { CloudTrouble } from "../remote/remote-error.ts";
import {
  cloudOf,
  findVersion,
  type FoundVersion,
} from "../remote/find-version.ts";

export interface Looking {
  /** Null: nothing has changed since the last look. Throws a CloudTrouble. */
  look(signal: AbortSignal): Promise<Look | null>;
  /** The next look brings addresses that hold. */
  forgetAddresses(): void;
  /** Token, address or version may be others by now. */
  startOver(): void;
}

export interface LookingOptions {
  readonly account: () => SyncAccount;
  readonly memory: () => AccountMemory;
  readonly noteVersion: (found: FoundVersion | null) => void;
  readonly token: () => Promise<string | null>;
  readonly now: () => number;
  readonly silenceMs: number;
}

export function createLooking(options: LookingOptions): Looking {
  let cloud: Cloud | null = null;
  /** How often that was said: what was begun before is of an account that is no more. */
  let changes = 0;
  /** Of the look that is under way. */
  let called = new AbortController().signal;

  async function open(): Promise<Cloud> {
    if (cloud) return cloud;
    const begun = changes;
    const account = options.account();
    const token = await options.token();
    // Where it belongs now is not where it was asked for.
    if (begun !== changes) return open();
    if (token === null)
      throw new CloudTrouble(
        "no-token",
        "The token of this account is not on this machine: give it again.",
      );
    const http = createCloudHttp(
      { ...account, token, silenceMs: options.silenceMs },
      options.now,
      () => called,
    );
    const known = knownVersion(account, options.memory());
    const found = known ?? (await findVersion(http, account.version));
    if (begun !== changes) return open();
    if (!known) options.noteVersion(found);
    return (cloud = cloudOf(found, http, account.baseUrl, token));
  }

  async function ask(): Promise<Look | null> {
    const asked = await open();
    const look = await asked.look(options.account());
    return asked === cloud ? look : ask();
  }

  return {
    look: async (signal) => {
      called = signal;
      try {
        return await ask();
      } catch (error) {
        const code = error instanceof CloudTrouble ? error.code : null;
        if (code !== "unauthorized" && code !== "refused") throw error;
        // Once more, with the token as it lies there now and the version asked for anew.
        cloud = null;
        options.noteVersion(null);
        return ask();
      }
    },
    forgetAddresses: () => cloud?.forget(),
    startOver: () => {
      changes += 1;
      cloud = null;
    },
  };
}

function knownVersion(
  account: SyncAccount,
  { version, prefix }: AccountMemory,
): FoundVersion | null {
  if (version === null || prefix === null) return null;
  const isWanted = account.version === "auto" || account.version === version;
  return isWanted ? { version, prefix } : null;
}
