// Announces the content service to its network when others can reach it (L-57).

import os from "node:os";
import {
  announcedTypes,
  contentValues,
  isNearAddress,
} from "../contract/discovery/announcement.ts";
import { isLoopback } from "../platform/http/machine-addresses.ts";
import type { Log } from "../platform/log.ts";
import {
  announceService,
  type Announcer,
  type NetworkOptions,
} from "../platform/mdns/announce-service.ts";
import { isForThisMachineAlone, type ContentConfig } from "./config.ts";

type AnnouncedConfig = Pick<
  ContentConfig,
  "host" | "tlsCert" | "behindProxy" | "publicUrl" | "noDiscovery"
>;

export interface AnnounceContentOptions extends AnnouncedConfig {
  /** The port it listens on. */
  readonly port: number;
  readonly version: string;
  readonly log: Log;
  /** Instead of the private networks of this PC. */
  readonly network?: Omit<NetworkOptions, "log">;
}

export function announceContent(options: AnnounceContentOptions): Announcer {
  const { port, version, tlsCert, publicUrl = null, log } = options;
  const service = isAnnounced(options)
    ? {
        ...{ type: announcedTypes.content, port },
        values: contentValues({
          ...{ name: os.hostname(), version, publicUrl },
          isTls: tlsCert !== undefined,
        }),
      }
    : null;
  return announceService({
    ...{ log, isNear: isNearAddress, ...options.network },
    service: () => service,
  });
}

/** Behind a proxy, only `publicUrl` tells where clients reach it. */
function isAnnounced(config: AnnouncedConfig): boolean {
  if (config.noDiscovery || isForThisMachineAlone(config)) return false;
  return config.publicUrl !== undefined || !isLoopback(config.host);
}
