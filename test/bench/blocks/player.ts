// The player in a process that measures how long its own main thread was blocked; on a message it reports this and starts again.

import { monitorEventLoopDelay } from "node:perf_hooks";

const resolutionMs = 1;
const delay = monitorEventLoopDelay({ resolution: resolutionMs });
delay.enable();
process.on("message", () => {
  const longestMs = Math.max(0, delay.max / 1e6 - resolutionMs);
  delay.reset();
  process.send?.({ longestMs });
});
await import("../../../server/player/main.ts");
