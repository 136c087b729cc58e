// How a person calls the player in a terminal, as the site check's advice has it.

import { win32 } from "node:path";
import type { SiteSystem } from "../../server/contract/site.ts";
import { system as ownSystem } from "../system/system.ts";

/**
 * On Windows, where the program is a windowed one, by the script that is installed beside it, wherever that is; quoted
 * as PowerShell takes every name of a folder.
 */
export function callOfPlayer(
  system: SiteSystem = ownSystem,
  program: string = process.execPath,
): string {
  if (system !== "windows") return "vitrine";
  const script = win32.join(win32.dirname(program), "vitrine-console.cmd");
  return `& '${script.replaceAll("'", "''")}'`;
}
