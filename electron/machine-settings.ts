// Machine settings: the role of this PC and its display for playback, stored next to the player's data; not part of a backup.

import { readFileSync } from "node:fs";
import * as z from "zod";
import { machineRoles } from "../server/contract/ipc/ipc-machine.ts";
import { replaceFile } from "../server/platform/files/replace-file.ts";

const settings = z.object({
  role: z.enum(machineRoles).default("both"),
  /** Null: the first, or the one given at the start. */
  displayId: z.int().nullable().default(null),
  isFirstRunDone: z.boolean().default(false),
  /** Zoom factor of the manager window; 1 is the original size. */
  managerZoom: z.number().min(0.5).max(2).catch(1).default(1),
});

export type MachineSettings = Readonly<z.infer<typeof settings>>;

export interface Machine {
  settings(): MachineSettings;
  /** Omitted settings stay as they are. */
  change(change: Partial<MachineSettings>): Promise<void>;
}

/** A file that does not exist or cannot be read counts as a new machine with default settings. */
export function createMachine(file: string): Machine {
  let current = read(file);
  // Writes are serialised, each of the complete file.
  let writing: Promise<unknown> = Promise.resolve();
  return {
    settings: () => current,
    change: async (change) => {
      const mine = writing.then(async () => {
        const next = { ...current, ...change };
        await replaceFile(file, `${JSON.stringify(next, null, 2)}\n`);
        current = next;
      });
      // A failed write, as on a full disk, must not stop later ones.
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
