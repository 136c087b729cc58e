// The system's own keys while a player is unattended: taken, so that they do nothing; some no system gives away.

import { globalShortcut } from "electron";
import type { Log } from "../server/platform/log.ts";
import { isGiven } from "./machine-key.ts";

/** What would close, cover, leave or put away the glass on the desktops there are. */
const keys = [
  ...["Alt+F4", "Alt+Tab", "Alt+Shift+Tab", "Alt+Escape", "Alt+Space"],
  ...["Alt+F1", "Alt+F2", "Ctrl+Escape", "Ctrl+Shift+Escape", "F11"],
  ...["Ctrl+Alt+T", "Ctrl+Alt+D", "Ctrl+Alt+L", "Ctrl+Alt+Left"],
  ...["Ctrl+Alt+Right", "Ctrl+Alt+Up", "Ctrl+Alt+Down"],
  ...["Super+A", "Super+D", "Super+E", "Super+I", "Super+L", "Super+M"],
  ...["Super+R", "Super+S", "Super+X", "Super+Tab", "Super+Up", "Super+Down"],
];

export interface HeldKeys {
  hold(isHeld: boolean): void;
  /** Those that the system kept for itself. */
  refused(): readonly string[];
}

export function createHeldKeys(log: Log): HeldKeys {
  let taken: string[] = [];
  let refused: string[] = [];
  return {
    hold: (isHeld) => {
      for (const key of taken) globalShortcut.unregister(key);
      taken = isHeld ? keys.filter((key) => isGiven(key, () => undefined)) : [];
      refused = isHeld ? keys.filter((key) => !taken.includes(key)) : [];
      if (refused.length > 0) log.info("keys.refused", { keys: refused });
    },
    refused: () => refused,
  };
}
