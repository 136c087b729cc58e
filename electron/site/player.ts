// What the site check finds out about how the player is set up here: its start, its profile, its PIN.

import { app } from "electron";
import { hasAutostart } from "../autostart.ts";
import type { Config } from "../config.ts";
import { createExitPin } from "../exit-pin.ts";
import { autostartPlace } from "../autostart-place.ts";
import type { Look } from "./look.ts";
import { outputOf } from "./ask.ts";
import { system } from "./system.ts";

export async function lookAtAutostart(config: Config): Promise<Look> {
  const unit =
    process.platform === "linux"
      ? await outputOf("systemctl", ["--user", "is-enabled", "vitrine.service"])
      : null;
  if (unit?.trim() === "enabled")
    return {
      verdict: "good",
      fact: { code: "started-and-watched" },
      found: "systemd starts the player with its user, and watches it.",
      advice: null,
    };
  if (hasAutostart(autostartPlace(config)))
    return {
      verdict: "advice",
      fact: { code: "started-only", system },
      found: "The desktop starts the player, and nobody watches it.",
      advice:
        system === "linux"
          ? "systemctl --user enable --now vitrine, or start it by vitrine-supervisor."
          : "Start it by supervisor.ps1; windows.ps1 sets that up.",
    };
  return {
    verdict: "fault",
    fact: { code: "not-started" },
    found: "Nothing starts the player when the machine starts.",
    advice:
      "Set start_with_machine, or run the provisioning script of this system.",
  };
}

export function lookAtSandbox(config: Config): Look {
  const asRoot = process.getuid?.() === 0;
  if (asRoot || config.noSandbox)
    return {
      verdict: "fault",
      fact: { code: "no-sandbox" },
      found: "The player runs without Chromium's sandbox.",
      advice: "Run it as a user of its own, without --no-sandbox.",
    };
  const [name, version] = [app.getName(), app.getVersion()];
  return {
    verdict: "good",
    fact: { code: "sandbox", name, version },
    found: `${name} ${version}, sandboxed.`,
    advice: null,
  };
}

export async function lookAtPin(config: Config): Promise<Look> {
  const isSet = await createExitPin(config.dataDir, Date.now).isSet();
  return isSet
    ? {
        ...{ verdict: "good", fact: { code: "pin" }, advice: null },
        found: "A PIN guards the way out.",
      }
    : {
        ...{ verdict: "advice", fact: { code: "no-pin" } },
        found: "Whoever knows the key gets out of an unattended glass.",
        advice: "vitrine --set-exit-pin, and type four to twelve digits.",
      };
}
