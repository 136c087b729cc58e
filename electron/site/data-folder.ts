// What the site check finds out about the data folder: whether other users of the machine may read what is in it.

import { othersWhoMayRead } from "../../server/platform/private-folder.ts";
import type { Look } from "./look.ts";
import { system } from "./system.ts";

export async function lookAtDataFolder(dataDir: string): Promise<Look> {
  const others = await othersWhoMayRead(dataDir);
  if (others.length === 0)
    return {
      ...{ verdict: "good", fact: { code: "folder-own" }, advice: null },
      found: "Nobody else may read the data folder.",
    };
  return {
    verdict: "advice",
    fact: { code: "folder-open", dataDir, others, system },
    found: `Others may read ${dataDir} and the secrets in it: ${others.join(", ")}.`,
    advice:
      system === "windows"
        ? `In a terminal, as the player's user: icacls "${dataDir}" /inheritance:r /grant:r "*S-1-3-4:(OI)(CI)F" "*S-1-5-18:(OI)(CI)F" "*S-1-5-32-544:(OI)(CI)F"`
        : "Give the player a folder of its own (--data-dir).",
  };
}
