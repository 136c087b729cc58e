// A proxy on loopback that delays every byte by a fixed time, in each direction: simulates a distant server.

import { connect, createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";

const [target = "0", delay = "0"] = process.argv.slice(2);
/** Half of it in each direction. */
const halfMs = Number(delay) / 2;

/** In order, regardless of timer precision. */
function passOn(from: Socket, to: Socket): void {
  const waiting: { readonly dueAt: number; readonly chunk: Buffer | null }[] =
    [];
  let isPlanned = false;
  const pass = (): void => {
    isPlanned = false;
    const now = performance.now();
    while (waiting[0] && waiting[0].dueAt <= now + 0.5) {
      const chunk = waiting.shift()?.chunk ?? null;
      if (chunk) to.write(chunk);
      else to.end();
    }
    plan();
  };
  const plan = (): void => {
    if (isPlanned || !waiting[0]) return;
    isPlanned = true;
    setTimeout(pass, Math.max(0, waiting[0].dueAt - performance.now()));
  };
  const hold = (chunk: Buffer | null): void => {
    waiting.push({ dueAt: performance.now() + halfMs, chunk });
    plan();
  };
  from.on("data", hold).on("end", () => hold(null));
  from.on("error", () => to.destroy());
}

const server = createServer((near) => {
  const far = connect(Number(target), "127.0.0.1");
  near.setNoDelay();
  far.setNoDelay();
  passOn(near, far);
  passOn(far, near);
});
server.listen(0, "127.0.0.1", () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
