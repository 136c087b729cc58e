// Finds the other players of the site by multicast DNS, and is found by them (V2-821).

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
  /** Anyone may have sent it. */
  readonly onAnnounced: (peer: {
    readonly id: string;
    readonly address: string;
    readonly port: number;
    readonly keyIds: readonly string[];
  }) => void;
  readonly onLeft: (id: string, address: string) => void;
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

  function onSeen({ from, port, ttlSeconds, ...seen }: SeenService): void {
    const values = readSiteValues(seen.values);
    if (values === null || values.player === self || !isNear(from)) return;
    const { player: id, keyIds } = values;
    if (ttlSeconds <= 0) return options.onLeft(id, from);
    // Only at the address that it came from: nobody can have another one requested.
    const isDirect =
      seen.addresses.length === 0 || seen.addresses.includes(from);
    if (isDirect && port >= 1 && port <= 65_535)
      options.onAnnounced({ id, address: from, port, keyIds });
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
