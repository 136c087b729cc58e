// What this process has done with, collected when it is told to: left alone, it waits until there is much of it.

import v8 from "node:v8";
import vm from "node:vm";

/** Takes a few hundredths of a second, in which nothing else happens here. */
export function createCollector(): () => void {
  v8.setFlagsFromString("--expose-gc");
  return vm.runInNewContext("gc") as () => void;
}
