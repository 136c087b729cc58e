// Announces one service of this PC by DNS-SD (RFC 6763) as long as there is something to announce, and takes leave afterwards
// (V2-763, V2-767).

import { randomBytes } from "node:crypto";
import {
  openMulticast,
  type Multicast,
  type MulticastAnswer,
  type MulticastPacket,
  type MulticastOptions,
  type PacketFor,
} from "./multicast.ts";

export interface DnsService {
  /** e.g. `_vitrine-player._tcp` */
  readonly type: string;
  /** 0 where the service can't be reached. */
  readonly port: number;
  readonly values: Readonly<Record<string, string>>;
}

export type NetworkOptions = Omit<MulticastOptions, "onPacket" | "onNetwork">;

export interface AnnounceOptions extends NetworkOptions {
  /** What to announce now; null for nothing. */
  readonly service: () => DnsService | null;
}

export interface Announcer {
  /** What is announced may have changed. */
  update(): void;
  stop(): Promise<void>;
}

const ttlSeconds = 120;
/** The second one reaches those who missed the first (RFC 6762, 8.3). */
const repeatMs = 1_000;
/** However often it is asked for (RFC 6762, 6). */
const responseIntervalMs = 1_000;

export function announceService(options: AnnounceOptions): Announcer {
  // A random name: nobody else has it, so that no conflict has to be resolved, and it reveals nothing about this PC.
  const instance = `vitrine-${randomBytes(6).toString("hex")}`;
  let multicast: Multicast | null = null;
  let announced: DnsService | null = null;
  let closing: Promise<unknown> = Promise.resolve();
  let respondedAt = -Infinity;
  let repeat: NodeJS.Timeout | undefined;
  let isStopped = false;

  function announce(): void {
    send(ttlSeconds);
    clearTimeout(repeat);
    repeat = setTimeout(() => send(ttlSeconds), repeatMs).unref();
  }

  function send(ttl: number): void {
    if (announced === null) return;
    respondedAt = performance.now();
    multicast?.send(recordsOf(announced, instance, ttl));
  }

  function onPacket(packet: MulticastPacket): void {
    if (packet.type !== "query" || announced === null) return;
    if (!isQueried(packet, announced.type, instance)) return;
    // A wait of the same length for those that ask meanwhile: they receive the response of another, since all do.
    if (performance.now() - respondedAt >= responseIntervalMs) send(ttlSeconds);
  }

  function takeLeave(): void {
    clearTimeout(repeat);
    send(0);
    announced = null;
    const left = multicast?.close();
    multicast = null;
    closing = Promise.all([closing, left]);
  }

  function update(): void {
    if (isStopped) return;
    const next = options.service();
    if (next === null) {
      if (announced !== null) takeLeave();
      return;
    }
    if (announced !== null && isSame(next, announced)) return;
    announced = next;
    if (multicast !== null) return announce();
    multicast = openMulticast({ ...options, onPacket, onNetwork: announce });
  }

  update();
  return {
    update,
    stop: async () => {
      isStopped = true;
      if (announced !== null) takeLeave();
      await closing;
    },
  };
}

function recordsOf(
  { type, port, values }: DnsService,
  instance: string,
  ttl: number,
): PacketFor {
  const typeName = `${type}.local`;
  const name = `${instance}.${typeName}`;
  const host = `${instance}.local`;
  const own = { class: "IN", flush: true, ttl } as const;
  // Only the address in the network that it is sent to: no other one is anybody's business there.
  return (address) => {
    const answers: MulticastAnswer[] = [
      { type: "PTR", name: typeName, class: "IN", ttl, data: name },
      { ...own, type: "SRV", name, data: { port, target: host } },
      { ...own, type: "TXT", name, data: textOf(values) },
      { ...own, type: "A", name: host, data: address },
    ];
    return { type: "response", answers };
  };
}

const maxTextBytes = 255;

function textOf(values: DnsService["values"]): Buffer[] {
  return Object.entries(values)
    .map(([key, value]) => Buffer.from(`${key}=${value}`))
    .filter(({ length }) => length <= maxTextBytes);
}

function isQueried(
  packet: MulticastPacket,
  type: string,
  instance: string,
): boolean {
  const typeName = `${type}.local`;
  const names = [typeName, `${instance}.${typeName}`, `${instance}.local`];
  return (packet.questions ?? [])
    .slice(0, 50)
    .some(({ name }) => names.includes(name.toLowerCase()));
}

function isSame(one: DnsService, other: DnsService): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
