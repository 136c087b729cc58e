// Worker thread for simulations: however large one is, the service keeps responding.

import { parentPort } from "node:worker_threads";
import { inOneGo } from "../../core/slices.ts";
import { simulate, type WhatIfInput } from "../../core/what-if/what-if.ts";

parentPort?.on("message", (input: WhatIfInput) => {
  parentPort?.postMessage(inOneGo(simulate(input)));
});
