// How Chromium is told to behave on a wall; all of it has to be said before it is ready.

import { app, protocol } from "electron";
import type { Config } from "../config.ts";
import { tooSmallSharedMemory } from "./shared-memory.ts";

/** For whatever opens a page, a site check too: a process that finds no room for what it shares ends without a word (V2-464). */
export function limitSharedMemory(): void {
  // Ordinary files are as good.
  if (tooSmallSharedMemory() !== null)
    app.commandLine.appendSwitch("disable-dev-shm-usage");
}

export function tameChromium(config: Config): void {
  const { commandLine } = app;
  // Sound and video start by themselves: nobody stands there to click.
  commandLine.appendSwitch("autoplay-policy", "no-user-gesture-required");
  // What is prepared out of sight has to run as if it were seen.
  commandLine.appendSwitch("disable-background-timer-throttling");
  commandLine.appendSwitch("disable-renderer-backgrounding");
  commandLine.appendSwitch("disable-backgrounding-occluded-windows");
  // What draws may end as often as it likes: it is counted here (graphics.ts), and never ends the player.
  commandLine.appendSwitch("disable-gpu-process-crash-limit");
  // A player speaks to the addresses it was given and to nobody else.
  commandLine.appendSwitch("disable-background-networking");
  commandLine.appendSwitch("disable-component-update");
  commandLine.appendSwitch("disable-domain-reliability");
  commandLine.appendSwitch("no-pings");
  // No window but ours on the glass, even when something breaks.
  commandLine.appendSwitch("noerrdialogs");
  commandLine.appendSwitch("disable-breakpad");
  const disabledFeatures = [
    "CalculateNativeWinOcclusion",
    "HardwareMediaKeyHandling",
  ];
  // A later --disable-features replaces an earlier one, so a driver's list is carried along.
  const already = commandLine.getSwitchValue("disable-features");
  commandLine.appendSwitch(
    "disable-features",
    [already, ...disabledFeatures].filter(Boolean).join(),
  );
  // Without a graphics card, drawing by the processor keeps a video's frames; imitating a card loses half of them.
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
        // Where the answer says so, the stage may read the bytes, too.
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
