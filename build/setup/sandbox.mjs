// Detects what Chromium's sandbox lacks on a system that allows user namespaces to known programs only, or to none.

import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { electronFolder } from "./electron.mjs";
import { readText } from "./paths.mjs";
import { SetupStopped } from "./progress.mjs";

const ofThisMachine = {
  restriction: "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
  uid: process.getuid?.(),
  hasNamespaces,
};

/**
 * Ubuntu 24.04 and newer know programs installed from packages. They do not know an Electron in a user's folder: there
 * Chromium uses its setuid helper, if root owns it and its setuid bit is set, unless AppArmor has a profile for that
 * very Electron. Hardened systems and some containers allow user namespaces to no program; the helper is then the only way.
 */
export function sandbox(
  env,
  args,
  { restriction, uid, hasNamespaces } = ofThisMachine,
) {
  // Root has no sandbox at all, and the start reports it; nor has anybody who disables it.
  if (uid === undefined || uid === 0 || args.includes("--no-sandbox")) return;
  const isRestricted = readText(restriction)?.trim() === "1";
  if (!isRestricted && hasNamespaces()) return;
  const folder = electronFolder(env);
  const helper = join(folder, "chrome-sandbox");
  const helperStat = statSync(helper, { throwIfNoEntry: false });
  if (
    !helperStat ||
    (helperStat.uid === 0 && (helperStat.mode & 0o7777) === 0o4755)
  )
    return;
  if (isRestricted && hasProfile(join(folder, "electron"))) return;
  throw new SetupStopped(
    `Electron needs a helper owned by root for its sandbox on this system. Run this, then start again:\n  sudo chown root:root "${helper}" && sudo chmod 4755 "${helper}"`,
  );
}

/** True also where this cannot be found out. */
function hasNamespaces() {
  if (process.platform !== "linux") return true;
  const { error, status } = spawnSync("unshare", ["--user", "true"]);
  return error !== undefined || status === 0;
}

/** Whether AppArmor has a profile for this program: only its own process can tell under which one it runs. */
function hasProfile(electron) {
  const tells = `require("node:fs").readFileSync("/proc/self/attr/apparmor/current", "utf8")`;
  const { stdout } = spawnSync(electron, ["-p", tells], {
    encoding: "utf8",
    env: { ...process.env, ELECTRON_RUN_AS_NODE: "1" },
  });
  return !["", "unconfined"].includes(stdout?.trim() ?? "");
}
