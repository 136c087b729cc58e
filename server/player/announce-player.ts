// Announces the player to its network: when others can reach its interface, and while it waits to be paired (V2-763).

import {
  announcedTypes,
  isNearAddress,
  playerValues,
} from "../contract/discovery/announcement.ts";
import type { Log } from "../platform/log.ts";
import {
  announceService,
  type Announcer,
  type NetworkOptions,
} from "../platform/mdns/announce-service.ts";

export interface AnnouncePlayerOptions {
  /** Where other devices reach the interface; null where they don't. */
  readonly network: () => {
    readonly port: number;
    readonly isTls: boolean;
  } | null;
  readonly version: string;
  readonly name: () => string;
  /** Whether the screen shows the PIN of a pairing now. */
  readonly isWaiting: () => boolean;
  readonly log: Log;
  /** Instead of the private networks of this PC. */
  readonly networks?: Omit<NetworkOptions, "log">;
}

export function announcePlayer(options: AnnouncePlayerOptions): Announcer {
  const { version, log } = options;
  return announceService({
    ...{ log, isNear: isNearAddress, ...options.networks },
    service: () => {
      const isWaiting = options.isWaiting();
      const reachable = options.network();
      // An operator started the pairing: a service has the player's name and version, and the screen shows the PIN.
      if (!reachable && !isWaiting) return null;
      return {
        type: announcedTypes.player,
        port: reachable?.port ?? 0,
        values: playerValues({
          ...{ name: options.name(), version, isWaiting },
          isTls: reachable?.isTls ?? false,
        }),
      };
    },
  });
}
