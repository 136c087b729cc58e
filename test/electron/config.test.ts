// Start flags and environment variables: parsing, precedence and error messages.

import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import {
  flagsFrom,
  helpText,
  readConfig,
  type Config,
} from "../../electron/config.ts";

function configOf(
  flags: readonly string[],
  env: Record<string, string> = {},
): Config {
  const reading = readConfig(flags, env);
  if (!reading.ok) throw new Error(reading.message);
  return reading.value;
}

function refusalOf(
  flags: readonly string[],
  env: Record<string, string> = {},
): string {
  const reading = readConfig(flags, env);
  return reading.ok ? "" : reading.message;
}

describe("the configuration", () => {
  it("defaults to full screen, the usual port on this machine only, and a manager", () => {
    expect(configOf([])).toMatchObject({
      apiHost: "127.0.0.1",
      apiPort: 8080,
      window: "fullscreen",
      display: 0,
      noManager: false,
      noDiscovery: false,
      shareFiles: false,
      noSandbox: false,
      virtualScreen: false,
    });
  });

  it("lists every flag with its variable and what it does", () => {
    const lines = helpText().split("\n");
    expect(lines).toContainEqual(
      expect.stringMatching(/^ {2}--api-port N +VITRINE_API_PORT$/),
    );
    expect(lines).toContain("  --help");
    expect(lines).toContain("  --no-sandbox");
    const unexplained = lines.filter(
      (line, at) =>
        line.startsWith("  --") && !/^ {6}\S/.test(lines[at + 1] ?? ""),
    );
    expect(unexplained).toEqual([]);
  });

  it("accepts the former variable VITRINE_DISPLAY where neither VITRINE_SCREEN nor --screen is given", () => {
    const former = { VITRINE_DISPLAY: "1" };
    expect(configOf([], former).display).toBe(1);
    expect(configOf([], { ...former, VITRINE_SCREEN: "2" }).display).toBe(2);
    expect(configOf([], { ...former, VITRINE_SCREEN: "" }).display).toBe(1);
    expect(configOf(["--screen", "0"], former).display).toBe(0);
    expect(refusalOf([], { VITRINE_DISPLAY: "left" })).toMatch(
      /^VITRINE_DISPLAY is "left"; expected the number/,
    );
  });

  it("[V2-369] uses APPIMAGE only where the program is inside APPDIR", () => {
    const APPIMAGE = "/opt/Vitrine.AppImage";
    const folder = dirname(process.execPath);
    const imageOf = (env: Record<string, string>) =>
      configOf([], { APPIMAGE, ...env }).appImage;
    expect(imageOf({ APPDIR: folder })).toBe(APPIMAGE);
    expect(imageOf({ APPDIR: dirname(folder) })).toBe(APPIMAGE);
    const siblingFolder = join(folder, "beside");
    for (const APPDIR of [siblingFolder, folder.slice(0, -1), "/not/there", ""])
      expect(imageOf({ APPDIR })).toBeUndefined();
    expect(imageOf({})).toBeUndefined();
  });

  it("[V2-695] uses the file of a portable program only where it is Vitrine's own", () => {
    const PORTABLE_EXECUTABLE_FILE = "E:\\vitrine-portable.exe";
    const fileOf = (name?: string) =>
      configOf([], {
        PORTABLE_EXECUTABLE_FILE,
        ...(name !== undefined && { PORTABLE_EXECUTABLE_APP_FILENAME: name }),
      }).portableProgram;
    expect(fileOf("Vitrine")).toBe(PORTABLE_EXECUTABLE_FILE);
    for (const other of ["Terminal", "", undefined])
      expect(fileOf(other)).toBeUndefined();
  });

  it("is immutable", () => {
    expect(Object.isFrozen(configOf([]))).toBe(true);
  });

  it.each([
    [["--data-dir", "here"], { dataDir: resolve("here") }],
    [["--data-dir=here=there"], { dataDir: resolve("here=there") }],
    [["--api-port", "0"], { apiPort: 0 }],
    [["--api-port=65535"], { apiPort: 65535 }],
    [["--https-port", "8443"], { httpsPort: 8443 }],
    [["--api-host", "::1"], { apiHost: "::1" }],
    [["--api-host", "localhost"], { apiHost: "localhost" }],
    [["--api-host", "0.0.0.0"], { apiHost: "0.0.0.0" }],
    [["--window", "1280x720"], { window: { width: 1280, height: 720 } }],
    [["--window", "fullscreen"], { window: "fullscreen" }],
    [["--screen", "1"], { display: 1 }],
    [["--no-manager", "--no-sandbox"], { noManager: true, noSandbox: true }],
    [["--no-discovery"], { noDiscovery: true }],
    [["--share-files"], { shareFiles: true }],
    [["--screen", "1", "--screen", "2"], { display: 2 }],
    [["--profile", "unattended"], { profile: "unattended" }],
    [
      ["--site-check", "--json", "--try-kill"],
      { siteCheck: true, json: true, tryKill: true },
    ],
    [["--set-exit-pin"], { setExitPin: true }],
    [["--set-password"], { setPassword: true }],
    [["--version"], { version: true }],
    [["--help"], { help: true }],
  ])("parses %j as %j", (flags, expected) => {
    expect(configOf(flags)).toMatchObject(expected);
  });

  it.each([
    [{ VITRINE_DATA_DIR: "here" }, { dataDir: resolve("here") }],
    [{ VITRINE_API_PORT: "8081" }, { apiPort: 8081 }],
    [{ VITRINE_API_PORT: "" }, { apiPort: 8080 }],
    [{ VITRINE_WINDOW: "640x480" }, { window: { width: 640, height: 480 } }],
    [{ VITRINE_NO_MANAGER: "yes" }, { noManager: true }],
    [{ VITRINE_NO_MANAGER: "0" }, { noManager: false }],
    [{ VITRINE_NO_DISCOVERY: "1" }, { noDiscovery: true }],
    [{ VITRINE_SHARE_FILES: "1" }, { shareFiles: true }],
    [{ VITRINE_VIRTUAL_SCREEN: "1" }, { virtualScreen: true }],
    [{ VITRINE_SQLITE_BINDING: "/a.node" }, { sqliteBinding: "/a.node" }],
    [{ VITRINE_PROFILE: "desk" }, { profile: "desk" }],
    [{ NOTIFY_SOCKET: "@a" }, { notifySocket: "@a" }],
    [{ VITRINE_SUPERVISOR: "1234" }, { supervisor: 1234 }],
    [{ VITRINE_SOMETHING: "else" }, {}],
    [{ VITRINE_NO_SANDBOX: "1" }, { noSandbox: false }],
  ])("parses the environment %j as %j", (env, expected) => {
    expect(configOf([], env)).toMatchObject(expected);
  });

  it("prefers a flag to the environment", () => {
    const env = { VITRINE_API_PORT: "8081" };
    expect(configOf(["--api-port", "8082"], env).apiPort).toBe(8082);
  });

  it.runIf(process.platform === "linux")(
    "keeps its data in the system's folder for user data",
    () => {
      const usual = join(homedir(), ".config", "vitrine");
      expect(configOf([]).dataDir).toBe(usual);
      expect(configOf([], { XDG_CONFIG_HOME: "/cfg" }).dataDir).toBe(
        "/cfg/vitrine",
      );
      expect(configOf([], { XDG_CONFIG_HOME: "relative" }).dataDir).toBe(usual);
    },
  );
});

