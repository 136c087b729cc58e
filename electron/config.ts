// Configuration: folders, ports and start flags, read once into one value; the only file of the app that reads its environment.

import { homedir } from "node:os";
import { realpathSync } from "node:fs";
import { isIP } from "node:net";
import { posix, sep, win32 } from "node:path";
import * as z from "zod";
import { defaultApiPort } from "../server/contract/v2/api-port.ts";
import { httpsComplaint } from "../server/platform/http/tls-options.ts";
import {
  flagLines,
  readStart,
  type Environment,
  type Reading,
  type Source,
} from "../server/platform/process/start-flags.ts";
import { defaultDataDir } from "./data-folder.ts";
import {
  supervisionOf,
  type Supervision,
} from "./lifecycle/windows-supervisor-arguments.ts";

const integer = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number);

const windowBounds = z
  .string()
  .regex(/^\d+x\d+(\+\d+\+\d+)?$/i)
  .transform((text) => {
    const [width = 0, height = 0, x = 0, y = 0] = text
      .split(/[x+]/i)
      .map(Number);
    return { width, height, x, y };
  })
  // Below a quarter of VGA nothing is legible; no display exceeds 8K.
  .refine(
    ({ width, height }) =>
      width >= 320 && width <= 7680 && height >= 240 && height <= 4320,
  );

const yes = z.stringbool({
  truthy: ["1", "true", "yes"],
  falsy: ["0", "false", "no"],
});

const fields = {
  dataDir: z.string().min(1),
  // The port at which content services expect such a player.
  apiPort: integer.refine((port) => port <= 65535).default(defaultApiPort),
  // Only this machine itself; with any other address the player does not start without access tokens.
  apiHost: z
    .string()
    .refine(
      (host) =>
        isIP(host) !== 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(host),
    )
    .default("127.0.0.1"),
  // With it, other devices use HTTPS, and the API port is for this PC only.
  httpsPort: integer.refine((port) => port <= 65535).optional(),
  // Without them, the player generates a certificate.
  tlsCert: z.string().min(1).optional(),
  tlsKey: z.string().min(1).optional(),
  // A player owns its display; a window is for development.
  window: z
    .union([z.literal("fullscreen"), windowBounds])
    .default("fullscreen"),
  // The first display; most machines have no other.
  display: integer.refine((index) => index < 64).default(0),
  // On the first start the manager should open next to the playback window.
  noManager: yes.default(false),
  // The manager searches the network while its forms are open, and a player that others can reach announces itself.
  noDiscovery: yes.default(false),
  // For PCs that are set up alike; without the flag, the setting counts.
  shareFiles: yes.default(false),
  page: z
    .string()
    .regex(/^[a-z]+$/)
    .optional(),
  // Only a container or a machine that runs it as root has to disable the sandbox.
  noSandbox: yes.default(false),
  virtualScreen: yes.default(false),
  // Without the flag, the setting counts.
  profile: z.enum(["desk", "unattended"]).optional(),
  // Read before all others (windows-supervisor-arguments.ts); here for the list of flags.
  supervise: yes.default(false),
  siteCheck: yes.default(false),
  // Called by windows.ps1, with the file of its order.
  windowsSetup: z.string().min(1).optional(),
  json: yes.default(false),
  tryKill: yes.default(false),
  setExitPin: yes.default(false),
  setPassword: yes.default(false),
  help: yes.default(false),
  version: yes.default(false),
  sqliteBinding: z.string().min(1).optional(),
  // A packaged player with this value, and every development build, only records.
  power: z.literal("dry-run").optional(),
  // External watchdogs: systemd by its socket, the supervisor by a file.
  notifySocket: z.string().optional(),
  heartbeat: z.string().optional(),
  supervisor: z.string().regex(/^\d+$/).transform(Number).optional(),
  supervisorProgram: z.string().optional(),
  // An AppImage runs from a mount that disappears with it; this is the path of its file.
  appImage: z.string().optional(),
  // So does a portable program for Windows.
  portableProgram: z.string().optional(),
  // The folder that all users of a Windows PC share.
  programData: z.string().default("C:\\ProgramData"),
  // The user's configuration folder, with the desktop's autostart entries.
  configDir: z.string().optional(),
  // Where Chromium finds its X server, if any.
  xDisplay: z.string().optional(),
  xAuthority: z.string().optional(),
};

