// Windows login item: the player parses the command line that Windows makes of Electron's login item.

import { expect, it } from "vitest";
import { readConfig } from "../../../electron/config.ts";
import {
  asWindowsWord,
  hasLoginItem,
  setLoginItem,
  type LoginItems,
} from "../../../electron/autostart/login-item.ts";
import {
  commandLineOf,
  wordsOf,
} from "../../support/windows/windows-command-line.ts";

type Given = Parameters<LoginItems["setLoginItemSettings"]>[0];

/** Stores the command line as Electron's code for Windows does, and finds it only if it is identical. */
function registry(): LoginItems & { value: string | null } {
  return {
    value: null,
    setLoginItemSettings({ openAtLogin, path = "", args = [] }: Given) {
      this.value = openAtLogin ? commandLineOf(path, args) : null;
    },
    getLoginItemSettings({ path = "", args = [] } = {}) {
      const openAtLogin = this.value === commandLineOf(path, args);
      return { openAtLogin } as ReturnType<LoginItems["getLoginItemSettings"]>;
    },
  };
}

it.each([
  ["C:\\Program Files\\Vitrine\\Vitrine.exe", "C:\\Users\\John Doe\\AppData"],
  ["C:\\Vitrine\\Vitrine.exe", "D:\\signage"],
  ["C:\\Vitrine\\Vitrine.exe", "D:\\My media\\"],
  ["C:\\Sölch ein Ort\\Vitrine.exe", "\\\\server\\a share\\日本"],
])(
  "[V2-695] starts %s with Windows on the folder %s, and finds the entry again",
  (program, dataDir) => {
    const items = registry();
    const command = [program, "--data-dir", dataDir];
    expect(hasLoginItem(items, command)).toBe(false);
    setLoginItem(items, true, command);
    expect(wordsOf(items.value ?? "")).toEqual(command);
    expect(readConfig(wordsOf(items.value ?? "").slice(1), {}).ok).toBe(true);
    expect(hasLoginItem(items, command)).toBe(true);
    setLoginItem(items, false, command);
    expect(hasLoginItem(items, command)).toBe(false);
  },
);

it.each([
  "",
  "plain",
  "two words",
  'a "word"',
  'ends with \\"',
  "ends with \\",
  "a b\\\\",
  "tab\there",
])(
  "quotes a word of a command line so that it is parsed unchanged: %j",
  (word) => {
    expect(wordsOf(`"C:\\x.exe" ${asWindowsWord(word)} last`)).toEqual([
      "C:\\x.exe",
      word,
      "last",
    ]);
  },
);
