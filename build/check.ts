// All checks before a push: types, lint, import rules, unused code, format, the house rules, the message catalogues and the
// PowerShell scripts.

import { realpathSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Finding, guards } from "./check/checks.ts";
import { sourceFiles } from "./check/sources.ts";

const usage = `check [--only ${Object.keys(guards).join("|")}]… [--root DIR]`;

const { only, root } = readArguments();
const sources = sourceFiles(root);
const waiting = Object.entries(guards).filter(
  ([name]) => only.length === 0 || only.includes(name),
);
const count = waiting.length;
const failures: string[] = [];
const failed: string[] = [];
// Each check keeps a core busy: run as many at a time as there are cores, but at least two.
await Promise.all(
  Array.from({ length: Math.max(2, availableParallelism()) }, runWaiting),
);
for (const failure of failures) console.log(`\n${failure}`);
if (failures.length > 0) {
  process.exitCode = 1;
  // In the same words as the summary of a test run.
  console.log(
    `\nFAILED: ${failed.join(", ")}\n${count - failed.length} passed, ${failed.length} failed, 0 skipped`,
  );
}

async function runWaiting(): Promise<void> {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [name, guard] = next;
    const start = performance.now();
    const complaint = complaintOf(await guard(root, sources).catch(asFinding));
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(
      `${name.padEnd(8)} ${complaint === "" ? "ok    " : "FAILED"} ${seconds.padStart(6)} s`,
    );
    if (complaint === "") continue;
    failures.push(`── ${name} ──\n${complaint}`);
    failed.push(name);
  }
}

function complaintOf({ passed, report, overlooked }: Finding): string {
  const complaints = [];
  if (!passed) complaints.push(report || "It failed without any output.");
  if (sources.length === 0)
    complaints.push("It checked nothing: there is no source file.");
  if (overlooked.length > 0)
    complaints.push(`It did not check:\n${overlooked.join("\n")}`);
  return complaints.join("\n");
}

function asFinding(error: unknown): Finding {
  const report =
    error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { passed: false, report, overlooked: [] };
}

function readArguments() {
  const { values } = parseArgs({
    options: {
      only: { type: "string", multiple: true, default: [] },
      root: { type: "string", default: join(import.meta.dirname, "..") },
    },
  });
  const unknown = values.only.find((name) => !Object.hasOwn(guards, name));
  if (unknown !== undefined) {
    console.error(`There is no check "${unknown}".\n${usage}`);
    process.exit(2);
  }
  return { only: values.only, root: realpathSync(values.root) };
}
