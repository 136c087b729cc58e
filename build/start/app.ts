// Electron with our app in it: opened on a screen, stopped politely, then firmly.

import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const patienceMs = 4000;

export interface OpenApp {
  /** The app's exit code. */
  readonly ended: Promise<number>;
  stop(): void;
}

export interface AppOptions {
  readonly flags: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** A file to run in the main process before the app. */
  readonly before?: string | undefined;
}

export function openApp({ flags, env, before }: AppOptions): OpenApp {
  const [program, ...args] = commandFor({ flags, env, before });
  const child = spawn(program, args, { cwd: root, env, stdio: "inherit" });
  let killing: NodeJS.Timeout | undefined;

  const ended = new Promise<number>((resolve) => {
    child.on("error", (error) => {
      console.error(`Electron could not be started: ${error.message}`);
      resolve(1);
    });
    child.on("exit", (code, signal) => {
      clearTimeout(killing);
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0));
    });
  });
  const stop = () => {
    if (killing) return;
    child.kill("SIGTERM");
    killing = setTimeout(() => child.kill("SIGKILL"), patienceMs);
  };
  return { ended, stop };
}

/** Electron with our app; for the journeys, with VITRINE_PACKAGE, the program of a package instead. */
function commandFor({
  flags,
  env,
  before,
}: AppOptions): readonly [string, ...string[]] {
  if (env.VITRINE_PACKAGE && before === undefined)
    return [env.VITRINE_PACKAGE, ...flags];
  const electron = createRequire(import.meta.url)("electron") as string;
  const loader = before === undefined ? [] : ["-r", before];
  return [electron, ...loader, ".", ...flags];
}

export function onStopSignal(stop: () => void): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, stop);
}
