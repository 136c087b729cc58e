// Site checks of the player's installation: its autostart and its sandbox.

import { app } from "electron";
import { hasAutostart } from "../autostart/autostart.ts";
import type { Config } from "../config.ts";
import { autostartPlace } from "../autostart/autostart-target.ts";
import type { CheckResult } from "../system/check-result.ts";
import { outputOf } from "../system/program-output.ts";
import { system } from "../system/system.ts";
import { readSetup, setupRecordFile } from "../autostart/windows-setup.ts";
import { autostartOfWindows } from "../system/windows.ts";

export async function checkAutostart(config: Config): Promise<CheckResult> {
  const isEntered = hasAutostart(autostartPlace(config));
  if (system === "windows")
    return autostartOfWindows(outputOf, isEntered, isShell(config));
  const unit = await outputOf("systemctl", [
    ...["--user", "is-enabled", "vitrine.service"],
  ]);
  if (unit?.trim() === "enabled")
    return {
      verdict: "good",
      fact: { code: "started-and-watched" },
      found: "systemd starts the player with its user, and watches it.",
      advice: null,
    };
  if (isEntered)
    return {
      verdict: "advice",
      fact: { code: "started-only", system },
      found: "The desktop starts the player, and nobody watches it.",
      advice:
        "systemctl --user enable --now vitrine, or start it by vitrine-supervisor.",
    };
  return {
    verdict: "fault",
    fact: { code: "not-started" },
    found: "Nothing starts the player when the machine starts.",
    advice:
      "Set start_with_machine, or run the provisioning script of this system.",
  };
}

function isShell({ programData }: Config): boolean {
  return readSetup(setupRecordFile(programData))?.isShell === true;
}

export function checkSandbox(config: Config): CheckResult {
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
