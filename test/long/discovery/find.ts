// Prints what the manager would list of players, each time that changes.

import { createNearbySearch } from "../../../electron/manager/nearby/nearby-search.ts";
import { createLog } from "../../../server/platform/log.ts";

const search = createNearbySearch({
  log: createLog({ toStandardOutput: false }),
  monotonic: () => performance.now(),
});
let last = "";
setInterval(() => {
  const { found, problem } = search.read("player");
  const names = found.map(({ name, address }) => `${name} ${address}`);
  const line = JSON.stringify({ names, problem });
  if (line !== last) console.log(line);
  last = line;
}, 100);
