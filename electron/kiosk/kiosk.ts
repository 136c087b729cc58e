// The two profiles: attended, and unattended, where leaving the fullscreen playback requires the PIN.

import { join } from "node:path";
import { app, type WebContents, globalShortcut } from "electron";
import { settingFields } from "../../server/contract/v2/v2-settings.ts";
import type { Log } from "../../server/platform/log.ts";
import { autostartPlace } from "../autostart/autostart-target.ts";
import { setAutostart } from "../autostart/autostart.ts";
import type { Config } from "../config.ts";
import { createExitPin } from "./exit-pin.ts";
import {
  rememberKiosk,
  type KioskPlayer,
  type KioskSettings,
} from "./kiosk-settings.ts";
import { createPinPad } from "./pin-pad.ts";
import type { PlaybackWindow } from "../playback-window/playback-window.ts";
import { createX11Pointer } from "../x11/x11-pointer.ts";
import { isGiven } from "./global-shortcut.ts";

// System shortcuts while a player is unattended: registered, so that they do nothing; some are not granted by any system.

/** Shortcuts that would close, cover, leave or minimise the playback window on the common desktops. */
const systemKeys = [
  ...["Alt+F4", "Alt+Tab", "Alt+Shift+Tab", "Alt+Escape", "Alt+Space"],
  ...["Alt+F1", "Alt+F2", "Ctrl+Escape", "Ctrl+Shift+Escape", "F11"],
  ...["Ctrl+Alt+T", "Ctrl+Alt+D", "Ctrl+Alt+L", "Ctrl+Alt+Left"],
  ...["Ctrl+Alt+Right", "Ctrl+Alt+Up", "Ctrl+Alt+Down"],
  ...["Super+A", "Super+D", "Super+E", "Super+I", "Super+L", "Super+M"],
  ...["Super+R", "Super+S", "Super+X", "Super+Tab", "Super+Up", "Super+Down"],
];

interface HeldKeys {
  hold(isHeld: boolean): void;
  /** Keys that the system did not grant. */
  deniedKeys(): readonly string[];
}

function createHeldKeys(log: Log): HeldKeys {
  let taken: string[] = [];
  let deniedKeys: string[] = [];
  return {
    hold: (isHeld) => {
      for (const key of taken) globalShortcut.unregister(key);
      taken = isHeld
        ? systemKeys.filter((key) => isGiven(key, () => undefined))
        : [];
      deniedKeys = isHeld
        ? systemKeys.filter((key) => !taken.includes(key))
        : [];
      if (deniedKeys.length > 0)
        log.info("keys.not-registered", { keys: deniedKeys });
    },
    deniedKeys: () => deniedKeys,
  };
}

const defaultExitKey = settingFields.exitHotkey.byDefault;

export interface Kiosk {
  isUnattended(): boolean;
}

export interface KioskOptions {
  readonly config: Config;
  readonly player: KioskPlayer;
  readonly playbackWindow: Pick<PlaybackWindow, "hold" | "cover">;
  /** The folder of the bundled files. */
  readonly dist: string;
  /** Opens the manager window; null where there is none to open. */
  readonly openManagerWindow: (() => WebContents | null) | null;
  /** The one that is open already. */
  readonly managerWindow: () => WebContents | null;
  readonly log: Log;
}

/** Follows the flag, else the setting, for as long as the app runs (V2-250). */
export function runKiosk(options: KioskOptions): Kiosk {
  const { config, player, playbackWindow, openManagerWindow, log } = options;
  const keys = createHeldKeys(log);
  const pad = createPinPad({
    preload: join(options.dist, "preload", "pin-pad.cjs"),
    pin: createExitPin(config.dataDir, Date.now),
    cover: (view) => {
      playbackWindow.cover(view);
      isCovered = view !== null;
      followPointer();
    },
    openManagerWindow:
      openManagerWindow && (() => releaseToManager(openManagerWindow)),
    endApp: () => app.quit(),
    onKeyUnavailable: (key) =>
      player.reportFault(
        "exit_hotkey",
        `The shortcut ${key} is used by another program.`,
      ),
    log,
  });
  const pointer = createX11Pointer(config, log);
  let isUnattended = false;
  let isHeld = false;
  let isCovered = false;
  let startsWithMachine = false;

  function hold(next: boolean): void {
    isHeld = next;
    playbackWindow.hold(isHeld);
    keys.hold(isHeld);
    followPointer();
  }

  /** The PIN pad and the manager need it (V2-371). */
  function followPointer(): void {
    pointer.hide(isHeld && !isCovered);
  }

  function releaseToManager(open: () => WebContents | null): void {
    hold(false);
    holdBehind(open());
  }

  /** The manager needs keys and its place on the display: the playback window is held again once it is closed (V2-377). */
  function holdBehind(managerWindow: WebContents | null): void {
    if (managerWindow)
      managerWindow.once("destroyed", () => hold(isUnattended));
    else hold(isUnattended);
  }

  function obey(settings: KioskSettings): void {
    rememberKiosk(config.dataDir, settings);
    const next = (config.profile ?? settings.profile) === "unattended";
    if (next !== isUnattended) {
      isUnattended = next;
      if (isUnattended) holdBehind(options.managerWindow());
      else hold(false);
      log.info("kiosk.profile-taken", {
        profile: isUnattended ? "unattended" : "desk",
      });
    }
    // Where the flag alone makes it unattended, the setting may name no key (V2-376).
    if (isUnattended) pad.listenTo(settings.exitHotkey || defaultExitKey);
    else {
      pad.listenTo("");
      pad.close();
    }
    obeyAutostart(settings.startWithMachine);
  }

  /** An entry created by somebody else is left alone until the setting changes. */
  function obeyAutostart(isEnabled: boolean): void {
    if (isEnabled === startsWithMachine) return;
    startsWithMachine = isEnabled;
    if (!app.isPackaged) return;
    try {
      setAutostart(isEnabled, autostartPlace(config));
      log.info("autostart.changed", { isEnabled });
    } catch (error) {
      log.warn("autostart.failed", { error });
      player.reportFault(
        "start_with_machine",
        "The system did not accept the player as a startup program.",
      );
    }
  }

  obey(player.settings());
  player.onSettings(obey);
  return { isUnattended: () => isUnattended };
}
