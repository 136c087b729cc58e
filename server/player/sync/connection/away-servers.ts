// Which servers of files are away: told by two files in a row that break off, not by one.

import type { CloudTrouble } from "../remote/remote-error.ts";

export interface AwayServers {
  /** A file came from one of these addresses. */
  came(sources: readonly string[]): void;
  /** A file did not come from any of these addresses: nobody answers, or what was sent broke off. */
  failed(md5: string, sources: readonly string[], error: CloudTrouble): void;
  /** Nobody need be asked for a file that lies at these addresses. */
  isAway(sources: readonly string[]): boolean;
  /** What a server said last that is away; null: none is. */
  trouble(): CloudTrouble | null;
  forget(): void;
}

interface Server {
  /** The files that failed since one came. */
  readonly failed: Set<string>;
  error: CloudTrouble;
}

/** One may be at fault itself. */
const fewestFiles = 2;

export function createAwayServers(): AwayServers {
  const servers = new Map<string, Server>();
  const awayAt = (origin: string): Server | null => {
    const server = servers.get(origin);
    return server && server.failed.size >= fewestFiles ? server : null;
  };
  return {
    came: (sources) => {
      for (const origin of originsOf(sources)) servers.delete(origin);
    },
    failed: (md5, sources, error) => {
      for (const origin of originsOf(sources)) {
        const server = servers.get(origin) ?? { failed: new Set(), error };
        server.failed.add(md5);
        server.error = error;
        servers.set(origin, server);
      }
    },
    isAway: (sources) =>
      sources.length > 0 &&
      originsOf(sources).every((origin) => awayAt(origin) !== null),
    trouble: () => {
      for (const origin of servers.keys()) {
        const server = awayAt(origin);
        if (server) return server.error;
      }
      return null;
    },
    forget: () => servers.clear(),
  };
}

function originsOf(sources: readonly string[]): readonly string[] {
  return [...new Set(sources.map((source) => new URL(source).origin))];
}
