// Limit on wrong access tokens and passwords: how many one address may send before it is locked out, and which of them are logged
// (V2-62, V2-726, V2-780).

import {
  createAttempts,
  networkOf,
} from "../../../platform/failed-sign-ins.ts";
import type { Log } from "../../../platform/log.ts";
import type { History } from "../../logs/logs.ts";

export interface InvalidTokenLimitOptions {
  readonly monotonic: () => number;
  readonly history: Pick<History, "note">;
  readonly log: Log;
}

export interface InvalidTokenLimit {
  /** Counts an invalid token from this address; returns whether it is locked out now, and for how long. */
  note(address: string): {
    readonly isLockedOut: boolean;
    readonly secondsLeft: number;
  };
  /** Whether the next one from this address locks it out, or it is locked out already. */
  isReached(address: string): boolean;
}

/** From one address within a quarter of an hour: enough for typing errors and for a script under development. */
export const maxInvalidTokens = 20;
/** Recorded in a quarter of an hour (V2-726): attempts from many addresses must not push everything else out of the activity log. */
const maxRecorded = 20;

export function createInvalidTokenLimit({
  monotonic,
  history,
  log,
}: InvalidTokenLimitOptions): InvalidTokenLimit {
  const attempts = createAttempts(monotonic);
  const recorded = createAttempts(monotonic);

  /** The first invalid token from an address, and the one that locks it out; not each of a series. */
  function record(address: string, count: number): void {
    if (count !== 1 && count !== maxInvalidTokens + 1) return;
    log.warn("access.denied", { address, count });
    if (recorded.note("").count > maxRecorded) return;
    const what = count > maxInvalidTokens ? "locked" : "denied";
    history.note({ kind: "access", what, name: networkOf(address) });
  }

  return {
    isReached: (address) => attempts.countOf(address) >= maxInvalidTokens,
    note: (address) => {
      const { count, secondsLeft } = attempts.note(address);
      record(address, count);
      return { isLockedOut: count > maxInvalidTokens, secondsLeft };
    },
  };
}
