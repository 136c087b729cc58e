// Keys of the whole machine: asked of the system, and let go of when another is wished.

import { globalShortcut } from "electron";

export interface MachineKey {
  /** False where the system does not give this one; the empty text wishes for none. */
  request(key: string): boolean;
}

export function createMachineKey(press: () => void): MachineKey {
  let requestedKey = "";
  /** What was not given is somebody else's, and not ours to let go of. */
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

/** A key that it cannot read makes it throw; one that another program has is refused. */
export function isGiven(key: string, press: () => void): boolean {
  try {
    return globalShortcut.register(key, press);
  } catch {
    return false;
  }
}
