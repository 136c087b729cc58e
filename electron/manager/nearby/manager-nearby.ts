// Calls of the manager about players and content services in the network of this PC.

import { lookup } from "node:dns/promises";
import { BlockList, isIPv4 } from "node:net";
import { connectionSentences } from "../../../server/contract/sentences/connection-sentences.ts";
import { composeSentence } from "../../../server/contract/sentence-templates.ts";
import { isNearAddress } from "../../../server/contract/discovery/announcement.ts";
import type { Nearby } from "../../../server/contract/discovery/nearby-list.ts";
import type { NearbyAnswers } from "../../../server/contract/ipc/ipc-nearby.ts";
import { Failure } from "../../../server/contract/ipc/ipc.ts";
import type { Log } from "../../../server/platform/log.ts";
import type { ManagerCalls } from "../../ipc.ts";
import { createNearbySearch } from "./nearby-search.ts";
import { createPlayerStates } from "./player-states.ts";
import { readPlayerState } from "./read-player-state.ts";

export interface NearbyCallsOptions {
  readonly isOff: boolean;
  readonly log: Log;
  /** Addresses that a name leads to. */
  readonly resolve?: (name: string) => Promise<readonly string[]>;
  readonly search?: ReturnType<typeof createNearbySearch>;
}

const switchedOff = { items: [], isOff: true, problem: null } as const;

export function nearbyCalls(
  options: NearbyCallsOptions,
): Pick<ManagerCalls, keyof NearbyAnswers> {
  const { isOff, log, resolve = resolveName } = options;
  const monotonic = (): number => performance.now();
  const search = options.search ?? createNearbySearch({ log, monotonic });
  const states = createPlayerStates({
    ...{ read: readPlayerState, monotonic },
    onError: (error) => log.error("app.internal-error", { error }),
  });
  return {
    listNearbyPlayers: () => {
      if (isOff) return switchedOff;
      const { found, problem } = search.read("player");
      const known = states.of(found);
      const items = found.map(({ id, name, version, address, isWaiting }) => {
        const { state = "checking", shown = null } = known.get(id) ?? {};
        return { id, name, version, address, isWaiting, state, shown };
      });
      return { items, isOff, problem };
    },
    listNearbyServices: () => {
      if (isOff) return switchedOff;
      const { found, problem } = search.read("content");
      const items = found.flatMap((nearby) => {
        const { id, name, version } = nearby;
        const address = addressOf(nearby);
        return address === null ? [] : [{ id, name, version, address }];
      });
      return { items, isOff, problem };
    },
    pickNearbyService: async ({ id }) => {
      const nearby = isOff ? null : search.find("content", id);
      const address = nearby && addressOf(nearby);
      if (address === null)
        throw new Failure("not-found", connectionSentences["nearby-gone"]);
      await assertNear(new URL(address).hostname, resolve);
      return { address };
    },
  };
}

function addressOf({ publicUrl, isTls, address, port }: Nearby): string | null {
  if (publicUrl !== null) return publicUrl;
  if (port === null) return null;
  return `${isTls ? "https" : "http"}://${address}:${port}`;
}

/** Certificates are for names, so that services announce some; a stranger could name any host of the internet. */
async function assertNear(
  host: string,
  resolve: (name: string) => Promise<readonly string[]>,
): Promise<void> {
  if (isIPv4(host)) return;
  const addresses = await resolve(host);
  if (addresses.length === 0)
    throw new Failure(
      "unavailable",
      composeSentence(connectionSentences["nearby-no-name"], { host }),
    );
  if (!addresses.every(isNear))
    throw new Failure(
      "forbidden",
      composeSentence(connectionSentences["nearby-public"], { host }),
    );
}

const nearV6 = new BlockList();
nearV6.addSubnet("fc00::", 7, "ipv6");
nearV6.addSubnet("fe80::", 10, "ipv6");

function isNear(address: string): boolean {
  return isIPv4(address)
    ? isNearAddress(address)
    : nearV6.check(address.replace(/%.*/s, ""), "ipv6");
}

const resolveMs = 3_000;

async function resolveName(name: string): Promise<readonly string[]> {
  const resolving = lookup(name, { all: true })
    .then((found) => found.map(({ address }) => address))
    .catch(() => []);
  return Promise.race([
    resolving,
    new Promise<readonly string[]>((resolve) =>
      setTimeout(() => resolve([]), resolveMs).unref(),
    ),
  ]);
}
