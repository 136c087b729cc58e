// Facts that a player reports about itself to its service: names, versions, addresses and load.

import os from "node:os";
import type { LinkFacts } from "../../../contract/link/link.ts";

export interface PlayerIdentity {
  readonly name: string;
  readonly version: string;
  /** How the run before this one ended; null if unknown, and for the first (L-51). */
  readonly lastRunEnd: NonNullable<LinkFacts["last_run_end"]> | null;
}

const maxLength = 200;

export function linkFactsOf(player: PlayerIdentity): LinkFacts {
  const { name, version, lastRunEnd } = player;
  const [connection = null] = connections();
  return {
    name: name.slice(0, maxLength),
    software_version: `Vitrine ${version}`.slice(0, maxLength),
    hardware_version: (os.cpus()[0]?.model.trim() ?? os.machine()).slice(
      0,
      maxLength,
    ),
    local_ip: connection?.address ?? null,
    mac: connection?.mac ?? null,
    interface: connection?.name.slice(0, maxLength) ?? null,
    uptime: Math.floor(process.uptime()),
    machine_uptime: Math.floor(os.uptime()),
    ...(lastRunEnd && { last_run_end: lastRunEnd }),
    load_avg: os
      .loadavg()
      .map((load) => load.toFixed(2))
      .join(" "),
  };
}

/** IPv4 before IPv6: people know their machines by it. */
function connections(): readonly {
  readonly name: string;
  readonly address: string;
  readonly mac: string;
}[] {
  return Object.entries(os.networkInterfaces())
    .flatMap(([name, all = []]) => all.map((one) => ({ ...one, name })))
    .filter(({ internal }) => !internal)
    .sort((a, b) => (a.family < b.family ? -1 : a.family > b.family ? 1 : 0));
}