export type Config = Readonly<z.output<z.ZodObject<typeof fields>>> & {
  /** Where an earlier version on Windows stored what is now in `dataDir`. */
  readonly formerDataDir?: string;
};

const sources: Readonly<Record<keyof typeof fields, Source>> = {
  dataDir: {
    flag: "--data-dir",
    value: "DIR",
    env: "VITRINE_DATA_DIR",
    expected: "a folder",
    help: "Folder for content and settings. Default: ~/.config/vitrine; on Windows, %LOCALAPPDATA%\\Vitrine",
  },
  apiPort: {
    flag: "--api-port",
    value: "N",
    env: "VITRINE_API_PORT",
    expected: "a port number from 1 to 65535, or 0 for any free one",
    help: "Port of the API and the manager. Default: 8080",
  },
  apiHost: {
    flag: "--api-host",
    value: "HOST",
    env: "VITRINE_API_HOST",
    expected:
      "an address or host name of this PC: 127.0.0.1 for this PC only, 0.0.0.0 for everyone with an access token or the password",
    help: "Address to listen on: 127.0.0.1 (default) for this PC only, 0.0.0.0 for everyone with an access token or the password",
  },
  httpsPort: {
    flag: "--https-port",
    value: "N",
    env: "VITRINE_HTTPS_PORT",
    expected:
      "a port number from 1 to 65535, or 0 for any free one: --api-host is open over HTTPS there, and --api-port to this PC only",
    help: "Port for HTTPS. With it, other devices can use HTTPS only",
  },
  tlsCert: {
    flag: "--tls-cert",
    value: "FILE",
    env: "VITRINE_TLS_CERT",
    expected:
      "a file with the certificate and its chain, as PEM; without it, the player generates a certificate",
    help: "PEM file with the certificate and its chain. Default: the player generates a certificate",
  },
  tlsKey: {
    flag: "--tls-key",
    value: "FILE",
    env: "VITRINE_TLS_KEY",
    expected: "a file with the private key of the certificate, as PEM",
    help: "PEM file with the private key of the certificate",
  },
  window: {
    flag: "--window",
    value: "fullscreen|WxH[+X+Y]",
    env: "VITRINE_WINDOW",
    expected:
      '"fullscreen" or a size from 320x240 to 7680x4320, such as 1280x720, optionally with its position on the display: 1280x720+0+40',
    help: "Full screen (default), or a window of this size and position, such as 1280x720+0+40",
  },
  display: {
    // Not --display: that one belongs to Chromium and GTK, and names an X server.
    flag: "--screen",
    value: "N",
    env: "VITRINE_SCREEN",
    formerEnv: "VITRINE_DISPLAY",
    expected: "the number of a display, counted from 0",
    help: "Number of the display for playback, counted from 0. Default: 0",
  },
  noManager: {
    flag: "--no-manager",
    env: "VITRINE_NO_MANAGER",
    expected: "1 or 0",
    help: "Do not open the manager at startup",
  },
  noDiscovery: {
    flag: "--no-discovery",
    env: "VITRINE_NO_DISCOVERY",
    expected: "1 or 0",
    help: "Do not announce this player on the local network, or search that network",
  },
  shareFiles: {
    flag: "--share-files",
    env: "VITRINE_SHARE_FILES",
    expected: "1 or 0",
    help: "Share downloaded files with players of the same team on this network. Default: the setting",
  },
  page: {
    flag: "--page",
    value: "NAME",
    env: "VITRINE_PAGE",
    expected:
      'the page that the manager opens with, such as "screens" or "schedule"',
    help: "The page that the manager opens with, such as screens or schedule",
  },
  // Chromium reads it from the command line before this program starts: no variable could do the same.
  noSandbox: {
    flag: "--no-sandbox",
    expected: "1 or 0",
    help: "Turn off Chromium's sandbox; only where it cannot work, such as in some containers or as root",
  },
  virtualScreen: { env: "VITRINE_VIRTUAL_SCREEN", expected: "1 or 0" },
  profile: {
    flag: "--profile",
    value: "desk|unattended",
    env: "VITRINE_PROFILE",
    expected: '"desk" or "unattended"',
    help: "unattended turns kiosk mode on, desk turns it off. Default: the setting",
  },
  supervise: {
    flag: "--supervise",
    expected: "nothing",
    help: "On Windows: start the player with these options, and restart it if it stops",
  },
  siteCheck: {
    flag: "--site-check",
    env: "VITRINE_SITE_CHECK",
    expected: "1 or 0",
    help: "Check this PC and suggest fixes, instead of playing",
  },
  windowsSetup: {
    flag: "--windows-setup",
    value: "FILE",
    expected: "the file that windows.ps1 writes",
    help: "For windows.ps1 only",
  },
  json: {
    flag: "--json",
    env: "VITRINE_JSON",
    expected: "1 or 0",
    help: "With --site-check: print JSON",
  },
  tryKill: {
    flag: "--try-kill",
    env: "VITRINE_TRY_KILL",
    expected: "1 or 0",
    help: "With --site-check: also test crash recovery, which interrupts playback",
  },
  setExitPin: {
    flag: "--set-exit-pin",
    env: "VITRINE_SET_EXIT_PIN",
    expected: "1 or 0",
    help: "Read a new exit PIN from standard input; an empty line removes it",
  },
  setPassword: {
    flag: "--set-password",
    env: "VITRINE_SET_PASSWORD",
    expected: "1 or 0",
    help: "Read a new password for browsers from standard input; an empty line removes it",
  },
  help: { flag: "--help", expected: "nothing", help: "Print these options" },
  version: {
    flag: "--version",
    expected: "nothing",
    help: "Print the version",
  },
  notifySocket: {
    env: "NOTIFY_SOCKET",
    expected: "a systemd notification socket",
  },
  heartbeat: { env: "VITRINE_HEARTBEAT", expected: "a file" },
  supervisor: { env: "VITRINE_SUPERVISOR", expected: "a process id" },
  supervisorProgram: {
    env: "VITRINE_SUPERVISOR_PROGRAM",
    expected: "a program",
  },
  appImage: { env: "APPIMAGE", expected: "a file" },
  portableProgram: { env: "PORTABLE_EXECUTABLE_FILE", expected: "a file" },
  programData: { env: "ProgramData", expected: "a folder" },
  configDir: { env: "XDG_CONFIG_HOME", expected: "a folder" },
  power: { env: "VITRINE_POWER", expected: "dry-run" },
  sqliteBinding: {
    env: "VITRINE_SQLITE_BINDING",
    expected: "the path of the compiled better-sqlite3",
  },
  xDisplay: { env: "DISPLAY", expected: "the name of an X server" },
  xAuthority: { env: "XAUTHORITY", expected: "a file" },
};

