// Prepares the machine for the tests under Windows' Node: its programs, and a folder for a Debian with Wine.

import { inCache } from "./paths.mjs";
import { holdLock } from "./setup-lock.mjs";
import { SetupStopped, cannotRunHere } from "./progress.mjs";
import { systemForWine } from "./system.mjs";
import { lacksForWine } from "./wine-requirements.mjs";

/** Stores the path of that folder in the environment, and keeps other runs out of it until this process ends. */
export async function wine(env) {
  const lacks = lacksForWine();
  if (lacks !== null)
    throw new SetupStopped(
      `The tests with the Windows build of Node need a dedicated Debian with Wine: ${lacks}`,
      cannotRunHere,
    );
  await systemForWine();
  await holdLock(inCache("locks", "wine"));
  env.VITRINE_WINE = inCache("wine");
}
