// Saves files from the manager: the operator chooses the place in the system's own dialog.

import { writeFile } from "node:fs/promises";
import type { ManagerCalls } from "../ipc.ts";

/** Null where the operator chose none. */
export type ChooseSavePath = (suggestedName: string) => Promise<string | null>;

export function savingCalls(
  chooseSavePath: ChooseSavePath,
  collectLogs: () => Promise<Uint8Array>,
): Pick<ManagerCalls, "saveText" | "saveLogs"> {
  return {
    saveLogs: async ({ suggestedName }) => {
      const path = await chooseSavePath(suggestedName);
      if (path === null) return null;
      await writeFile(path, await collectLogs());
      return { path };
    },
    saveText: async ({ suggestedName, text }) => {
      const path = await chooseSavePath(suggestedName);
      if (path === null) return null;
      await writeFile(path, text);
      return { path };
    },
  };
}
