// Paths that the set-up reads and writes.

import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export const onWindows = process.platform === "win32";

export function inProject(...parts) {
  return join(root, ...parts);
}

/** Downloads and builds shared by all checkouts of this user. */
export function inCache(...parts) {
  return join(cacheFolder(), ...parts);
}

/** The Node installed with the project; the host's runs only the set-up itself. */
export function projectNode() {
  return inProject(
    "node_modules",
    "node",
    "bin",
    onWindows ? "node.exe" : "node",
  );
}

export function versionOf(packageName) {
  return readJson(inProject("node_modules", packageName, "package.json"))
    ?.version;
}

export function readJson(file) {
  const text = readText(file);
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function readText(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function cacheFolder() {
  if (onWindows)
    return join(
      process.env.LOCALAPPDATA ?? join(homedir(), "AppData", "Local"),
      "vitrine",
      "cache",
    );
  return join(
    process.env.XDG_CACHE_HOME || join(homedir(), ".cache"),
    "vitrine",
  );
}
