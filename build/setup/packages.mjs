// Installs the packages of the lock file, including the project's own Node.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import {
  inProject,
  onWindows,
  projectNode,
  readJson,
  readText,
} from "./paths.mjs";
import { withLock } from "./setup-lock.mjs";
import { SetupStopped, step } from "./progress.mjs";
import { npm, runQuietly } from "./run.mjs";

const stampFile = inProject("node_modules", ".vitrine-packages");

export async function packages() {
  if (isDone()) return;
  await withLock(inProject("dist", ".packages-lock"), async (shareWith) => {
    if (isDone()) return;
    if (!matchesLockFile())
      await step("Installing packages", () => install(shareWith));
    mkdirSync(inProject("node_modules"), { recursive: true });
    writeFileSync(stampFile, stamp());
  });
}

function isDone() {
  return readText(stampFile) === stamp() && existsSync(projectNode());
}

// Excludes the version of the running Node, which is the host's the first time and the project's from then on.
function stamp() {
  const lockFile = readText(inProject("package-lock.json"));
  if (lockFile === undefined)
    throw new SetupStopped(
      "package-lock.json is missing: this is not a whole checkout.",
    );
  return createHash("sha256")
    .update(`${process.platform} ${process.arch}\n${lockFile}`)
    .digest("hex");
}

/** Whether npm has already been run by hand: npm writes its own list of installed packages last. */
function matchesLockFile() {
  if (!existsSync(projectNode())) return false;
  const wanted = readJson(inProject("package-lock.json"))?.packages ?? {};
  const present =
    readJson(inProject("node_modules", ".package-lock.json"))?.packages ?? {};
  return Object.entries(wanted).every(([place, { version, optional }]) => {
    if (place === "" || (optional && !present[place])) return true;
    return present[place]?.version === version;
  });
}

async function install(shareWith) {
  const succeed = async (args) => {
    const [command, commandArgs] = npm([
      ...args,
      "--no-audit",
      "--no-fund",
      "--loglevel=error",
    ]);
    const { ok, output } = await runQuietly(command, commandArgs, {
      onStart: shareWith,
    });
    if (!ok)
      throw new SetupStopped(
        `${output}\nThe packages could not be installed; npm's reasons are above.`,
      );
  };
  // Windows cannot delete a running program, and the Node that runs this may be one of the packages.
  const inPlace =
    onWindows && process.execPath.startsWith(inProject("node_modules"));
  await succeed(
    inPlace
      ? ["install", "--no-save", "--ignore-scripts"]
      : ["ci", "--ignore-scripts"],
  );
  // The only two install scripts needed. npm would also try to compile better-sqlite3, which ships its own binaries.
  await succeed(["rebuild", "node", "esbuild"]);
}
