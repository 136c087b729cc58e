// Whether the player starts with the machine, as far as the first run sets it: taken back with the choice it came from.

import type { MachineRole } from "../../../server/contract/ipc.ts";
import { operate } from "../operations.ts";

/** For one run. A choice made in passing leaves nothing behind; what was set before, by whomever, stays. */
export function createOwnStart(): (role: MachineRole) => Promise<void> {
  let isOurs = false;
  let line: Promise<unknown> = Promise.resolve();
  const set = (isWanted: boolean): Promise<unknown> =>
    operate("changeSettings", { body: { start_with_machine: isWanted } });
  const follow = async (role: MachineRole): Promise<void> => {
    if (role !== "screen") {
      if (isOurs) await set(false);
      isOurs = false;
      return;
    }
    const settings = await operate("readSettings", {});
    if (settings["start_with_machine"] === true) return;
    // A screen nobody sits at comes up by itself after a power cut.
    await set(true);
    isOurs = true;
  };
  // Arrow keys pass through the choices faster than they are answered.
  return (role) => {
    const done = line.then(() => follow(role));
    line = done.catch(() => undefined);
    return done;
  };
}
