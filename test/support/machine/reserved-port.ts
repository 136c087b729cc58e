// A loopback port for a program that is given its number: reserved, so that the system gives it to no other process.

import { once } from "node:events";
import net from "node:net";
import { afterThisTest } from "../after-this-test.ts";

/**
 * The local end of a connection between two sockets of this process. The system never gives a bound port to a process that asks
 * for any port, yet a program that asks for this very number may listen on it, again and again, until the test ends. Windows
 * allows no listener where a connection has its end: there the port is free, and was the last one given out.
 */
export async function holdPort(): Promise<number> {
  const server = net
    .createServer((socket) => {
      socket.on("error", () => undefined).unref();
    })
    .unref();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as net.AddressInfo;
  if (process.platform === "win32") return givenBack(server, port);
  // With a local address it is bound before it connects, as reusable.
  const holder = net.connect({
    ...{ host: "127.0.0.1", port, localAddress: "127.0.0.1" },
  });
  await once(holder, "connect");
  holder.on("error", () => undefined);
  holder.unref();
  const held = holder.localPort ?? 0;
  afterThisTest(async () => {
    holder.destroy();
    server.close();
  });
  return held;
}

async function givenBack(server: net.Server, port: number): Promise<number> {
  server.close();
  await once(server, "close");
  return port;
}
