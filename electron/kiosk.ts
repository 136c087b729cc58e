// The two profiles: a desk that is attended, and an unattended glass that nobody gets past without the PIN.

import { app, type WebContents } from "electron";
import { join } from "node:path";
import type { Log } from "../server/platform/log.ts";
import type { Player } from "../server/player/player.ts";
import { autostartPlace } from "./autostart-place.ts";
import { setAutostart } from "./autostart.ts";
import type { Config } from "./config.ts";
import { createExitPin } from "./exit-pin.ts";
import { createHeldKeys } from "./held-keys.ts";
import { createPinPad } from "./pin-pad.ts";
import type { PlaybackWindow } from "./playback-window.ts";

export interface Kiosk {
  isUnattended(): boolean;
}

export interface KioskOptions {
  readonly config: Config;
  readonly player: Pick<Player, "settings" | "onSettings" | "tellFault">;
  readonly glass: Pick<PlaybackWindow, "hold" | "cover">;
  /** The folder of what was bundled. */
  readonly dist: string;
  /** Opens the operator's desk; null where there is none. */
  readonly openDesk: () => WebContents | null;
  readonly log: Log;
}

/** Follows the flag, else the setting, for as long as the app runs (V2-250). */
export function runKiosk(options: KioskOptions): Kiosk {
  const { config, player, glass, log } = options;
  const keys = createHeldKeys(log);
  const pad = createPinPad({
    preload: join(options.dist, "preload", "pin-pad.cjs"),
    pin: createExitPin(config.dataDir, Date.now),
    cover: (view) => glass.cover(view),
    openDesk: letDesk,
    endApp: () => app.quit(),
    onRefused: (key) =>
      player.tellFault(
        "exit_hotkey",
        `The system does not give the key ${key} to this player.`,
      ),
    log,
  });
  let isUnattended = false;
  let startsWithMachine = false;

  function hold(isHeld: boolean): void {
    glass.hold(isHeld);
    keys.hold(isHeld);
  }

  /** The desk needs keys and its place on the display; when it is closed, the glass is held again. */
  function letDesk(): void {
    hold(false);
    const desk = options.openDesk();
    if (desk) desk.once("destroyed", () => hold(isUnattended));
    else hold(isUnattended);
  }

  function obey(settings: ReturnType<Player["settings"]>): void {
    const wanted = (config.profile ?? settings.profile) === "unattended";
    if (wanted !== isUnattended) {
      isUnattended = wanted;
      hold(isUnattended);
      log.info("kiosk.profile-taken", {
        profile: isUnattended ? "unattended" : "desk",
      });
    }
    if (isUnattended) pad.listenTo(settings.exitHotkey);
    else {
      pad.listenTo("");
      pad.close();
    }
    obeyAutostart(settings.startWithMachine);
  }

  /** An entry that somebody else made is left alone until the setting changes. */
  function obeyAutostart(isWanted: boolean): void {
    if (isWanted === startsWithMachine) return;
    startsWithMachine = isWanted;
    if (!app.isPackaged) return;
    try {
      setAutostart(isWanted, autostartPlace(config));
      log.info("autostart.changed", { isWanted });
    } catch (error) {
      log.warn("autostart.refused", { error });
      player.tellFault(
        "start_with_machine",
        "The system does not take this player among what it starts.",
      );
    }
  }

  obey(player.settings());
  player.onSettings(obey);
  return { isUnattended: () => isUnattended };
}
