// Loaded into a measured process before its own program: reports its memory on request, once what is no longer needed was collected,
// and ends the process with its parent.

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

export interface MemoryReport {
  /** As the system counts it, before anything was collected. */
  readonly rssKib: number;
  /** JavaScript objects and buffers that are needed. */
  readonly liveKib: number;
}

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

process.on("message", () => {
  const rssKib = process.memoryUsage.rss() / 1024;
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  const report: MemoryReport = {
    ...{ rssKib, liveKib: (heapUsed + external) / 1024 },
  };
  process.send?.(report);
});
process.on("disconnect", () => process.exit());
// The channel keeps nothing running.
process.channel?.unref();
