// Who waits on the link: one connection of each player, and few of those that nobody claimed, since they need no key (L-31).

import { networkOf } from "../../platform/attempts.ts";

export interface Waiter {
  readonly playerId: string;
  readonly address: string;
  readonly isClaimed: boolean;
}

export interface Wait {
  /** Aborted when the same player waits anew. */
  readonly replaced: AbortSignal;
  end(): void;
}

export interface Waits {
  /** Null where there are too many: then it is answered at once. */
  begin(waiter: Waiter): Wait | null;
}

export interface WaitLimits {
  readonly claimed: number;
  readonly unclaimed: number;
  /** A wall of screens behind one address is switched on together. */
  readonly unclaimedOfAddress: number;
}

/** Each holds a connection; a service has a thousand. */
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
