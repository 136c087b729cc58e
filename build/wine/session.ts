// Wine session in its own root folder and namespaces: however this process ends, its mounts and processes end with it.

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";

export interface WineRun {
  /** A file on the host: Windows' Node cannot write to a Linux pipe. */
  readonly output: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Path within the root folder. */
  readonly cwd?: string;
}

export interface WineSession {
  /** Runs a Windows program to its end; returns its exit code. */
  run(
    program: string,
    args: readonly string[],
    options: WineRun,
  ): Promise<number>;
  /** Runs a Linux program of the root folder. */
  runLinux(
    program: string,
    args: readonly string[],
    options: WineRun,
  ): Promise<number>;
  /** The words by which a process outside starts a Linux program of the root folder. */
  commandOf(
    program: string,
    options?: Pick<WineRun, "env" | "cwd">,
  ): readonly string[];
  close(): Promise<void>;
}

/** Runs 64-bit programs; the wrapper on the PATH would ask for its 32-bit half. */
export const wine64 = "/usr/lib/wine/wine64";

/** `/proc` and `/dev` are visible to this session only; its first process runs until it is killed. */
const enter =
  'mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc" && echo open && exec sleep infinity';

const ownEnvironment = {
  PATH: "/usr/sbin:/usr/bin:/sbin:/bin",
  HOME: "/root",
  LC_ALL: "C.UTF-8",
  WINEPREFIX: "/root/prefix",
  WINEDEBUG: "-all",
  // Neither .NET nor a browser is needed, and Wine would ask to install both.
  WINEDLLOVERRIDES: "mscoree=;mshtml=",
};

/** Requires root privileges. */
export async function openWine(root: string): Promise<WineSession> {
  // Killed together with this process, even on SIGKILL; everything in its namespaces ends with it.
  const init = spawn(
    "setpriv",
    [
      ...["--pdeathsig", "KILL", "unshare", "--mount", "--pid", "--fork"],
      ...["--kill-child", "sh", "-c", enter, root],
    ],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  const ended = once(init, "close");
  await untilOpen(init);
  const first = childOf(init.pid ?? 0);

  function commandOf(
    program: string,
    { env = {}, cwd = "/" }: Pick<WineRun, "env" | "cwd"> = {},
  ): readonly string[] {
    const variables = { ...ownEnvironment, ...env };
    return [
      ...["nsenter", "--target", String(first), "--mount", "--pid", "--"],
      ...["chroot", root, "/usr/bin/env", "-i", `--chdir=${cwd}`],
      ...Object.entries(variables).map(([name, value]) => `${name}=${value}`),
      program,
    ];
  }

  async function runLinux(
    program: string,
    args: readonly string[],
    { output, ...options }: WineRun,
  ): Promise<number> {
    const file = await open(output, "a");
    try {
      const [command = "", ...words] = commandOf(program, options);
      const child = spawn(command, [...words, ...args], {
        stdio: ["ignore", file.fd, file.fd],
      });
      const [code] = (await once(child, "exit")) as [number | null];
      return code ?? 1;
    } finally {
      await file.close();
    }
  }

  return {
    ...{ commandOf, runLinux },
    run: (program, args, options) =>
      runLinux(wine64, [program, ...args], options),
    close: async () => {
      if (init.exitCode !== null || init.signalCode !== null) return;
      const output = path.join(root, "tmp", "wineserver.log");
      // Flushes Wine's registry to disk before it ends.
      await runLinux("/usr/lib/wine/wineserver64", ["-k"], { output });
      await runLinux("/usr/lib/wine/wineserver64", ["-w"], { output });
      init.kill("SIGKILL");
      await ended;
    },
  };
}

function untilOpen(init: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = "";
    const receive = (chunk: Buffer): void => {
      output += chunk.toString();
      if (output.startsWith("open\n")) resolve();
    };
    init.stdout?.on("data", receive);
    init.stderr?.on("data", receive);
    init.once("error", reject);
    init.once("close", () =>
      reject(new Error(`Wine's root folder cannot be entered: ${output}`)),
    );
  });
}

function childOf(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return Number(children.trim().split(" ")[0]);
}
