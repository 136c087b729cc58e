// The package as it would be installed, built from this tree; started outside the tree, with nothing of it in the environment.

import { execFile, spawn } from "node:child_process";
import { cp, readdir, readFile, readlink, rm } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { FuseV1Options, FuseVersion, flipFuses } from "@electron/fuses";
import { afterThisTest } from "../after-this-test.ts";
import { temporaryFolder } from "../folder.ts";
import type { VirtualScreen } from "../screen/screen.ts";
import {
  follow,
  speakTo,
  type LaunchedApp,
  type RunningApp,
} from "./start-app.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Returns the folder. */
export async function makePackage(): Promise<string> {
  await run(process.execPath, ["build/dist.ts", "dir", "--test-build"], {
    cwd: root,
    maxBuffer: 2 ** 26,
  });
  return path.join(root, "release", "linux-unpacked");
}

/** The same except for one fuse: a test driver is allowed. Returns the program. */
export async function makeDrivable(folder: string): Promise<string> {
  const copy = `${folder}-drivable`;
  await rm(copy, { recursive: true, force: true });
  await cp(folder, copy, { recursive: true });
  const program = path.join(copy, "vitrine");
  await flipFuses(program, {
    version: FuseVersion.V1,
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
  });
  return program;
}

export interface PackageOptions {
  readonly folder: string;
  readonly screen?: VirtualScreen;
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly dataDir?: string;
  /** How it is started: by itself, or by the supervisor that comes with it. */
  readonly by?: "itself" | "supervisor";
}

export function launchPackage({
  folder,
  screen,
  flags = [],
  env = {},
  by = "itself",
}: PackageOptions): LaunchedApp {
  const program = path.join(folder, "vitrine");
  const supervisor = path.join(folder, "resources", "vitrine-supervisor");
  const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const words = [program, ...asRoot, ...flags];
  const [first = "", ...rest] =
    by === "supervisor" ? [supervisor, ...words] : words;
  const child = spawn(first, rest, {
    cwd: "/",
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...(screen && { DISPLAY: screen.display, VITRINE_VIRTUAL_SCREEN: "1" }),
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return follow(child);
}

export interface RunningPackage extends RunningApp {
  /** Of the main process, which the supervisor may have restarted. */
  mainPid(): Promise<number>;
}

/** `apiPort` fixes its port, so that it is the same after a restart. */
export async function startPackage(
  options: PackageOptions & { readonly apiPort?: number },
): Promise<RunningPackage> {
  const dataDir = options.dataDir ?? (await temporaryFolder());
  const app = launchPackage({
    ...options,
    flags: [
      ...["--data-dir", dataDir, "--api-port", String(options.apiPort ?? 0)],
      ...(options.flags ?? []),
    ],
  });
  afterThisTest(app.stop);
  const api = await app.printed(/API (http:\/\/\S+)\s/);
  return {
    ...speakTo(api),
    process: app.process,
    dataDir,
    output: app.output,
    stop: app.stop,
    mainPid: () => pidOfPlayer(dataDir),
  };
}

/** Read from Chromium's lock: `host-pid`. */
export async function pidOfPlayer(dataDir: string): Promise<number> {
  const lock = await readlink(path.join(dataDir, "chromium", "SingletonLock"));
  return Number(lock.slice(lock.lastIndexOf("-") + 1));
}

/** Ports on which this process listens, by its own sockets in the kernel's tables. */
export async function listeningPorts(pid: number): Promise<readonly number[]> {
  const files = await readdir(`/proc/${pid}/fd`);
  const links = await Promise.all(
    files.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => "")),
  );
  const sockets = new Set(
    links.map((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1]),
  );
  const tables = await Promise.all(
    ["tcp", "tcp6"].map((table) =>
      readFile(`/proc/${pid}/net/${table}`, "utf8").catch(() => ""),
    ),
  );
  return tables
    .flatMap((table) => table.split("\n"))
    .map((line) => line.trim().split(/\s+/))
    .filter((columns) => columns[3] === "0A" && sockets.has(columns[9]))
    .map((columns) => parseInt((columns[1] ?? "").split(":")[1] ?? "", 16));
}
