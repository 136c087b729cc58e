// vitrine-console.cmd, run by Windows' own command interpreter with Node in the player's place.

import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/folder.ts";

const script = fileURLToPath(
  new URL("../../build/windows/vitrine-console.cmd", import.meta.url),
);

describe("vitrine-console.cmd", () => {
  it("waits for the program beside it with the same flags, whatever the folder is called", () => {
    const text = readFileSync(script, "utf8");
    expect(text).toMatch(/^"%~dp0Vitrine\.exe" %\* >"%answer%" 2>&1\r?$/m);
    expect(text).toMatch(/^exit \/b %code%\r?$/m);
  });

  it.runIf(process.platform === "win32").each([0, 3])(
    "[V2-705] prints what the player has written, ends with its exit code %i, and leaves nothing behind",
    async (expected) => {
      const dir = path.join(await temporaryFolder(), "Program Files");
      mkdirSync(dir);
      copyFileSync(process.execPath, path.join(dir, "Vitrine.exe"));
      copyFileSync(script, path.join(dir, "vitrine-console.cmd"));
      const given = path.join(dir, "player.mjs");
      writeFileSync(
        given,
        'console.log("words:", process.argv.slice(2).join("|")); console.error("not here"); process.exitCode = Number(process.argv[2]);',
      );
      const child = spawn(
        process.env.ComSpec ?? "cmd.exe",
        [
          ...["/d", "/s", "/c"],
          `""${path.join(dir, "vitrine-console.cmd")}" "${given}" ${expected} --site-check"`,
        ],
        {
          windowsVerbatimArguments: true,
          env: { ...process.env, TEMP: dir },
          stdio: ["ignore", "pipe", "pipe"],
        },
      );
      let output = "";
      child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
      expect(await once(child, "close")).toEqual([expected, null]);
      expect(output).toContain(`words: ${expected}|--site-check`);
      expect(output).toContain("not here");
      expect(readdirSync(dir).filter((name) => /answer/.test(name))).toEqual(
        [],
      );
    },
  );
});
