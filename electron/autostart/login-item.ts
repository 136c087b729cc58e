// Windows login item: the registry entry that starts the player at login, quoted identically when written and when looked up.

import type { App } from "electron";

export type LoginItems = Pick<
  App,
  "setLoginItemSettings" | "getLoginItemSettings"
>;

export function setLoginItem(
  app: LoginItems,
  isEnabled: boolean,
  command: readonly string[],
): void {
  app.setLoginItemSettings({ openAtLogin: isEnabled, ...quoted(command) });
}

export function hasLoginItem(
  app: LoginItems,
  command: readonly string[],
): boolean {
  return app.getLoginItemSettings(quoted(command)).openAtLogin;
}

/** Electron joins the program and its arguments with blanks, unquoted (V2-695). */
function quoted([program = "", ...args]: readonly string[]) {
  return { path: `"${program}"`, args: args.map(asWindowsWord) };
}

/** Quotes one word of a command line as Windows programs parse it. */
export function asWindowsWord(word: string): string {
  if (/^[^\s"]+$/.test(word)) return word;
  const parts = word.split('"').map((part) => part + endingSlashes(part));
  return `"${parts.join('\\"')}"`;
}

/** Backslashes are literal, unless a quotation mark follows them: those are doubled. */
function endingSlashes(part: string): string {
  let count = 0;
  while (part.at(-1 - count) === "\\") count += 1;
  return "\\".repeat(count);
}
