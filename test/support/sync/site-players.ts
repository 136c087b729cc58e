// Players of one site on this machine: each with an address of its own on the loopback interface, found by real multicast DNS, with
// keys that a test hands out in place of a content service.

import { randomBytes } from "node:crypto";
import {
  connectionDefaults,
  type SiteCounts,
  type SyncConnectionInput,
} from "../../../server/core/sync-plan/sync-state.ts";
import type { PresharedKey } from "../../../server/platform/http/preshared-key.ts";
import type { SiteOptions } from "../../../server/player/sync/sync.ts";
import {
  serveFaultyCloud,
  type CloudAsset,
  type FaultyCloud,
} from "../faulty-service/faulty-service.ts";
import { loopbackNetwork } from "../machine/loopback-network.ts";
import {
  startSync,
  type RunningSync,
  type StartSyncOptions,
} from "./start-sync.ts";

export interface SiteNetwork {
  /** Options of another player in it. */
  next(): SiteOptions & { readonly from: string };
}

/** Ports are free ones: other tests have players at the same addresses. */
export async function siteNetwork(): Promise<SiteNetwork> {
  const { port } = await loopbackNetwork();
  let count = 1;
  return {
    next: () => {
      count += 1;
      const from = `127.0.0.${count}`;
      return {
        // Other tests use the processors, too.
        ...{ from, port: 0, settleMs: 300, timeoutFactor: 5, isOn: () => true },
        onSwitched: () => () => undefined,
        network: {
          ...{ port, addresses: () => [from] },
          isNear: (address) => address.startsWith("127."),
        },
      };
    },
  };
}

/** The content service of a site, with a playlist of these assets. */
export async function startSiteService(
  assets: readonly CloudAsset[],
): Promise<FaultyCloud> {
  const cloud = await serveFaultyCloud();
  cloud.playlists = [{ id: "P1", assets }];
  return cloud;
}

export function newSiteKey(): PresharedKey {
  return {
    id: randomBytes(8).toString("hex"),
    secret: randomBytes(32).toString("hex"),
  };
}

export interface SitePlayer extends RunningSync {
  /** Adds a connection that is not polled yet, with these keys of its team. */
  join(
    input: Partial<SyncConnectionInput>,
    keys: readonly PresharedKey[],
  ): Promise<string>;
  /** Polls, and resolves once it has everything. */
  syncAll(): Promise<void>;
  /** Of the first connection. */
  counts(): SiteCounts | null;
}

export interface SitePlayerOptions extends StartSyncOptions {
  readonly site?: Partial<SiteOptions>;
}

export async function startSitePlayer(
  network: SiteNetwork,
  options: SitePlayerOptions = {},
): Promise<SitePlayer> {
  const running = await startSync({
    ...options,
    sync: { ...options.sync, site: { ...network.next(), ...options.site } },
  });
  const { sync, until } = running;
  return {
    ...running,
    join: async (input, keys) => {
      const { id } = await sync.addConnection(
        {
          ...{ ...connectionDefaults, name: "Cloud", baseUrl: "" },
          ...{ pollSeconds: 3600, ...input, isEnabled: false },
        },
        "token",
      );
      sync.sharing?.setKeys(id, keys);
      return id;
    },
    syncAll: async () => {
      for (const { id } of sync.connections())
        await sync.changeConnection(id, { isEnabled: true });
      await until(({ isInSync }) => isInSync === true);
    },
    counts: () => sync.sharing?.counts(sync.connections()[0]?.id ?? "") ?? null,
  };
}
