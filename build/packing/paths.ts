// Paths for building packages: everything below release/, which is never committed.

import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const projectRoot = fileURLToPath(new URL("../..", import.meta.url));
/** The finished packages. */
export const packageRoot = join(projectRoot, "release");
/** The app as it is archived, and nothing else. */
export const stagedApp = join(packageRoot, "app");
export const iconFolder = join(packageRoot, "icons");
