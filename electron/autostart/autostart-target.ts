// What the system starts: this program with this data folder.

import type { AutostartPlace } from "./autostart.ts";
import type { Config } from "../config.ts";

export function autostartPlace(config: Config): AutostartPlace {
  const program = config.appImage ?? config.portableProgram ?? process.execPath;
  return {
    command: [program, "--data-dir", config.dataDir],
    configDir: config.configDir,
  };
}
