// States of the players that were found: each asked now and then, a few at a time (V2-766).

import type { Nearby } from "../../../server/contract/discovery/nearby-list.ts";
import type { PlayerEndpoint, PlayerState } from "./read-player-state.ts";

export interface PlayerStates {
  /** What is known, without waiting; asks those whose turn it is. */
  of(players: readonly Nearby[]): ReadonlyMap<string, PlayerState>;
}

interface Known {
  readonly endpoint: string;
  readonly requestedAtMs: number;
  readonly state: PlayerState;
}

const maxAtOnce = 4;
const requestAgainMs = 15_000;

const checking: PlayerState = { state: "checking", shown: null };
const notReachable: PlayerState = { state: "private", shown: null };

export function createPlayerStates(options: {
  readonly read: (endpoint: PlayerEndpoint) => Promise<PlayerState>;
  readonly monotonic: () => number;
  readonly onError: (error: unknown) => void;
}): PlayerStates {
  const { read, monotonic } = options;
  let known = new Map<string, Known>();
  let running = 0;

  function requestState(id: string, target: PlayerEndpoint): void {
    const endpoint = nameOf(target);
    const requestedAtMs = monotonic();
    const before = known.get(id);
    const state = before?.endpoint === endpoint ? before.state : checking;
    known.set(id, { endpoint, requestedAtMs, state });
    running += 1;
    read(target)
      .then((answer) => {
        if (known.get(id)?.endpoint === endpoint)
          known.set(id, { endpoint, requestedAtMs, state: answer });
      })
      .catch(options.onError)
      .finally(() => (running -= 1));
  }

  return {
    of: (players) => {
      const ids = new Set(players.map(({ id }) => id));
      known = new Map([...known].filter(([id]) => ids.has(id)));
      const states = new Map<string, PlayerState>();
      for (const { id, address, port, isTls, isDirect } of players) {
        if (port === null) {
          states.set(id, notReachable);
          continue;
        }
        const target = { address, port, isTls };
        const before = known.get(id);
        const isKnown = before?.endpoint === nameOf(target);
        const isDue =
          !isKnown || monotonic() - before.requestedAtMs >= requestAgainMs;
        // An address that somebody else named is not contacted before a person says so.
        if (isDirect && isDue && running < maxAtOnce) requestState(id, target);
        states.set(id, known.get(id)?.state ?? checking);
      }
      return states;
    },
  };
}

function nameOf({ address, port, isTls }: PlayerEndpoint): string {
  return `${isTls ? "https" : "http"}://${address}:${port}`;
}
