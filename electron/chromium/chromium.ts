// Chromium command-line switches for unattended playback; all of them have to be set before it is ready.

import { app, protocol } from "electron";
import type { Config } from "../config.ts";
import { tooSmallSharedMemory } from "./shared-memory.ts";

/**
 * For everything that opens a page, including a site check: a process that finds too little shared memory ends without a message
 * (V2-464).
 */
export function limitSharedMemory(): void {
  // Ordinary files work as well.
  if (tooSmallSharedMemory() !== null)
    app.commandLine.appendSwitch("disable-dev-shm-usage");
}

export function tameChromium(config: Config): void {
  const { commandLine } = app;
  // Audio and video start by themselves: nobody is there to click.
  commandLine.appendSwitch("autoplay-policy", "no-user-gesture-required");
  // What is prepared out of sight has to run as if it were visible.
  commandLine.appendSwitch("disable-background-timer-throttling");
  commandLine.appendSwitch("disable-renderer-backgrounding");
  commandLine.appendSwitch("disable-backgrounding-occluded-windows");
  // The GPU process may end any number of times: its losses are counted here (graphics-watchdog.ts), and never end the player.
  commandLine.appendSwitch("disable-gpu-process-crash-limit");
  // A player connects to the addresses it was given and to nothing else.
  commandLine.appendSwitch("disable-background-networking");
  commandLine.appendSwitch("disable-component-update");
  commandLine.appendSwitch("disable-domain-reliability");
  commandLine.appendSwitch("no-pings");
  // Each has a process of its own that no limit of its page counts (V2-739).
  commandLine.appendSwitch("disable-shared-workers");
  // No foreign window over the screen, even when something breaks.
  commandLine.appendSwitch("noerrdialogs");
  commandLine.appendSwitch("disable-breakpad");
  const disabledFeatures = [
    "CalculateNativeWinOcclusion",
    "HardwareMediaKeyHandling",
  ];
  // A later --disable-features replaces an earlier one, so a test driver's list is included.
  const already = commandLine.getSwitchValue("disable-features");
  commandLine.appendSwitch(
    "disable-features",
    [already, ...disabledFeatures].filter(Boolean).join(),
  );
  // Without a graphics card, software rendering keeps a video's frames; emulating a card loses half of them.
  if (config.virtualScreen) app.disableHardwareAcceleration();

  protocol.registerSchemesAsPrivileged([
    {
      scheme: "app",
      privileges: { standard: true, secure: true, supportFetchAPI: true },
    },
    {
      scheme: "asset",
      privileges: {
        standard: true,
        secure: true,
        supportFetchAPI: true,
        stream: true,
        // Where the response allows it, the stage may read the bytes, too.
        corsEnabled: true,
      },
    },
    {
      scheme: "edge-app",
      privileges: {
        standard: true,
        secure: true,
        supportFetchAPI: true,
        stream: true,
      },
    },
  ]);
}
