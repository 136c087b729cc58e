// Global shortcuts: registered with the system, and released when another key is requested.

import { globalShortcut } from "electron";

export interface MachineKey {
  /** False where the system does not grant the key; the empty string requests none. */
  request(key: string): boolean;
}

export function createMachineKey(press: () => void): MachineKey {
  let requestedKey = "";
  /** A key that was not granted belongs to another program, and must not be released. */
  let held = "";
  return {
    request: (key) => {
      if (key === requestedKey) return true;
      requestedKey = key;
      if (held !== "") globalShortcut.unregister(held);
      held = key !== "" && isGiven(key, press) ? key : "";
      return held === key;
    },
  };
}

/** A key that Electron cannot parse makes it throw; one that another program holds is denied. */
export function isGiven(key: string, press: () => void): boolean {
  try {
    return globalShortcut.register(key, press);
  } catch {
    return false;
  }
}
