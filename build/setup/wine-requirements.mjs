// What a machine lacks for the tests under Windows' Node, which run on Wine in a Debian of their own.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** Null when nothing is missing. */
export function lacksForWine({
  platform = process.platform,
  arch = process.arch,
  uid = process.getuid?.(),
  hasApt = existsSync("/usr/bin/apt-get"),
  mayEnterNamespaces = () =>
    spawnSync("unshare", ["--mount", "--pid", "--fork", "true"]).status === 0,
} = {}) {
  if (platform !== "linux" || !hasApt)
    return "this system is not Debian, from which it would be made.";
  if (arch !== "x64") return `Windows' Node for x64 does not run on ${arch}.`;
  if (uid !== 0) return "only root may make it; run this as root.";
  if (!mayEnterNamespaces())
    return "this system does not allow separate mounts (unshare), as in some containers.";
  return null;
}
