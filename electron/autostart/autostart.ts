// Autostart at login, if the operator enables it: a desktop entry on Linux, the login items on Windows.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { app } from "electron";
import { entryFor } from "./autostart-entry.ts";
import { hasLoginItem, setLoginItem } from "./login-item.ts";

export interface AutostartPlace {
  /** The program and the flags it is started with. */
  readonly command: readonly string[];
  /** The user's configuration folder; only Linux needs it. */
  readonly configDir?: string | undefined;
}

/** Enables or disables the start at the login of this user. */
export function setAutostart(isEnabled: boolean, place: AutostartPlace): void {
  if (process.platform === "linux") setEntry(isEnabled, place);
  else setLoginItem(app, isEnabled, place.command);
}

export function hasAutostart(place: AutostartPlace): boolean {
  if (process.platform !== "linux") return hasLoginItem(app, place.command);
  try {
    return !/^Hidden=true$/m.test(readFileSync(entryFile(place), "utf8"));
  } catch {
    return false;
  }
}

function setEntry(isEnabled: boolean, place: AutostartPlace): void {
  const file = entryFile(place);
  if (!isEnabled) return rmSync(file, { force: true });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, entryFor(place.command));
}

function entryFile({ configDir }: AutostartPlace): string {
  const folder =
    configDir !== undefined && isAbsolute(configDir)
      ? configDir
      : join(homedir(), ".config");
  return join(folder, "autostart", "vitrine.desktop");
}
