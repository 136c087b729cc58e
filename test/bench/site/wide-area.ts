// The line between a site and its content service, as a process of its own: passes bytes on at a limited rate, and counts them.

import { connect, createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";

const [target = "0", rate = "0"] = process.argv.slice(2);
const bytesPerMs = Number(rate) / 1000;
let bytes = 0;
/** When everything so far has passed at an even rate. */
let dueAt = 0;

/** Towards the site: all connections share the rate. */
function passOn(from: Socket, to: Socket): void {
  from.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    const now = performance.now();
    dueAt = Math.max(dueAt, now) + chunk.length / bytesPerMs;
    from.pause();
    setTimeout(() => {
      if (!to.writable) return;
      if (to.write(chunk)) from.resume();
      else to.once("drain", () => from.resume());
    }, dueAt - now);
  });
}

const server = createServer((near) => {
  const far = connect(Number(target), "127.0.0.1");
  near.setNoDelay();
  far.setNoDelay();
  near.pipe(far);
  passOn(far, near);
  far.on("end", () => near.end());
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const)
    one.on("error", () => other.destroy()).on("close", () => other.destroy());
});
server.listen(0, "127.0.0.1", () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on("message", () => process.send?.({ bytes }));
process.on("disconnect", () => process.exit());
