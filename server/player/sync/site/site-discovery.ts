// Finds the other players of the site by multicast DNS, and is found by them (V2-821).

import {
  nothingNearby,
  withoutEnded,
  withSighting,
} from "../../../contract/discovery/nearby-list.ts";
import {
  readSiteValues,
  siteType,
  siteValues,
} from "../../../contract/discovery/site.ts";
import type { Log } from "../../../platform/log.ts";
import {
  announceService,
  type NetworkOptions,
} from "../../../platform/mdns/announce-service.ts";
import {
  browseServices,
  type SeenService,
} from "../../../platform/mdns/browse-services.ts";

export interface SiteDiscoveryOptions {
  readonly self: string;
  /** Null: nothing can be reached. */
  readonly announced: () => {
    readonly port: number;
    readonly keyIds: readonly string[];
  } | null;
  readonly onFound: (peer: {
    readonly id: string;
    readonly address: string;
    readonly port: number;
    readonly keyIds: readonly string[];
  }) => void;
  readonly onLost: (id: string) => void;
  readonly isNear: (address: string) => boolean;
  readonly network: Omit<NetworkOptions, "log"> | undefined;
  readonly log: Log;
}

export interface SiteDiscovery {
  /** What is announced may have changed. */
  update(): void;
  stop(): Promise<void>;
}

export function findSite(options: SiteDiscoveryOptions): SiteDiscovery {
  const { self, isNear, log } = options;
  const network = { ...options.network, isNear, log };
  /** Identifiers of players by the name of their announcement. */
  const players = new Map<string, string>();
  let list = nothingNearby;

  function onSeen(seen: SeenService): void {
    const now = performance.now();
    const before = withoutEnded(list, now);
    const key = seen.instance.toLowerCase();
    list = withSighting(before, seen, now, isNear);
    for (const [instance, id] of players)
      if (!list.has(instance)) {
        players.delete(instance);
        options.onLost(id);
      }
    const nearby = list.get(key)?.nearby;
    const values = readSiteValues(seen.values);
    if (list === before || !nearby || values === null) return;
    const { address, port, isDirect } = nearby;
    // Only at the address that it came from: nobody can have another one requested.
    if (!isDirect || port === null || values.player === self) return;
    players.set(key, values.player);
    const { player: id, keyIds } = values;
    options.onFound({ id, address, port, keyIds });
  }

  const announcer = announceService({
    ...network,
    service: () => {
      const announced = options.announced();
      return (
        announced && {
          ...{ type: siteType, port: announced.port },
          values: siteValues({ player: self, keyIds: announced.keyIds }),
        }
      );
    },
  });
  const browser = browseServices({ ...network, types: [siteType], onSeen });
  return {
    update: announcer.update,
    stop: async () => {
      await Promise.all([announcer.stop(), browser.stop()]);
    },
  };
}
