// The key that takes the screen over, wherever on the machine it is pressed.

import { globalShortcut } from "electron";
import type { Log } from "../server/platform/log.ts";

interface Keys {
  readonly takeoverHotkey: string;
}

export interface HotKeyPlayer {
  settings(): Keys;
  onSettings(listener: (settings: Keys) => void): () => void;
  pressTakeoverKey(): void;
  /** Something the operator set does not work. */
  tellFault(name: string, reason: string): void;
}

/** Follows the setting; a key that the system does not give is told, and everything else goes on (V2-195). */
export function obeyHotKey(player: HotKeyPlayer, log: Log): void {
  let wished = "";
  /** What was not given is somebody else's, and not ours to let go of. */
  let held = "";

  function hold(key: string): void {
    if (key === wished) return;
    wished = key;
    if (held !== "") globalShortcut.unregister(held);
    held = "";
    if (key === "") return;
    if (isGiven(key, () => player.pressTakeoverKey())) {
      held = key;
      return;
    }
    log.warn("hotkey.refused", { key });
    player.tellFault(
      "takeover_hotkey",
      `The system does not give the key ${key} to this player.`,
    );
  }

  hold(player.settings().takeoverHotkey);
  player.onSettings(({ takeoverHotkey }) => hold(takeoverHotkey));
}

/** A key that it cannot read makes it throw; one that another program has is refused. */
function isGiven(key: string, press: () => void): boolean {
  try {
    return globalShortcut.register(key, press);
  } catch {
    return false;
  }
}
