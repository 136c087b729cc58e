// Kiosk settings, saved next to the store as well: where the store cannot be opened, the screen stays locked all the same
// (V2-362).

import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { settingFields } from "../../server/contract/v2/v2-settings.ts";
import type { Player } from "../../server/player/player.ts";
import { replaceFileSync } from "../../server/platform/files/replace-file.ts";

export type KioskSettings = Pick<
  ReturnType<Player["settings"]>,
  "profile" | "exitHotkey" | "startWithMachine"
>;

/** What a kiosk needs of a player. */
export interface KioskPlayer extends Pick<Player, "reportFault"> {
  settings(): KioskSettings;
  onSettings(listener: (settings: KioskSettings) => void): () => void;
}

const { profile, exitHotkey } = settingFields;

const schema = z.object({
  profile: z.enum(["desk", "unattended"]).default(profile.byDefault),
  exitHotkey: z.string().default(exitHotkey.byDefault),
});
type Kept = z.infer<typeof schema>;

const fileName = "kiosk.json";

export function rememberKiosk(dataDir: string, settings: KioskSettings): void {
  const text = JSON.stringify(schema.parse(settings));
  if (text === JSON.stringify(recall(dataDir))) return;
  const file = join(dataDir, fileName);
  try {
    replaceFileSync(file, text);
  } catch {
    // On a disk that rejects writes the previous settings remain.
  }
}

/** The settings as last read from the store. */
export function kioskWithoutStore(dataDir: string): KioskPlayer {
  const settings = { ...recall(dataDir), startWithMachine: false };
  return {
    settings: () => settings,
    onSettings: () => () => undefined,
    reportFault: () => undefined,
  };
}

function recall(dataDir: string): Kept {
  try {
    return schema.parse(
      JSON.parse(readFileSync(join(dataDir, fileName), "utf8")),
    );
  } catch {
    // No settings have been saved yet.
    return schema.parse({});
  }
}