describe("a rejected start", () => {
  it.each([
    [["--colour", "red"], "Unknown option --colour."],
    [["stray"], 'Unknown argument "stray".'],
    [["-v"], 'Unknown argument "-v".'],
    [["--screen"], "--screen requires a value: the number of a display"],
    [["--data-dir", "--no-manager"], "--data-dir requires a value: a folder."],
    [["--data-dir="], "--data-dir requires a value: a folder."],
    [["--no-manager=1"], "--no-manager does not take a value."],
    [["--api-port", "abc"], '--api-port is "abc"; expected a port number'],
    [["--api-port", "-1"], '--api-port is "-1"; expected a port number'],
    [["--api-port=65536"], '--api-port is "65536"; expected a port number'],
    [["--api-port", "80.5"], '--api-port is "80.5"; expected a port number'],
    [["--window", "big"], '--window is "big"; expected "fullscreen" or'],
    [["--window", "100x100"], '--window is "100x100"; expected "fullscreen"'],
    [["--screen", "first"], '--screen is "first"; expected the number'],
    [["--profile", "kiosk"], '--profile is "kiosk"; expected "desk" or'],
    [["--tls-cert", "a.pem"], "--tls-cert and --tls-key must be set together."],
    [
      ["--tls-cert", "a.pem", "--tls-key", "b.pem"],
      "--tls-cert and --tls-key require --https-port.",
    ],
    [
      ["--https-port", "8080"],
      "--https-port and --api-port must be different.",
    ],
    [["--api-host", "no host"], '--api-host is "no host"; expected an address'],
    [["--api-host", "http://here"], '--api-host is "http://here"; expected'],
  ])(
    "names the flag, its value and what is expected: %j",
    (flags, sentence) => {
      expect(refusalOf(flags)).toContain(sentence);
      expect(refusalOf(flags)).not.toContain("\n");
    },
  );

  it.each([
    [{ VITRINE_API_PORT: "abc" }, 'VITRINE_API_PORT is "abc"; expected a port'],
    [{ VITRINE_NO_MANAGER: "maybe" }, 'VITRINE_NO_MANAGER is "maybe"'],
    [{ VITRINE_VIRTUAL_SCREEN: "2" }, 'VITRINE_VIRTUAL_SCREEN is "2"'],
  ])("names the variable: %j", (env, sentence) => {
    expect(refusalOf([], env)).toContain(sentence);
  });
});

describe("the app's own flags", () => {
  it.each([
    [["electron", ".", "--screen", "1"], true],
    [["electron", "--no-sandbox", "/an/app", "--screen", "1"], true],
    [
      [
        ...["electron", "--inspect=0", "--remote-debugging-port=0"],
        ...["-r", "loader.js", "/an/app", "--screen", "1"],
      ],
      true,
    ],
    [["vitrine", "--screen", "1"], false],
    [
      [
        ...["vitrine", "--inspect=0", "--remote-debugging-port=0"],
        ...["--screen", "1"],
      ],
      false,
    ],
  ])("are found in %j", (argv, isDefaultApp) => {
    expect(flagsFrom(argv, isDefaultApp)).toEqual(["--screen", "1"]);
  });

  it("include all arguments where no test driver is allowed", () => {
    const argv = ["vitrine", "--inspect=0", "--screen", "1"];
    expect(flagsFrom(argv, false, false)).toEqual([
      ...["--inspect=0", "--screen", "1"],
    ]);
  });

  it("may be empty", () => {
    expect(flagsFrom(["electron", "."], true)).toEqual([]);
    expect(flagsFrom(["vitrine"], false)).toEqual([]);
  });
});
