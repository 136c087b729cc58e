// What Electron is given for the start with Windows: the player understands the command line that Windows makes of it.

import { expect, it } from "vitest";
import { readConfig } from "../../../electron/config.ts";
import {
  asWindowsWord,
  hasLoginItem,
  setLoginItem,
  type LoginItems,
} from "../../../electron/autostart/login-item.ts";
import { commandLineOf, wordsOf } from "../../support/windows/windows-words.ts";

type Given = Parameters<LoginItems["setLoginItemSettings"]>[0];

/** Keeps the command line as Electron's code for Windows does, and finds it only in the same words. */
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
  "[V2-695] %s starts with Windows on the folder %s, and the entry is found again",
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
])("a word of a command line comes back as it was: %j", (word) => {
  expect(wordsOf(`"C:\\x.exe" ${asWindowsWord(word)} last`)).toEqual([
    "C:\\x.exe",
    word,
    "last",
  ]);
});
