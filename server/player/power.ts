// Restarts and shuts down the machine through the operating system, once however often it is requested.

import { spawn } from "node:child_process";
import { playerSentences } from "../contract/sentences/player-sentences.ts";
import { Failure } from "../core/failure.ts";
import type { Log } from "../platform/log.ts";
import { systemProgram } from "../platform/system-program.ts";
import type { SettingsStore } from "./settings.ts";
import type { Clock } from "../platform/clock.ts";

export type PowerAction = "reboot" | "shutdown";

/**
 * Runs the action: by default through the operating system. Injected, so that nothing but a packaged app really restarts the
 * machine.
 */
export type PowerSwitch = (action: PowerAction) => void;

export interface Power {
  /** Throws `forbidden` when the setting does not allow it. */
  request(action: PowerAction): void;
}

export interface PowerOptions {
  readonly settings: SettingsStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Null only logs the request. */
  readonly act: PowerSwitch | null;
}

/** A machine takes this long to go down; a repeated request within this time means the same. */
const stormMs = 60_000;

export function createPower(options: PowerOptions): Power {
  const { settings, clock, log, act } = options;
  let lastAt = -Infinity;
  return {
    request: (action) => {
      if (!settings.all().powerAllowed)
        throw new Failure("forbidden", playerSentences["power-off"]);
      if (clock.monotonic() - lastAt < stormMs) return;
      lastAt = clock.monotonic();
      log.warn("power.requested", { action, isReal: act !== null });
      act?.(action);
    },
  };
}

const commands: Readonly<
  Record<string, Readonly<Record<PowerAction, readonly string[]>>>
> = {
  linux: {
    reboot: ["systemctl", "reboot"],
    shutdown: ["systemctl", "poweroff"],
  },
  // Ten seconds, so that the response is still sent.
  win32: {
    reboot: ["shutdown", "/r", "/t", "10"],
    shutdown: ["shutdown", "/s", "/t", "10"],
  },
};

/** The operating system's own command; on a system without a known one it is only logged. */
export function systemSwitch(log: Log): PowerSwitch {
  return (action) => {
    const [program, ...args] = commands[process.platform]?.[action] ?? [];
    if (program === undefined) {
      log.error("power.unknown-system", { action, platform: process.platform });
      return;
    }
    const child = spawn(systemProgram(program), args, {
      stdio: "ignore",
      detached: true,
    });
    child.on("error", (error) => log.error("power.failed", { action, error }));
    child.unref();
  };
}
