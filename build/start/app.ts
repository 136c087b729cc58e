// Runs Electron with our app: opens it on a screen, stops it gracefully, then by force.

import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import type { Socket } from "node:net";
import { constants } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { orderEnd } from "../../server/platform/process/end-requests.ts";
import { divertChromiumOutput } from "./chromium-output.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const timeoutMs = 4000;

export interface OpenApp {
  /** The app's exit code. */
  readonly ended: Promise<number>;
  stop(): void;
}

export interface AppOptions {
  readonly flags: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** The player's data folder, where Chromium's output is stored. */
  readonly dataDir: string;
  /** A file to run in the main process before the app. */
  readonly before?: string | undefined;
}

/** Wait for the last lines of an ended app; another copy may keep the same pipe open much longer. */
const lastLinesMs = 250;

export function openApp(options: AppOptions): OpenApp {
  const { env, dataDir } = options;
  const [program, ...args] = commandFor(options);
  const child = spawn(program, args, {
    ...{ cwd: root, env, stdio: ["inherit", "inherit", "pipe"] },
  });
  const { stderr, pid } = child;
  // Without an id it could not be started, and prints nothing.
  const output =
    pid !== undefined && stderr
      ? divertChromiumOutput(stderr, {
          mainProcess: pid,
          dir: path.join(dataDir, "log"),
        })
      : null;
  let killing: NodeJS.Timeout | undefined;
  let isStopping = false;

  const ended = new Promise<number>((resolve) => {
    child.on("error", (error) => {
      console.error(`Electron could not be started: ${error.message}`);
      resolve(1);
    });
    child.on("exit", (code, signal) => {
      clearTimeout(killing);
      const status = code ?? 128 + (signal ? constants.signals[signal] : 0);
      const end = (): void => {
        clearTimeout(late);
        // Exit code 2 means the app has already printed why it did not start.
        if (status !== 0 && status !== 2 && !isStopping)
          console.error(crashSentence(status, signal, output?.file() ?? null));
        resolve(status);
      };
      const late = setTimeout(end, lastLinesMs);
      child.once("close", end);
      (stderr as Socket | null)?.unref();
    });
  });
  const stop = () => {
    isStopping = true;
    if (killing) return;
    killing = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
    // A signal to another process kills it on Windows.
    if (process.platform !== "win32") child.kill("SIGTERM");
    else orderEnd(dataDir, "app").catch(() => child.kill("SIGKILL"));
  };
  return { ended, stop };
}

function crashSentence(
  status: number,
  signal: NodeJS.Signals | null,
  file: string | null,
): string {
  const how = signal === null ? `exit code ${status}` : `${status}, ${signal}`;
  const where = file === null ? "" : ` Details: ${file}`;
  return `Vitrine stopped unexpectedly (${how}).${where}`;
}

/** Electron with our app; for end-to-end tests with VITRINE_PACKAGE, the program of a package instead. */
function commandFor({
  flags,
  env,
  before,
}: Omit<AppOptions, "dataDir">): readonly [string, ...string[]] {
  if (env.VITRINE_PACKAGE && before === undefined)
    return [env.VITRINE_PACKAGE, ...flags];
  const electron = createRequire(import.meta.url)("electron") as string;
  const loader = before === undefined ? [] : ["-r", before];
  return [electron, ...loader, ".", ...flags];
}

export function onStopSignal(stop: () => void): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"])
    process.on(signal, stop);
}
