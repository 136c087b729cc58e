// Selects the Electron for a package: the official one, or the fallback for development and tests.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "./paths.ts";

export interface PackedElectron {
  /** Its unpacked distribution. */
  readonly folder: string;
  readonly version: string;
  readonly isOfficial: boolean;
  /** A native module compiled for it, where the bundled binary does not fit. */
  readonly sqliteBinding: string | null;
}

export function describeElectron(env: NodeJS.ProcessEnv): PackedElectron {
  const electronFolder = join(projectRoot, "node_modules", "electron");
  const folder =
    env.ELECTRON_OVERRIDE_DIST_PATH || join(electronFolder, "dist");
  const version = readFileSync(join(folder, "version"), "utf8")
    .replace(/^v/, "")
    .trim();
  const { version: expectedVersion } = JSON.parse(
    readFileSync(join(electronFolder, "package.json"), "utf8"),
  ) as { version: string };
  return {
    folder,
    version,
    isOfficial: version === expectedVersion,
    sqliteBinding: env.VITRINE_SQLITE_BINDING || null,
  };
}
