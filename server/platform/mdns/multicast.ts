// Multicast DNS on the private networks of this PC: one socket for each network, opened and closed as networks come and go,
// with a limit on what is read (V2-762, V2-767).
//
// `multicast-dns` is pure JavaScript, reads and writes packets with `dns-packet`, and takes a socket from its caller.
// `bonjour-service` is built on it, but sends on one network only, and its list of services grows without a limit;
// `@homebridge/ciao` announces and doesn't browse.

import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import { isIPv4 } from "node:net";
import os from "node:os";
import multicastDns, {
  type MulticastDNS,
  type QueryOutgoingPacket,
  type QueryPacket,
  type ResponseOutgoingPacket,
  type ResponsePacket,
} from "multicast-dns";
import type { Log } from "../log.ts";
import { systemCode } from "../outside-error.ts";

export type MulticastPacket = QueryPacket | ResponsePacket;
export type MulticastAnswer = ResponseOutgoingPacket["answers"][number];

export interface MulticastOptions {
  readonly log: Log;
  /** `from` is the address of its sender. */
  readonly onPacket: (packet: MulticastPacket, from: string) => void;
  /** A network was added: what is to be known there has to be sent again. */
  readonly onNetwork: () => void;
  /** Whether to send in the network in which this PC has this IPv4 address. */
  readonly isNear: (address: string) => boolean;
  /** Instead of the addresses of this PC. */
  readonly addresses?: (() => readonly string[]) | undefined;
  readonly port?: number | undefined;
  /** Between two checks for networks. */
  readonly checkMs?: number | undefined;
}

/** Records for one network, by the address that this PC has there. */
export type PacketFor = (
  address: string,
) =>
  | ({ readonly type: "query" } & Pick<QueryOutgoingPacket, "questions">)
  | ({ readonly type: "response" } & Pick<ResponseOutgoingPacket, "answers">);

export interface Multicast {
  /** Sends on all networks. Failures are logged once, and otherwise without consequence. */
  send(packetFor: PacketFor): void;
  /** Why nothing can be sent or received, as a sentence; null while there is a network, or none has been tried yet. */
  problem(): string | null;
  /** Resolves when what was sent before has left, and the sockets are closed. */
  close(): Promise<void>;
}

const maxNetworks = 8;
const maxLogged = 50;
const checkIntervalMs = 10_000;
/** Our packets are far smaller. */
const maxPacketBytes = 4_096;
/** What a flood sends beyond that is dropped unread. */
const packetsPerSecond = 200;
/** What could not be sent by then never will. */
const closeMs = 500;

interface Network {
  readonly dns: MulticastDNS;
  isOpen: boolean;
}

