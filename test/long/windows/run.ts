// npm run windows: the tests under Windows' own Node on Wine, then the servers there with a client outside; without Windows.

import { prepareLab } from "../../../build/wine/lab.ts";
import { openWine } from "../../../build/wine/session.ts";
import { resultsOf } from "./results.ts";
import { uploadToServers } from "./servers.ts";
import { runTests } from "./tests.ts";

const filters = process.argv.slice(2);
const folder = process.env.VITRINE_WINE;
if (folder === undefined) {
  console.error("Start it by npm run windows, which prepares the machine.");
  process.exitCode = 2;
} else process.exitCode = await tryWindows(folder);

/** Without names of files all tests, and the servers too. */
async function tryWindows(folder: string): Promise<number> {
  const lab = await prepareLab(folder, step);
  const wine = await openWine(lab.root);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => {
      // What waits for a program in there goes on then, fails, and puts away what it has.
      wine.close().catch((error: unknown) => console.error(error));
    });
  try {
    const { files, problem } = await step("Running the tests", () =>
      runTests(wine, lab, filters),
    );
    const faults = problem === null ? [] : [problem];
    if (filters.length === 0)
      faults.push(
        ...(await step("Asking the servers", () => uploadToServers(wine, lab))),
      );
    const { lines, passed, failed, skipped } = resultsOf(files);
    for (const line of lines) console.log(line);
    for (const fault of faults) console.log(`FAILED ${fault}`);
    const allFailed = failed + faults.length;
    console.log(`${passed} passed, ${allFailed} failed, ${skipped} skipped`);
    return allFailed === 0 && passed > 0 ? 0 : 1;
  } finally {
    await wine.close();
  }
}

/** One line for what takes its time. */
async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
  const from = performance.now();
  const result = await work();
  const seconds = Math.round((performance.now() - from) / 1000);
  console.log(`${title} … done in ${seconds} s`);
  return result;
}
