// Site check of the exit PIN of an unattended player.

import type { SiteSystem } from "../../server/contract/site.ts";
import { createExitPin } from "../kiosk/exit-pin.ts";
import { callOfPlayer } from "./console-command.ts";
import type { CheckResult } from "../system/check-result.ts";
import { system as ownSystem } from "../system/system.ts";

export async function checkPin(
  dataDir: string,
  system: SiteSystem = ownSystem,
  call = callOfPlayer(),
): Promise<CheckResult> {
  const isSet = await createExitPin(dataDir, Date.now).isSet();
  return isSet
    ? {
        ...{ verdict: "good", fact: { code: "pin" }, advice: null },
        found: "A PIN guards the way out.",
      }
    : {
        ...{ verdict: "advice", fact: { code: "no-pin" } },
        found: "Whoever knows the key gets out of an unattended screen.",
        advice:
          system === "windows"
            ? `"1234" | ${call} --set-exit-pin, with digits of your own.`
            : `${call} --set-exit-pin, and type four to twelve digits.`,
      };
}
