// The command by which a person starts the player in a terminal, for the site check's advice.

import { win32 } from "node:path";
import type { SiteSystem } from "../../server/contract/site-check.ts";
import { system as ownSystem } from "../system/system.ts";

/**
 * On Windows, where the program is a windowed one, by the script that is installed next to it, wherever that is; quoted as
 * PowerShell accepts every folder name.
 */
export function callOfPlayer(
  system: SiteSystem = ownSystem,
  program: string = process.execPath,
): string {
  if (system !== "windows") return "vitrine";
  const script = win32.join(win32.dirname(program), "vitrine-console.cmd");
  return `& '${script.replaceAll("'", "''")}'`;
}
