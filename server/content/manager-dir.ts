// Where the bundler puts the manager for browsers; a package has it elsewhere (build/packing/service).

import { fileURLToPath } from "node:url";

export const managerDir = fileURLToPath(
  new URL("../../dist/renderer/service", import.meta.url),
);
