// npm run windows: runs the tests under Node for Windows on Wine, then the servers with an external client; needs no Windows.

import { prepareLab } from "../../../build/wine/test-environment.ts";
import { openWine } from "../../../build/wine/session.ts";
import { tryInstaller, type InstallerResults } from "./installer.ts";
import { resultsOf } from "./results.ts";
import { uploadToServers } from "./servers.ts";
import { runTests } from "./run-tests.ts";

/** Exit code on a machine that lacks something, as of the set-up. */
const cannotRunHere = 3;

const filters = process.argv.slice(2);
const folder = process.env.VITRINE_WINE;
if (folder === undefined) {
  console.error("Start it by npm run windows, which prepares the machine.");
  process.exitCode = 2;
} else
  process.exitCode = await (filters.join() === "installer"
    ? tryInstallerAlone(folder)
    : tryWindows(folder));

async function tryInstallerAlone(folder: string): Promise<number> {
  const { passed, faults, skipped } = await installerResults(folder);
  for (const fault of faults) console.log(`FAILED ${fault}`);
  if (skipped !== null) console.log(`SKIPPED the installer: it ${skipped}`);
  const count = `${passed} passed, ${faults.length} failed`;
  console.log(`${count}, ${skipped === null ? 0 : 1} skipped`);
  if (skipped !== null) return cannotRunHere;
  return faults.length === 0 && passed > 0 ? 0 : 1;
}

function installerResults(folder: string): Promise<InstallerResults> {
  return tryInstaller(folder, step).catch((error: unknown) => ({
    ...{ passed: 0, skipped: null },
    faults: [`the installer: ${String(error)}`],
  }));
}

/** Without file names runs all tests, the servers and the installer. */
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
    const installer =
      filters.length === 0 ? await installerResults(folder) : null;
    faults.push(...(installer?.faults ?? []));
    const { lines, ...count } = resultsOf(files, filters.length === 0);
    for (const line of lines) console.log(line);
    for (const fault of faults) console.log(`FAILED ${fault}`);
    const lacks = installer?.skipped ?? null;
    if (lacks !== null) console.log(`SKIPPED 1 of the installer: it ${lacks}`);
    const passed = count.passed + (installer?.passed ?? 0);
    const failed = count.failed + faults.length;
    const skipped = count.skipped + (lacks === null ? 0 : 1);
    console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
    return failed === 0 && passed > 0 ? 0 : 1;
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