export function openMulticast(options: MulticastOptions): Multicast {
  const { log, port } = options;
  const networks = new Map<string, Network>();
  /** A problem is logged when it begins, not each time it is met again. */
  const logged = new Set<string>();
  const pending = new Set<Promise<void>>();
  let lastProblem: string | null = null;
  let isClosed = false;

  /** False for a packet that couldn't be read: anyone can send those. */
  function note(address: string, error: unknown): boolean {
    const code = systemCode(error);
    if (code === undefined || code.startsWith("ERR_")) return false;
    lastProblem = `${code} on ${address}`;
    if (!logged.has(lastProblem) && logged.size < maxLogged) {
      logged.add(lastProblem);
      log.warn("discovery.network-failed", { address, code });
    }
    return true;
  }

  function open(address: string): void {
    const socket = limited(createSocket({ type: "udp4", reuseAddr: true }));
    // Being found is no reason to keep a process running.
    socket.unref();
    const dns = multicastDns({
      ...{ socket, interface: address, bind: "0.0.0.0" },
      ...(port !== undefined && { port }),
    });
    const network: Network = { dns, isOpen: false };
    networks.set(address, network);
    dns.on("warning", (error: Error) => {
      // A network that couldn't be joined is of no use.
      if (note(address, error) && !network.isOpen) drop(address, network);
    });
    // Another program has the port for itself, or the system forbids it: tried again at the next check.
    dns.on("error", (error: Error) => {
      note(address, error);
      drop(address, network);
    });
    dns.on(
      "packet",
      (packet: MulticastPacket, { address: from }: RemoteInfo) => {
        if (!isClosed && network.isOpen) options.onPacket(packet, from);
      },
    );
    dns.on("ready", () => {
      if (isClosed || networks.get(address) !== network) return;
      network.isOpen = true;
      options.onNetwork();
    });
  }

  function drop(address: string, network: Network): void {
    if (networks.get(address) === network) networks.delete(address);
    // Not from within an event of the socket that the library is still handling.
    setImmediate(() => {
      try {
        network.dns.destroy();
      } catch {
        // Its socket was closed already.
      }
    });
  }

  const addressesNow = (): readonly string[] =>
    networkAddresses(options, (error) => note("this PC", error));

  function check(): void {
    const addresses = addressesNow();
    for (const [address, network] of networks)
      if (!addresses.includes(address)) drop(address, network);
    for (const address of addresses)
      if (!networks.has(address))
        try {
          open(address);
        } catch (error) {
          note(address, error);
        }
  }

  function sendOn(
    address: string,
    { dns, isOpen }: Network,
    packetFor: PacketFor,
  ): void {
    if (!isOpen) return;
    const sent = new Promise<void>((resolve, reject) => {
      const done = (error: Error | null): void =>
        error ? reject(error) : resolve();
      const packet = packetFor(address);
      if (packet.type === "query") dns.query(packet.questions, done);
      else dns.respond(packet.answers, done);
    })
      .catch((error: unknown) => {
        note(address, error);
      })
      .finally(() => pending.delete(sent));
    pending.add(sent);
  }

  check();
  const timer = setInterval(check, options.checkMs ?? checkIntervalMs).unref();
  return {
    send: (packetFor) => {
      for (const [address, network] of networks)
        sendOn(address, network, packetFor);
    },
    problem: () => {
      if ([...networks.values()].some(({ isOpen }) => isOpen)) return null;
      if (addressesNow().length === 0)
        return "This PC is not connected to a private network.";
      return (
        lastProblem &&
        `The network could not be searched for players and services (${lastProblem}).`
      );
    },
    close: async () => {
      isClosed = true;
      clearInterval(timer);
      await Promise.race([
        Promise.all(pending),
        new Promise((resolve) => setTimeout(resolve, closeMs).unref()),
      ]);
      for (const [address, network] of networks) drop(address, network);
    },
  };
}

/** Packets are counted and measured before they are read. */
function limited(socket: Socket): Socket {
  const emit = socket.emit.bind(socket) as (
    event: string,
    ...given: unknown[]
  ) => boolean;
  let secondAt = -Infinity;
  let left = 0;
  const isAdmitted = (message: Buffer): boolean => {
    const now = performance.now();
    if (now - secondAt >= 1000) [secondAt, left] = [now, packetsPerSecond];
    left -= 1;
    return left >= 0 && message.length <= maxPacketBytes;
  };
  socket.emit = (event: string, ...given: unknown[]): boolean => {
    if (event === "message" && !isAdmitted(given[0] as Buffer)) return false;
    if (event !== "listening") return emit(event, ...given);
    try {
      return emit(event, ...given);
    } catch (error) {
      // The library sets options of the socket here, and has no handler for a system that refuses one.
      return emit("error", error);
    }
  };
  return socket;
}

/** Addresses that this PC has in its networks; none, and the error, where a sandbox forbids to list them. */
export function networkAddresses(
  { addresses, isNear }: Pick<MulticastOptions, "addresses" | "isNear">,
  onError: (error: unknown) => void,
): readonly string[] {
  try {
    const all = addresses?.() ?? ownAddresses().filter(isNear);
    return all.slice(0, maxNetworks);
  } catch (error) {
    onError(error);
    return [];
  }
}

function ownAddresses(): readonly string[] {
  return Object.values(os.networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .filter(({ internal, address }) => !internal && isIPv4(address))
    .map(({ address }) => address);
}
