// Looks for services of some types in the network by DNS-SD (RFC 6763), and passes on what is announced (V2-762, V2-764).

import type { NetworkOptions } from "./announce-service.ts";
import {
  openMulticast,
  type MulticastAnswer,
  type MulticastPacket,
} from "./multicast.ts";

/** An announcement as it arrived; its text is a stranger's. */
export interface SeenService {
  readonly type: string;
  readonly instance: string;
  readonly port: number;
  readonly values: ReadonlyMap<string, string>;
  readonly addresses: readonly string[];
  /** The address that it came from. */
  readonly from: string;
  /** 0 when the service takes its leave. */
  readonly ttlSeconds: number;
}

export interface BrowseOptions extends NetworkOptions {
  /** e.g. `_vitrine-player._tcp` */
  readonly types: readonly string[];
  readonly onSeen: (seen: SeenService) => void;
}

export interface Browser {
  /** Why nothing can be found, as a sentence; null where the network can be searched. */
  problem(): string | null;
  stop(): Promise<void>;
}

/** Asked a few times at first, since packets are lost, and then so often that what falls silent is noticed. */
const queryAfterMs = [0, 1_000, 3_000];
const queryIntervalMs = 20_000;

export function browseServices(options: BrowseOptions): Browser {
  const { types, onSeen } = options;
  const timers = new Set<NodeJS.Timeout>();
  const multicast = openMulticast({
    ...options,
    onNetwork: () => {
      for (const ms of queryAfterMs) {
        const timer = setTimeout(() => {
          timers.delete(timer);
          query();
        }, ms).unref();
        timers.add(timer);
      }
    },
    onPacket: (packet, from) => {
      for (const seen of seenIn(packet, types, from)) onSeen(seen);
    },
  });
  const interval = setInterval(query, queryIntervalMs).unref();

  function query(): void {
    multicast.send(() => ({
      type: "query",
      questions: types.map((type) => ({ name: `${type}.local`, type: "PTR" })),
    }));
  }

  return {
    problem: multicast.problem,
    stop: async () => {
      clearInterval(interval);
      for (const timer of timers) clearTimeout(timer);
      await multicast.close();
    },
  };
}

/** Of one packet; ours has four records. */
const maxRecords = 60;
const maxServices = 10;
const maxTextRecords = 12;
const maxAddresses = 4;

/** Services that a packet announces as a whole, by SRV and TXT; what comes in pieces is left out. */
function seenIn(
  packet: MulticastPacket,
  types: readonly string[],
  from: string,
): readonly SeenService[] {
  if (packet.type !== "response") return [];
  const records = [
    ...(packet.answers ?? []),
    ...(packet.additionals ?? []),
  ].slice(0, maxRecords);
  const seen = new Map<string, SeenService>();
  for (const record of records) {
    if (record.type !== "SRV" || seen.size >= maxServices) continue;
    const name = record.name.toLowerCase();
    const type = types.find((each) => name.endsWith(`.${each}.local`));
    if (type === undefined) continue;
    const text = records.find(
      (other) => other.type === "TXT" && other.name.toLowerCase() === name,
    );
    if (text?.type !== "TXT") continue;
    const { port, target } = record.data;
    seen.set(name, {
      ...{ type, port, from },
      instance: name.slice(0, -`.${type}.local`.length),
      values: valuesOf(text.data),
      addresses: addressesOf(records, target),
      ttlSeconds: record.ttl ?? 0,
    });
  }
  return [...seen.values()];
}

function addressesOf(
  records: readonly MulticastAnswer[],
  host: string,
): readonly string[] {
  return records
    .flatMap((record) =>
      record.type === "A" &&
      record.name.toLowerCase() === host.toLowerCase() &&
      (record.ttl ?? 0) > 0
        ? [record.data]
        : [],
    )
    .slice(0, maxAddresses);
}

/** The first value of a key counts (RFC 6763, 6.4). */
function valuesOf(data: unknown): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const each of [data].flat().slice(0, maxTextRecords)) {
    const text = Buffer.isBuffer(each) ? each.toString("utf8") : String(each);
    const at = text.indexOf("=");
    const key = text.slice(0, at).toLowerCase();
    if (at > 0 && !values.has(key)) values.set(key, text.slice(at + 1));
  }
  return values;
}
