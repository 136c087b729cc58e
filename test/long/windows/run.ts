// npm run windows: runs the tests under Node for Windows on Wine, then the servers with an external client; needs no Windows.

import { prepareLab } from "../../../build/wine/lab.ts";
import { openWine } from "../../../build/wine/session.ts";
import { resultsOf } from "./results.ts";
import { uploadToServers } from "./servers.ts";
import { runTests } from "./run-tests.ts";

const filters = process.argv.slice(2);
const folder = process.env.VITRINE_WINE;
if (folder === undefined) {
  console.error("Start it by npm run windows, which prepares the machine.");
  process.exitCode = 2;
} else process.exitCode = await tryWindows(folder);

/** Without file names runs all tests, and the servers too. */
async function tryWindows(folder: string): Promise<number> {
  const lab = await prepareLab(folder, step);
  const wine = await openWine(lab.root);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => {
      // Code that waits for a program in Wine then continues, fails and cleans up.
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
    const { lines, passed, failed, skipped } = resultsOf(
      files,
      filters.length === 0,
    );
    for (const line of lines) console.log(line);
    for (const fault of faults) console.log(`FAILED ${fault}`);
    const allFailed = failed + faults.length;
    console.log(`${passed} passed, ${allFailed} failed, ${skipped} skipped`);
    return allFailed === 0 && passed > 0 ? 0 : 1;
  } finally {
    await wine.close();
  }
}

/** Prints one line for a step that takes long. */
async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
  const from = performance.now();
  const result = await work();
  const seconds = Math.round((performance.now() - from) / 1000);
  console.log(`${title} … done in ${seconds} s`);
  return result;
}
