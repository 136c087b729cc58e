// What Chromium's sandbox lacks on a system that gives user namespaces to known programs alone.

import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { electronFolder } from "./electron.mjs";
import { readText } from "./places.mjs";
import { SetupStopped } from "./progress.mjs";

const ofThisMachine = {
  restriction: "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
  uid: process.getuid?.(),
};

/**
 * Ubuntu 24.04 and newer know what came with a package. An Electron in somebody's folder did not: there Chromium takes its
 * own helper, once that is root's and runs as root, unless the system was told of that very Electron.
 */
export function sandbox(env, args, { restriction, uid } = ofThisMachine) {
  // Root has no sandbox at all, and is told so at the start; nor has whoever wants none.
  if (uid === undefined || uid === 0 || args.includes("--no-sandbox")) return;
  if (readText(restriction)?.trim() !== "1") return;
  const folder = electronFolder(env);
  const helper = join(folder, "chrome-sandbox");
  const found = statSync(helper, { throwIfNoEntry: false });
  if (!found || (found.uid === 0 && (found.mode & 0o7777) === 0o4755)) return;
  if (hasProfile(join(folder, "electron"))) return;
  throw new SetupStopped(
    `This system lets Electron have its sandbox by a helper of root's alone. Please run this line, then start again:\n  sudo chown root:root "${helper}" && sudo chmod 4755 "${helper}"`,
  );
}

/** Whether AppArmor has a profile for this program: under which one it runs only its own process can tell. */
function hasProfile(electron) {
  const tells = `require("node:fs").readFileSync("/proc/self/attr/apparmor/current", "utf8")`;
  const { stdout } = spawnSync(electron, ["-p", tells], {
    encoding: "utf8",
    env: { ...process.env, ELECTRON_RUN_AS_NODE: "1" },
  });
  return !["", "unconfined"].includes(stdout?.trim() ?? "");
}
