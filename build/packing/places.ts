// Where packages are made: everything below release/, which is never kept.

import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const projectRoot = fileURLToPath(new URL("../..", import.meta.url));
/** What is made. */
export const packageRoot = join(projectRoot, "release");
/** The app as it goes into the archive, nothing beside it. */
export const stagedApp = join(packageRoot, "app");
export const iconFolder = join(packageRoot, "icons");
