// Electron fuses: their required state in a shipped package.

import { FuseState, FuseV1Options, getCurrentFuseWire } from "@electron/fuses";

const expectedFuses: readonly (readonly [FuseV1Options, boolean])[] = [
  [FuseV1Options.RunAsNode, false],
  [FuseV1Options.EnableCookieEncryption, true],
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable, false],
  [FuseV1Options.EnableNodeCliInspectArguments, false],
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation, true],
  [FuseV1Options.OnlyLoadAppFromAsar, true],
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot, false],
  [FuseV1Options.GrantFileProtocolExtraPrivileges, false],
];

/** The names of the fuses in any other state. */
export async function offendingFuses(
  executable: string,
): Promise<readonly string[]> {
  const wire = await getCurrentFuseWire(executable);
  return expectedFuses
    .filter(([fuse, isOn]) => {
      const state = wire[fuse];
      return state !== (isOn ? FuseState.ENABLE : FuseState.DISABLE);
    })
    .map(([fuse]) => FuseV1Options[fuse]);
}
