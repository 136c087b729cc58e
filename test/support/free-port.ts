// A port of loopback that nobody has at the moment, for a program that is told its own.

import { randomInt } from "node:crypto";
import net from "node:net";

/** Below those that a system gives to whoever asks for any: what is free here is not taken by chance a moment later. */
const [first, last] = [20_000, 32_000];

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(first, last);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = net.createServer().once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
