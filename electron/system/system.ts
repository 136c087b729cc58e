// Which of the two kinds of system this is, as the site check tells them apart.

import type { SiteSystem } from "../../server/contract/site.ts";

export const system: SiteSystem =
  process.platform === "win32" ? "windows" : "linux";
