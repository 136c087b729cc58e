// Players that were announced and have not responded yet: what a flood of them costs.

import { describe, expect, it } from "vitest";
import {
  candidateLimits,
  createSiteCandidates,
  type SiteCandidate,
} from "../../../../../server/player/sync/site/site-candidates.ts";
import { presharedKeyAgent } from "../../../../../server/platform/http/preshared-key.ts";
import { afterThisTest } from "../../../../support/after-this-test.ts";
import { flushPromises } from "../../../../support/clock.ts";
import { newSiteKey } from "../../../../support/sync/site-players.ts";

/** Candidates whose responses a test gives. */
function startCandidates() {
  const agent = presharedKeyAgent(newSiteKey(), {
    ...{ idleMs: 1000, localAddress: undefined },
  });
  afterThisTest(() => Promise.resolve(agent.destroy()));
  const queried = new Map<string, (isProven: boolean) => void>();
  const all: string[] = [];
  const proven: string[] = [];
  const candidates = createSiteCandidates({
    ask: ({ id }) => {
      all.push(id);
      return new Promise((resolve) => queried.set(id, resolve));
    },
    onProven: ({ id }) => proven.push(id),
    onError: (error) => {
      throw error;
    },
  });
  return {
    ...{ all, proven },
    add: (id: string, address: string): void => {
      const candidate: SiteCandidate = {
        ...{ id, endpoint: { address, port: 8091, agent } },
      };
      candidates.add(candidate);
    },
    clear: candidates.clear,
    respond: async (id: string, isProven: boolean): Promise<void> => {
      queried.get(id)?.(isProven);
      await flushPromises();
    },
  };
}

const numbers = (count: number): readonly number[] => [...Array(count).keys()];

describe("candidates of a site", () => {
  it("[V2-816] are asked once each, and count once they have responded", async () => {
    const { add, all, proven, respond } = startCandidates();
    for (const id of ["one", "two", "one"]) add(id, id);
    expect(all).toEqual(["one", "two"]);
    await respond("one", true);
    await respond("two", false);
    expect(proven).toEqual(["one"]);
    // It announced itself again.
    add("two", "two");
    expect(all).toEqual(["one", "two", "two"]);
  });

  it("[V2-816] of one address leave turns to others", () => {
    const { add, all } = startCandidates();
    for (const n of numbers(50)) add(`stranger ${n}`, "10.0.0.1");
    expect(all).toHaveLength(candidateLimits.queriedOfOne);
    add("one", "10.0.0.2");
    expect(all.at(-1)).toBe("one");
  });

  it("[V2-816] are asked a few at a time, and those that have waited longest make room for new ones", async () => {
    const { add, all, clear, respond } = startCandidates();
    const { queried, waiting } = candidateLimits;
    for (const n of numbers(queried + waiting + 1)) add(`${n}`, `10.0.0.${n}`);
    expect(all).toHaveLength(queried);
    await respond("0", false);
    // One was forgotten.
    expect(all.at(-1)).toBe(`${queried + 1}`);
    clear();
    await respond("1", false);
    expect(all).toHaveLength(queried + 1);
  });
});