/** Whether it prints something and ends, instead of playing. */
export function isCommand(config: Config): boolean {
  const { help, version, setExitPin, setPassword, siteCheck } = config;
  return (
    help ||
    version ||
    setExitPin ||
    setPassword ||
    siteCheck ||
    config.windowsSetup !== undefined
  );
}

/** `readConfig(["--api-port", "8081"], {})`: flags take precedence over the environment, the environment over defaults. */
export function readConfig(
  flags: readonly string[],
  env: Environment,
  program = process.execPath,
  platform = process.platform,
): Reading<Config> {
  const byDefault = defaultDataDir(env, platform);
  const dataDir = fields.dataDir
    .transform((dir) => (platform === "win32" ? win32 : posix).resolve(dir))
    .default(byDefault);
  const environment = {
    ...env,
    APPIMAGE: runningAppImage(env, program),
    PORTABLE_EXECUTABLE_FILE: runningPortable(env),
  };
  const reading = readStart(
    { ...fields, dataDir },
    sources,
    flags,
    environment,
  );
  if (!reading.ok) return reading;
  const message = httpsComplaint(reading.value);
  if (message !== null) return { ok: false, message };
  if (platform !== "win32") return reading;
  return { ok: true, value: withFormerFolder(reading.value, byDefault, env) };
}

