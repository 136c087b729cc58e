// What this machine is for and on which display its glass is, kept beside the player's data: no part of a backup.

import { readFileSync } from "node:fs";
import * as z from "zod";
import { machineRoles } from "../server/contract/ipc/ipc-machine.ts";
import { replaceFile } from "../server/platform/files/replace-file.ts";

const settings = z.object({
  role: z.enum(machineRoles).default("both"),
  /** Null: the first, or the one it was told at its start. */
  displayId: z.int().nullable().default(null),
  isFirstRunDone: z.boolean().default(false),
  /** How large the manager's window is drawn; 1 is as it is made. */
  managerZoom: z.number().min(0.5).max(2).catch(1).default(1),
});

export type MachineSettings = Readonly<z.infer<typeof settings>>;

export interface Machine {
  settings(): MachineSettings;
  /** What is not named stays. */
  change(change: Partial<MachineSettings>): Promise<void>;
}

/** A file that is not there or cannot be read is a machine nobody has told anything yet. */
export function createMachine(file: string): Machine {
  let current = read(file);
  // One write after the other, each whole.
  let writing: Promise<unknown> = Promise.resolve();
  return {
    settings: () => current,
    change: async (change) => {
      const mine = writing.then(async () => {
        const next = { ...current, ...change };
        await replaceFile(file, `${JSON.stringify(next, null, 2)}\n`);
        current = next;
      });
      // A disk that was full for a moment is no reason to write nothing any more.
      writing = mine.catch(() => undefined);
      await mine;
    },
  };
}

function read(file: string): MachineSettings {
  try {
    return settings.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return settings.parse({});
  }
}
