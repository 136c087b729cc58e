// What the desk saves to a file, and where: the operator is asked by the system's own dialog.

import { writeFile } from "node:fs/promises";
import type { ManagerCalls } from "../ipc.ts";

/** Null where the operator chose none. */
export type AskForPlace = (suggestedName: string) => Promise<string | null>;

export function savingCalls(
  askForPlace: AskForPlace,
): Pick<ManagerCalls, "saveText"> {
  return {
    saveText: async ({ suggestedName, text }) => {
      const path = await askForPlace(suggestedName);
      if (path === null) return null;
      await writeFile(path, text);
      return { path };
    },
  };
}
