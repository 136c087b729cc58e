// A proxy of bare connections to a server that may end and start again elsewhere: it holds what clients send after some bytes, and cuts
// every connection, as a network does.

import { createServer, connect, type AddressInfo, type Socket } from "node:net";
import { afterThisTest } from "../after-this-test.ts";

export interface HeldPath {
  /** e.g. `http://127.0.0.1:40123` */
  readonly address: string;
  /** From now on to this address; null: nothing is there. */
  lead(to: string | null): void;
  /** Bytes of clients that went through. */
  sentBytes(): number;
  /** Once so many more bytes went through, clients' bytes stand still until `release`. */
  holdAfter(bytes: number): void;
  isHeld(): boolean;
  release(): void;
  cut(): void;
}

export async function openHeldPath(to: string): Promise<HeldPath> {
  let target: string | null = to;
  let sentBytes = 0;
  let limit = Infinity;
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    client.on("error", () => client.destroy());
    if (target === null) {
      client.destroy();
      return;
    }
    const { hostname, port } = new URL(target);
    const onward = connect(Number(port), hostname);
    clients.add(client);
    const end = (): void => {
      clients.delete(client);
      client.destroy();
      onward.destroy();
    };
    onward.on("error", end).on("close", end);
    client.on("close", end);
    client.on("data", (bytes) => {
      sentBytes += bytes.length;
      if (!onward.write(bytes)) client.pause();
      if (sentBytes >= limit) client.pause();
    });
    onward.on("drain", () => {
      if (sentBytes < limit) client.resume();
    });
    onward.pipe(client);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const cut = (): void => {
    for (const client of clients) client.destroy();
  };
  afterThisTest(async () => {
    cut();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    cut,
    lead: (next) => {
      target = next;
    },
    sentBytes: () => sentBytes,
    holdAfter: (bytes) => {
      limit = sentBytes + bytes;
    },
    isHeld: () => sentBytes >= limit,
    release: () => {
      limit = Infinity;
      for (const client of clients) client.resume();
    },
  };
}
