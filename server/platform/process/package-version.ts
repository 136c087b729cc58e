// Version of this package, for programs that run without Electron, from the source tree they run in.

import { readFileSync } from "node:fs";

export function packageVersion(): string {
  const file = new URL("../../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string })
    .version;
}
