// Programs in the network of a site that announce themselves as its players do, with the name of a key that they don't have.

import { randomBytes } from "node:crypto";
import { createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import {
  siteType,
  siteValues,
} from "../../../server/contract/discovery/site.ts";
import { createLog } from "../../../server/platform/log.ts";
import { openMulticast } from "../../../server/platform/mdns/multicast.ts";
import { afterThisTest } from "../after-this-test.ts";
import type { SiteNetwork } from "./site-players.ts";

export interface SiteStrangers {
  /** Announces players at their one address, where nothing ever responds. */
  announce(players: readonly string[]): void;
  /** How often something connected to them. */
  connections(): number;
}

export async function startSiteStrangers(
  network: SiteNetwork,
  keyId: string,
): Promise<SiteStrangers> {
  const { from, network: options } = network.next();
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    sockets.push(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, from, resolve));
  const { port } = server.address() as AddressInfo;
  let onNetwork = (): void => undefined;
  const isOpen = new Promise<void>((resolve) => (onNetwork = resolve));
  const multicast = openMulticast({
    ...{ isNear: () => true, ...options },
    log: createLog({ toStandardOutput: false }),
    ...{ onPacket: () => undefined, onNetwork },
  });
  await isOpen;
  afterThisTest(async () => {
    await multicast.close();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    announce: (players) => {
      for (const player of players) {
        const instance = `vitrine-${randomBytes(6).toString("hex")}`;
        const name = `${instance}.${siteType}.local`;
        const data = Object.entries(
          siteValues({ player, keyIds: [keyId] }),
        ).map(([key, value]) => Buffer.from(`${key}=${value}`));
        const target = `${instance}.local`;
        multicast.send((address) => ({
          type: "response",
          answers: [
            { type: "PTR", name: `${siteType}.local`, ttl: 120, data: name },
            { type: "SRV", name, ttl: 120, data: { port, target } },
            { type: "TXT", name, ttl: 120, data },
            { type: "A", name: target, ttl: 120, data: address },
          ],
        }));
      }
    },
    connections: () => sockets.length,
  };
}

export function newPlayerId(): string {
  return randomBytes(8).toString("hex");
}
