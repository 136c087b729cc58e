// A browser as people know it: `Chrome on Windows`.

import { t } from "../../locales/messages.ts";
import { browserName } from "./browser-name.ts";

/** Null if it doesn't name itself. */
export function browserText(agent: string): string | null {
  const { browser, system } = browserName(agent);
  if (browser === null || system === null) return browser;
  return t("account.sessions.browserOn", { browser, system });
}
