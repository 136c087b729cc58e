// Global hotkey of the takeover, effective wherever the focus is.

import type { Log } from "../../server/platform/log.ts";
import { createMachineKey } from "./global-shortcut.ts";

interface Keys {
  readonly takeoverHotkey: string;
}

export interface HotKeyPlayer {
  settings(): Keys;
  onSettings(listener: (settings: Keys) => void): () => void;
  pressTakeoverKey(): void;
  /** Something the operator configured does not work. */
  reportFault(name: string, reason: string): void;
}

/** Follows the setting; a key that the system does not grant is reported, and everything else continues (V2-195). */
export function obeyHotKey(player: HotKeyPlayer, log: Log): void {
  const takeoverKey = createMachineKey(() => player.pressTakeoverKey());

  function hold(key: string): void {
    if (takeoverKey.request(key)) return;
    log.warn("hotkey.not-registered", { key });
    player.reportFault(
      "takeover_hotkey",
      `The shortcut ${key} is used by another program.`,
    );
  }

  hold(player.settings().takeoverHotkey);
  player.onSettings(({ takeoverHotkey }) => hold(takeoverHotkey));
}
