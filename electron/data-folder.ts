// Where the player stores its data by default.

import { homedir } from "node:os";
import { isAbsolute, join, win32 } from "node:path";
import type { Environment } from "../server/platform/process/start-flags.ts";

/** The per-user folder of the system, so that an update or a start from elsewhere never loses the data. */
export function defaultDataDir(
  env: Environment,
  platform: NodeJS.Platform,
): string {
  // The local one: a domain copies the roaming profile to a server at each logoff.
  if (platform === "win32")
    return win32.join(
      env.LOCALAPPDATA || win32.join(homedir(), "AppData", "Local"),
      "Vitrine",
    );
  if (platform === "darwin")
    return join(homedir(), "Library", "Application Support", "Vitrine");
  const given = env.XDG_CONFIG_HOME;
  return join(
    given && isAbsolute(given) ? given : join(homedir(), ".config"),
    "vitrine",
  );
}
