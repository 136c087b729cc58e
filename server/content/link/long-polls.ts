// Limits long-polling requests on the link: one per player, and few of unclaimed players, which need no key (L-31).

import { networkOf } from "../../platform/failed-sign-ins.ts";

export interface Waiter {
  readonly playerId: string;
  readonly address: string;
  readonly isClaimed: boolean;
}

export interface Wait {
  /** Aborted when the same player waits again. */
  readonly replaced: AbortSignal;
  end(): void;
}

export interface Waits {
  /** Null when there are too many: then the request is answered at once. */
  begin(waiter: Waiter): Wait | null;
}

export interface WaitLimits {
  readonly claimed: number;
  readonly unclaimed: number;
  /** A wall of screens behind one address is switched on at the same time. */
  readonly unclaimedOfAddress: number;
}

/** Each wait holds a connection, and a service has about a thousand. */
const defaultLimits: WaitLimits = {
  ...{ claimed: 600, unclaimed: 150, unclaimedOfAddress: 60 },
};

export function createWaits(limits: WaitLimits = defaultLimits): Waits {
  const waiting = new Map<
    string,
    Waiter & { readonly abort: AbortController }
  >();

  function isFull({ isClaimed, address }: Waiter): boolean {
    const alike = [...waiting.values()].filter(
      (other) => other.isClaimed === isClaimed,
    );
    if (isClaimed) return alike.length >= limits.claimed;
    const network = networkOf(address);
    const near = alike.filter((other) => networkOf(other.address) === network);
    return (
      alike.length >= limits.unclaimed ||
      near.length >= limits.unclaimedOfAddress
    );
  }

  return {
    begin: (waiter) => {
      const { playerId } = waiter;
      const before = waiting.get(playerId);
      waiting.delete(playerId);
      before?.abort.abort();
      if (isFull(waiter)) return null;
      const mine = { ...waiter, abort: new AbortController() };
      waiting.set(playerId, mine);
      return {
        replaced: mine.abort.signal,
        end: () => {
          if (waiting.get(playerId) === mine) waiting.delete(playerId);
        },
      };
    },
  };
}
