// What npm run dist takes, refuses and says, without making a package: that is test/e2e/package.test.ts.

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { chmod, mkdir, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { lacksOf, whyNotMade } from "../../build/packing/electron-builder.ts";
import { checkContents } from "../../build/packing/contents.ts";
import { icoOf } from "../../build/packing/icons.ts";
import { markedFor } from "../../build/packing/package-name.ts";
import { readOrder } from "../../build/packing/dist-arguments.ts";
import { makeReadableByAll } from "../../build/packing/file-modes.ts";
import { taskName } from "../../electron/system/windows-task.ts";
import { temporaryFolder } from "../support/folder.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

describe("an order", () => {
  it.each([
    [[], ["dir"], false],
    [["deb", "tar.gz", "deb"], ["deb", "tar.gz"], false],
    [["--test-build", "dir"], ["dir"], true],
  ])("%j is %j", (words, targets, isTestBuild) => {
    expect(readOrder(words)).toEqual({
      ok: true,
      order: { targets, isTestBuild },
    });
  });

  it.each([
    [["exe"], 'There is no target "exe". Available: dir, tar.gz, deb,'],
    [["dir", "--fast"], "Unknown option --fast. Options: --test-build."],
  ])("%j is refused with what there is", (words, sentence) => {
    const reading = readOrder(words);
    expect(reading.ok ? "" : reading.message).toContain(sentence);
  });
});

describe("a package", () => {
  it("of the fallback Electron is refused without --test-build", async () => {
    // The folder of an Electron of another version than the packages ask for.
    const dir = await temporaryFolder();
    await writeFile(path.join(dir, "version"), "33.2.1");
    const refusal = await run(process.execPath, ["build/dist.ts", "dir"], {
      cwd: root,
      env: { ...process.env, ELECTRON_OVERRIDE_DIST_PATH: dir },
    }).catch((error: { code: number; stderr: string }) => error);
    expect(refusal).toMatchObject({ code: 2 });
    expect(refusal.stderr).toContain("add --test-build, which marks it TEST");
  });

  it("of the fallback Electron says TEST in its name, its version and its file; one of the official does not", () => {
    const test = markedFor({ isOfficial: false });
    expect(test.productName).toBe("Vitrine TEST");
    expect(test.version).toMatch(/^\d+\.\d+\.\d+-test$/);
    expect(test.fileName).toContain("TEST");
    expect(JSON.stringify(markedFor({ isOfficial: true }))).not.toMatch(
      /TEST|-test/,
    );
  });

  it.each([
    ["nsis", "linux", [], "must be built on Windows"],
    ["portable", "linux", [], "must be built on Windows"],
    ["AppImage", "win32", [], "must be built on Linux"],
    ["rpm", "linux", [], "lacks rpmbuild"],
    ["deb", "linux", [], "lacks dpkg-deb"],
    ["deb", "linux", ["dpkg-deb"], null],
    ["deb", "linux", ["fpm"], "lacks dpkg-deb"],
    ["dir", "win32", [], null],
  ] as const)("%s on %s with %j: %s", (target, platform, there, lacks) => {
    const found = lacksOf(target, platform, (name) =>
      (there as readonly string[]).includes(name) ? `/usr/bin/${name}` : null,
    );
    if (lacks === null) expect(found).toBeNull();
    else expect(found).toContain(lacks);
  });

  it.each([
    [
      "AppImage",
      "  • building target=AppImage\n  ⨯ getaddrinfo ENOTFOUND tools.example\n    at x",
      "lacks the runtime of AppImages and mksquashfs, which electron-builder fetches from tools.example; that cannot be reached from here.",
    ],
    [
      "nsis",
      "  ⨯ connect ECONNREFUSED 192.0.2.1:443\n",
      "lacks NSIS, its plug-ins or 7-Zip, which electron-builder fetches from 192.0.2.1:443; that cannot be reached from here. Name the folders of NSIS and of its plug-ins in ELECTRON_BUILDER_NSIS_DIR and ELECTRON_BUILDER_NSIS_RESOURCES_DIR, and the program 7za in ELECTRON_BUILDER_7ZIP_PATH.",
    ],
    [
      "portable",
      "  ⨯ getaddrinfo EAI_AGAIN tools.example  failedTask=build stackTrace=RequestError: getaddrinfo EAI_AGAIN tools.example\n    at x",
      "lacks NSIS, its plug-ins or 7-Zip, which electron-builder fetches from tools.example; that cannot be reached from here.",
    ],
    [
      "rpm",
      "  ⨯ Response code 404 (Not Found) for http://tools.example/fpm.7z  failedTask=build\n    at x",
      "lacks fpm, which electron-builder fetches from http://tools.example/fpm.7z; that answers 404.",
    ],
    [
      "rpm",
      "  ⨯ no space left on the disk\n    at x",
      "was not built; electron-builder reports: no space left on the disk",
    ],
  ] as const)(
    "%s that cannot be made after %j",
    (target, printed, expected) => {
      expect(whyNotMade(target, printed)).toBe(expected);
    },
  );

  it.runIf(process.platform !== "win32")(
    "starts for every user, however strict the umask was that it was built with",
    async () => {
      const dir = await temporaryFolder();
      const modes = [
        ["usr", 0o700, 0o755],
        ["usr/lib", 0o2750, 0o2755],
        ["usr/lib/vitrine", 0o700, 0o755],
        ["usr/lib/chrome-sandbox", 0o4700, 0o4755],
        ["usr/lib/app.asar", 0o600, 0o644],
        ["usr/lib/LICENSE", 0o440, 0o644],
      ] as const;
      for (const folder of ["usr", "usr/lib"])
        await mkdir(path.join(dir, folder));
      for (const [name] of modes.slice(2))
        await writeFile(path.join(dir, name), "");
      await symlink("app.asar", path.join(dir, "usr/lib/link"));
      for (const [name, before] of modes.toReversed())
        await chmod(path.join(dir, name), before);
      await makeReadableByAll(dir);
      for (const [name, , after] of modes)
        expect([
          name,
          (await stat(path.join(dir, name))).mode & 0o7777,
        ]).toEqual([name, after]);
    },
  );

  it("is looked through for what does not belong to it, in the archive and beside it", async () => {
    const dir = await temporaryFolder();
    const header = JSON.stringify({
      files: {
        "package.json": { size: 1 },
        dist: {
          files: { "main.cjs": { size: 1 }, "main.cjs.map": { size: 1 } },
        },
        node_modules: { files: { react: { files: { "index.js": {} } } } },
      },
    });
    const archive = Buffer.alloc(16 + header.length);
    archive.writeUInt32LE(header.length, 12);
    archive.write(header, 16);
    await mkdir(path.join(dir, "resources", "app"), { recursive: true });
    await writeFile(path.join(dir, "resources", "app.asar"), archive);
    await writeFile(path.join(dir, "resources", "app", "main.js"), "");
    expect(checkContents(dir)).toEqual([
      `${path.join("resources", "app", "main.js")} is an app beside the archive.`,
      "app.asar/dist/main.cjs.map is a source map.",
      "app.asar/node_modules/react/index.js is a package that is bundled or not needed.",
    ]);
  });
});

describe("the installer for Windows", () => {
  const script = readFileSync(
    path.join(root, "build/windows/installer.nsh"),
    "utf8",
  );
  const macro = (name: string): string =>
    new RegExp(`^!macro ${name}\\n([^]*?)^!macroend`, "m").exec(script)?.[1] ??
    "";

  it("asks about the folders of the user who removes it, however it was installed, and names them", () => {
    const question = macro("customUnInstall");
    const [, prompt = ""] = /^ +"(Remove .*)"/m.exec(question) ?? [];
    const at = question.indexOf("MessageBox");
    expect(question.indexOf("SetShellVarContext current")).toBeLessThan(at);
    for (const folder of ["Vitrine", "Vitrine-content"]) {
      expect(prompt).toContain(`$LOCALAPPDATA\\${folder}$`);
      for (const profile of ["$LOCALAPPDATA", "$APPDATA"])
        expect(question).toContain(`RMDir /r "${profile}\\${folder}"`);
    }
    // Everything after it is about the installation again.
    expect(question.slice(at)).toMatch(
      /keepIt:\s+\$\{if\} \$installMode == "all"\s+SetShellVarContext all/,
    );
  });

  it("ends the supervisor before the player, and starts it again once the new files are there", () => {
    const end = macro("endPlayer");
    expect(end.indexOf("schtasks.exe")).toBeGreaterThan(0);
    expect(end.indexOf("schtasks.exe")).toBeLessThan(
      end.indexOf("taskkill.exe"),
    );
    for (const moment of ["customInit", "customCheckAppRunning"])
      expect(macro(moment)).toContain("!insertmacro endPlayer");
    expect(macro("customInstall")).toContain(
      `schtasks.exe" /run /tn ${taskName}`,
    );
    expect(end).toContain(`schtasks.exe" /end /tn ${taskName}`);
  });

  it("goes back to an older version, or beside an installation for all users, only after a word", () => {
    expect(macro("askBeforeOlder")).toMatch(
      /MessageBox [^]*\/SD IDNO IDYES goBack\s+SetErrorLevel 3\s+Quit/,
    );
    expect(macro("customCheckAppRunning")).toMatch(
      /installMode == "CurrentUser"[^]*MessageBox [^]*SetErrorLevel 4\s+Quit/,
    );
  });

  it("opens the firewall for the program, takes that back, and leaves no installer behind", () => {
    expect(macro("customInstall")).toContain("firewall add rule");
    expect(macro("customUnInstall")).toContain("firewall delete rule");
    expect(macro("removeUpdatersCopy")).toContain(
      'RMDir /r "$LOCALAPPDATA\\vitrine-updater"',
    );
    for (const moment of ["customInstall", "customUnInstall"])
      expect(macro(moment)).toContain("!insertmacro removeUpdatersCopy");
  });
});

describe("an icon for Windows", () => {
  it("holds its images one after the other, each with its size and place", () => {
    const images = [16, 256].map((size) => ({
      size,
      image: Buffer.alloc(size, size % 251),
    }));
    const ico = icoOf(images);
    expect([...ico.subarray(0, 6)]).toEqual([0, 0, 1, 0, 2, 0]);
    images.forEach(({ size, image }, at) => {
      const entry = 6 + 16 * at;
      expect(ico[entry]).toBe(size === 256 ? 0 : size);
      const length = ico.readUInt32LE(entry + 8);
      const from = ico.readUInt32LE(entry + 12);
      expect(ico.subarray(from, from + length)).toEqual(image);
    });
  });
});
