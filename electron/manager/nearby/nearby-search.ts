// Searches the network for players and content services as long as a form of the manager is open (V2-762).

import {
  announcedTypes,
  isNearAddress,
  type AnnouncedKind,
} from "../../../server/contract/discovery/announcement.ts";
import {
  listedIn,
  nothingNearby,
  withoutEnded,
  withSighting,
  type Nearby,
  type NearbyList,
} from "../../../server/contract/discovery/nearby-list.ts";
import type { Log } from "../../../server/platform/log.ts";
import type { NetworkOptions } from "../../../server/platform/mdns/announce-service.ts";
import {
  browseServices,
  type Browser,
  type SeenService,
} from "../../../server/platform/mdns/browse-services.ts";

export interface NearbySearch {
  /** Starts the search, and keeps it going for a while. */
  read(kind: AnnouncedKind): {
    readonly found: readonly Nearby[];
    readonly problem: string | null;
  };
  /** Of what was read last. */
  find(kind: AnnouncedKind, id: string): Nearby | null;
  stop(): Promise<void>;
}

export interface NearbySearchOptions {
  readonly log: Log;
  readonly monotonic: () => number;
  /** Where nobody has asked for this long, the search ends. */
  readonly leaseMs?: number | undefined;
  /** Instead of the private networks of this PC. */
  readonly network?: Omit<NetworkOptions, "log">;
}

const defaultLeaseMs = 30_000;

export function createNearbySearch(options: NearbySearchOptions): NearbySearch {
  const { log, monotonic, network, leaseMs = defaultLeaseMs } = options;
  const isNear = network?.isNear ?? isNearAddress;
  let lists = noLists();
  let browser: Browser | null = null;
  let timer: NodeJS.Timeout | undefined;
  let stopping: Promise<unknown> = Promise.resolve();

  function onSeen(seen: SeenService): void {
    for (const [kind, type] of Object.entries(announcedTypes))
      if (type === seen.type) {
        const list = lists[kind as AnnouncedKind];
        const next = withSighting(list, seen, monotonic(), isNear);
        lists = { ...lists, [kind]: next };
      }
  }

  function keepGoing(): void {
    browser ??= browseServices({
      ...{ ...network, log, isNear, onSeen },
      types: Object.values(announcedTypes),
    });
    clearTimeout(timer);
    timer = setTimeout(end, leaseMs).unref();
  }

  function end(): void {
    clearTimeout(timer);
    const ended = browser?.stop();
    browser = null;
    lists = noLists();
    stopping = Promise.all([stopping, ended]);
  }

  return {
    read: (kind) => {
      keepGoing();
      const list = withoutEnded(lists[kind], monotonic());
      lists = { ...lists, [kind]: list };
      return { found: listedIn(list), problem: browser?.problem() ?? null };
    },
    find: (kind, id) => lists[kind].get(id)?.nearby ?? null,
    stop: async () => {
      end();
      await stopping;
    },
  };
}

function noLists(): Readonly<Record<AnnouncedKind, NearbyList>> {
  return { player: nothingNearby, content: nothingNearby };
}
