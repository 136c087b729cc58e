// What this program is: its version, what it runs on, where it keeps things, and whose work is in it.

import { readFile } from "node:fs/promises";
import os from "node:os";
import { join } from "node:path";
import { app, shell } from "electron";
import type { Licence } from "../server/contract/ipc-desk.ts";
import type { ManagerCalls } from "./ipc.ts";

export function aboutCalls(
  dataDir: string,
  dist: string,
): Pick<ManagerCalls, "readAbout" | "openFolder"> {
  return {
    readAbout: async () => ({
      version: app.getVersion(),
      electron: process.versions.electron,
      chromium: process.versions.chrome,
      node: process.versions.node,
      system: `${os.type()} ${os.release()}, ${os.arch()}`,
      ...{ dataDir, isPackaged: app.isPackaged, licence: "MIT" },
      licences: await licences(join(dist, "licences.json")),
    }),
    openFolder: async ({ which }) => {
      await shell.openPath(which === "log" ? join(dataDir, "log") : dataDir);
      return null;
    },
  };
}

async function licences(file: string): Promise<readonly Licence[]> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as readonly Licence[];
  } catch {
    return [];
  }
}
