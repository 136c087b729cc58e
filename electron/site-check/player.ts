// Site checks of the player's installation: its autostart and its sandbox.

import { app } from "electron";
import { hasAutostart } from "../autostart/autostart.ts";
import type { Config } from "../config.ts";
import { autostartPlace } from "../autostart/autostart-target.ts";
import type { CheckResult } from "../system/check-result.ts";
import { outputOf } from "../system/program-output.ts";
import { system } from "../system/system.ts";
import { readSetup, setupRecordFile } from "../autostart/windows-setup.ts";
import { autostartOfWindows, autostartVerdict } from "../system/windows.ts";

export async function checkAutostart(config: Config): Promise<CheckResult> {
  const isEntered = hasAutostart(autostartPlace(config));
  if (system === "windows")
    return autostartOfWindows(outputOf, isEntered, isShell(config));
  const unit = await outputOf("systemctl", [
    ...["--user", "is-enabled", "vitrine.service"],
  ]);
  return autostartVerdict(unit?.trim() === "enabled", isEntered, system);
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
    };
  const [name, version] = [app.getName(), app.getVersion()];
  return {
    verdict: "good",
    fact: { code: "sandbox", name, version },
  };
}
