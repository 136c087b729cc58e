// Entry of the command line vitrine-cli.

import { packageVersion } from "../platform/process/package-version.ts";
import { processEnvironment } from "./config.ts";
import { run } from "./run.ts";

// Its reader has seen enough, as with `| head`.
process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
  process.exit(code === "EPIPE" ? 0 : 1);
});

run(process.argv.slice(2), {
  env: processEnvironment,
  now: Date.now,
  version: packageVersion,
  print: (text) => process.stdout.write(`${text}\n`),
  printError: (text) => process.stderr.write(`${text}\n`),
}).then(
  // Set, not ended with: what was printed is still being written.
  (code) => (process.exitCode = code),
  (error: unknown) => {
    process.stderr.write(`${String((error as Error).stack)}\n`);
    process.exitCode = 1;
  },
);
