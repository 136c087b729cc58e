// Announces the player to its network: when others can reach its interface, and while it waits to be paired (V2-763).

import {
  announcedTypes,
  isNearAddress,
  playerValues,
} from "../contract/discovery/announcement.ts";
import { isLoopback } from "../platform/http/machine-addresses.ts";
import type { Log } from "../platform/log.ts";
import {
  announceService,
  type Announcer,
  type NetworkOptions,
} from "../platform/mdns/announce-service.ts";

export interface AnnouncePlayerOptions {
  /** Where the interface listens. */
  readonly apiAddress: string;
  readonly version: string;
  readonly name: () => string;
  /** Whether the screen shows the PIN of a pairing now. */
  readonly isWaiting: () => boolean;
  readonly log: Log;
  /** Instead of the private networks of this PC. */
  readonly network?: Omit<NetworkOptions, "log">;
}

export function announcePlayer(options: AnnouncePlayerOptions): Announcer {
  const { version, log } = options;
  const { hostname, port, protocol } = new URL(options.apiAddress);
  const isReachable = !isLoopback(hostname.replace(/^\[|\]$/g, ""));
  const isTls = isReachable && protocol === "https:";
  return announceService({
    ...{ log, isNear: isNearAddress, ...options.network },
    service: () => {
      const isWaiting = options.isWaiting();
      // An operator started the pairing: a service has the player's name and version, and the screen shows the PIN.
      if (!isReachable && !isWaiting) return null;
      return {
        type: announcedTypes.player,
        port: isReachable ? Number(port) : 0,
        values: playerValues({
          ...{ name: options.name(), version, isWaiting, isTls },
        }),
      };
    },
  });
}
