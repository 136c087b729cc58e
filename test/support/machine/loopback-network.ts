// A network of this machine alone for multicast DNS: real sockets and packets, on the loopback interface and a port of its own.

import { createSocket } from "node:dgram";
import { afterThisTest } from "../after-this-test.ts";

export interface LoopbackNetwork {
  readonly addresses: () => readonly string[];
  readonly isNear: (address: string) => boolean;
  readonly port: number;
  /** All packets so far. */
  readonly received: readonly Uint8Array[];
  /** Sends these bytes to all of the network. */
  readonly send: (bytes: Uint8Array) => Promise<void>;
}

const group = "224.0.0.251";

/** The socket that holds the port shares it with all others. */
export async function loopbackNetwork(): Promise<LoopbackNetwork> {
  const socket = createSocket({ type: "udp4", reuseAddr: true });
  await new Promise<void>((resolve) => socket.bind(0, "0.0.0.0", resolve));
  socket.setMulticastInterface("127.0.0.1");
  socket.addMembership(group, "127.0.0.1");
  const received: Uint8Array[] = [];
  socket.on("message", (bytes) => received.push(new Uint8Array(bytes)));
  const { port } = socket.address();
  afterThisTest(() => new Promise<void>((done) => socket.close(done)));
  return {
    addresses: () => ["127.0.0.1"],
    isNear: (address) => address === "127.0.0.1",
    ...{ port, received },
    send: (bytes) =>
      new Promise((resolve, reject) => {
        socket.send(bytes, port, group, (error) =>
          error ? reject(error) : resolve(),
        );
      }),
  };
}
