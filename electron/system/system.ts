// Which of the two supported systems this is, for the site check.

import type { SiteSystem } from "../../server/contract/site-check.ts";

export const system: SiteSystem =
  process.platform === "win32" ? "windows" : "linux";
