// Makes the tests' PostgreSQL reachable from Node for Windows, which has no Unix sockets; its port must not be chosen in advance.

import net from "node:net";
import path from "node:path";
import {
  startPostgres,
  type TestPostgres,
} from "../../support/database/postgres.ts";

/** Null if this machine has no PostgreSQL. */
export async function openPostgresOnLoopback(): Promise<TestPostgres | null> {
  const postgres = await startPostgres();
  if (postgres === null) return null;
  const folder = new URL(postgres.url).searchParams.get("host") ?? "";
  const connections = new Set<net.Socket>();
  const relay = net.createServer((client) => {
    const server = net.connect(path.join(folder, ".s.PGSQL.5432"));
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      connections.add(from);
      from.on("error", () => to.destroy());
      from.once("close", () => connections.delete(from));
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) =>
    relay.listen(0, "127.0.0.1", () => resolve()),
  );
  const { port } = relay.address() as net.AddressInfo;
  return {
    url: `postgres://vitrine@127.0.0.1:${port}/postgres`,
    stop: async () => {
      for (const connection of connections) connection.destroy();
      await new Promise((resolve) => relay.close(resolve));
      await postgres.stop();
    },
  };
}
