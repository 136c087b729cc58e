// Players that were announced in this network and have not proved yet that they have a key of this one: each is asked once, a few at a
// time, and counts for nothing until it has responded (V2-816).

import type { SiteEndpoint } from "./site-client.ts";

export interface SiteCandidate {
  readonly id: string;
  readonly endpoint: SiteEndpoint;
}

export interface SiteCandidates {
  /** Asks it as soon as it is its turn, unless it is asked or about to be. */
  add(candidate: SiteCandidate): void;
  /** Forgets those that were not asked yet. */
  clear(): void;
}

export interface SiteCandidatesOptions {
  /** Whether it has responded as the player that it says it is; never rejects. */
  readonly ask: (candidate: SiteCandidate) => Promise<boolean>;
  readonly onProven: (candidate: SiteCandidate) => void;
  readonly onError: (error: unknown) => void;
}

export const candidateLimits = {
  /** Further ones take the place of those that have waited longest. */
  waiting: 64,
  queried: 8,
  /** Of one address, so that one PC never takes all turns. */
  queriedOfOne: 2,
} as const;

export function createSiteCandidates({
  ask,
  onProven,
  onError,
}: SiteCandidatesOptions): SiteCandidates {
  const waiting = new Map<string, SiteCandidate>();
  const queried = new Map<string, SiteCandidate>();

  function queryNext(): void {
    for (const [key, candidate] of waiting) {
      if (queried.size >= candidateLimits.queried) return;
      const { address } = candidate.endpoint;
      const ofOne = [...queried.values()].filter(
        ({ endpoint }) => endpoint.address === address,
      );
      if (ofOne.length >= candidateLimits.queriedOfOne) continue;
      waiting.delete(key);
      queried.set(key, candidate);
      ask(candidate)
        .then((isProven) => {
          queried.delete(key);
          if (isProven) onProven(candidate);
          queryNext();
        })
        .catch(onError);
    }
  }

  return {
    add: (candidate) => {
      const key = keyOf(candidate);
      if (queried.has(key)) return;
      waiting.delete(key);
      waiting.set(key, candidate);
      const [oldest] = waiting.keys();
      if (waiting.size > candidateLimits.waiting && oldest !== undefined)
        waiting.delete(oldest);
      queryNext();
    },
    clear: () => waiting.clear(),
  };
}

function keyOf({ id, endpoint: { address, port } }: SiteCandidate): string {
  return `${id} ${address} ${port}`;
}
