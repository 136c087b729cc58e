// The desk's questions about the place this PC stands in: the site check, and the PIN that leads out of an unattended glass.

import { Failure } from "../server/contract/ipc.ts";
import type { Config } from "./config.ts";
import { createExitPin } from "./exit-pin.ts";
import type { ManagerCalls } from "./ipc.ts";
import { checkSite } from "./site-check.ts";

export function siteCalls(
  config: Config,
): Pick<ManagerCalls, "checkSite" | "readExitPin" | "changeExitPin"> {
  const pin = createExitPin(config.dataDir, Date.now);
  return {
    checkSite: () => checkSite(config),
    readExitPin: async () => ({ isSet: await pin.isSet() }),
    changeExitPin: async ({ current, next }) => {
      // Nothing typed is no try.
      if (current === null && (await pin.isSet()))
        throw new Failure("invalid", "The current PIN is needed.");
      const outcome = await pin.check(current ?? "");
      if (outcome.outcome !== "right") return outcome;
      await pin.set(next);
      return { outcome: "changed", isSet: next !== null };
    },
  };
}
