// The provisioning script for a Debian PC, and the files it would write, without running it.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const provision = readFileSync(
  fileURLToPath(new URL("../../../build/provision/debian.sh", import.meta.url)),
  "utf8",
);

/** The file that the script writes to this place. */
export function written(place: string): string {
  const [, mark = ""] =
    new RegExp(`^cat >${place} <<'?(\\w+)'?$`, "m").exec(provision) ?? [];
  const [, rest = ""] = provision.split(new RegExp(`^cat >${place} .*\n`, "m"));
  return rest.slice(0, rest.search(new RegExp(`^${mark}$`, "m")));
}

/** The folder of most of its files. */
export const library = "/usr/local/lib/vitrine";