/**
 * The autostart entry of an earlier version on Windows names its folder by a flag: that counts as the default, too. Names are
 * case-insensitive there.
 */
function withFormerFolder(
  config: Config,
  byDefault: string,
  env: Environment,
): Config {
  const roaming = env.APPDATA || win32.join(homedir(), "AppData", "Roaming");
  const formerDataDir = win32.join(roaming, "Vitrine");
  const isOne = [byDefault, formerDataDir].some(
    (dir) => dir.toLowerCase() === config.dataDir.toLowerCase(),
  );
  return isOne
    ? Object.freeze({ ...config, dataDir: byDefault, formerDataDir })
    : config;
}

/** A terminal that is an AppImage itself passes its own variables to everything started in it (V2-369). */
function runningAppImage(
  { APPIMAGE, APPDIR }: Environment,
  program: string,
): string | undefined {
  if (!APPIMAGE || !APPDIR) return undefined;
  try {
    const isInside = program.startsWith(`${realpathSync(APPDIR)}${sep}`);
    return isInside ? APPIMAGE : undefined;
  } catch {
    // The path no longer exists, so it was not this program's.
    return undefined;
  }
}

/** Whatever a portable program starts inherits its variables (V2-695). */
function runningPortable(env: Environment): string | undefined {
  const name = env.PORTABLE_EXECUTABLE_APP_FILENAME ?? "";
  return /^vitrine/i.test(name) ? env.PORTABLE_EXECUTABLE_FILE : undefined;
}

/** Configuration of this process; a test driver is allowed only where Electron itself allows it. */
export function readProcessConfig(
  isDefaultApp: boolean,
  mayBeDriven: boolean,
): Reading<Config> {
  const flags = flagsFrom(process.argv, isDefaultApp, mayBeDriven);
  return readConfig(flags, process.env);
}

/** Configuration as a supervisor, where this process is started to watch a player instead of playing. */
export function readProcessSupervision(
  isDefaultApp: boolean,
): Supervision | null {
  const flags = flagsFrom(process.argv, isDefaultApp);
  const words = process.argv.slice(1);
  return supervisionOf(process.execPath, words, flags, process.env);
}

/** From now on, for Chromium and every child too. */
export function putTemporaryFilesIn(dir: string): void {
  process.env.TMPDIR = dir;
}

/**
 * The app's own flags: what follows the app's path in development, what follows the executable otherwise. Switches for Node,
 * Chromium or a test driver come before them.
 */
export function flagsFrom(
  argv: readonly string[],
  isDefaultApp: boolean,
  mayBeDriven = true,
): readonly string[] {
  let index = 1;
  // In a shipped package a test driver's switch is as unknown as any other.
  if (!isDefaultApp && !mayBeDriven) return argv.slice(1);
  for (; index < argv.length; index++) {
    const word = argv[index] ?? "";
    if (word === "-r" || word === "--require") index++;
    else if (isDefaultApp ? !word.startsWith("-") : !isDriversSwitch(word))
      break;
  }
  return argv.slice(isDefaultApp ? index + 1 : index);
}

function isDriversSwitch(word: string): boolean {
  return /^--(inspect|remote-debugging-port)(-brk)?(=|$)/.test(word);
}

/** For `--help`. */
export function helpText(): string {
  return flagLines(sources);
}
