// Ends a process on request: by signals and, as signals of other processes kill on Windows, by a local command that carries the
// token of the run.

import { randomBytes, timingSafeEqual } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { replaceFileSync } from "../files/replace-file.ts";

/** Kind of program: several kinds may run on one data folder. */
export type RunningProgram = "app" | "player" | "sync" | "content";

/** Windows has Ctrl+C, Ctrl+Break (SIGBREAK) and closing the console (SIGHUP); no other system has SIGBREAK. */
const endSignals = ["SIGTERM", "SIGINT", "SIGHUP", "SIGBREAK"] as const;

/** Where each run of a program records how to reach it, in the data folder. */
const folderName = "running";
const maxOrderBytes = 200;
/** How long the listening process has to accept the command. */
const answerMs = 3_000;
const accepted = "ending\n";

/** One run, as in its file in the data folder. */
interface Run {
  readonly program: RunningProgram;
  /** Instances of several machines may share a folder; a command reaches only those of this machine. */
  readonly host: string;
  readonly pid: number;
  /** Path of a socket; on Windows a loopback port. */
  readonly at: string | number;
  readonly token: string;
}

export interface EndOnRequestOptions {
  readonly dataDir: string;
  readonly program: RunningProgram;
  /** Called once; it ends the process. */
  readonly end: () => void;
  /** The program runs even without accepting commands. */
  readonly onFailed: (error: unknown) => void;
}

/**
 * Resolves once commands are accepted. The file of this run is deleted when the process exits; a process that skips Node's exit
 * event calls the returned function to delete it.
 */
export async function endOnRequest(
  options: EndOnRequestOptions,
): Promise<() => void> {
  let isRequested = false;
  const end = (): void => {
    if (isRequested) return;
    isRequested = true;
    options.end();
  };
  // Every signal, and repeatedly: a process group receives it twice, from the terminal and from the parent.
  for (const signal of endSignals) process.on(signal, end);
  return takeOrders(options, end).catch((error: unknown) => {
    options.onFailed(error);
    return () => undefined;
  });
}

async function takeOrders(
  { dataDir, program }: EndOnRequestOptions,
  end: () => void,
): Promise<() => void> {
  const token = randomBytes(32).toString("base64url");
  const server = net.createServer((socket) => {
    let received = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      received += text;
      if (!received.includes("\n") && received.length <= maxOrderBytes) return;
      // Left open: when it closes, the other side knows that this process has ended.
      if (isSame(received.trim(), token)) socket.write(accepted, end);
      else socket.destroy();
    });
    socket.on("error", () => undefined);
    socket.setTimeout(answerMs, () => {
      if (!isSame(received.trim(), token)) socket.destroy();
    });
    socket.unref();
  });
  // It does not keep the process running.
  server.unref();
  const folder = path.join(dataDir, folderName);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  forgetTheDead(folder);
  // Containers that share the folder have the same process numbers.
  const mark = randomBytes(3).toString("hex");
  const file = path.join(folder, `${program}-${process.pid}-${mark}.json`);
  const at = await listen(server, file, token);
  const run: Run = {
    ...{ program, at, token },
    ...{ host: os.hostname(), pid: process.pid },
  };
  replaceFileSync(file, JSON.stringify(run));
  const forgetThis = (): void => {
    try {
      forget(file, run);
    } catch {
      // On a disk that no longer accepts writes; the next start deletes it.
    }
  };
  process.once("exit", forgetThis);
  return forgetThis;
}

/** Maximum length of a socket's path, including its end. */
const maxSocketBytes = 100;

/** No port on systems with sockets in the file system: no other user can reach those. */
async function listen(
  server: net.Server,
  file: string,
  token: string,
): Promise<string | number> {
  const listening = (at: net.ListenOptions): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen(at, () => resolve());
    });
  if (process.platform === "win32") {
    await listening({ port: 0, host: "127.0.0.1" });
    return (server.address() as net.AddressInfo).port;
  }
  const socketPath = file.replace(/\.json$/, ".sock");
  const isShort = Buffer.byteLength(socketPath) <= maxSocketBytes;
  const socket = isShort
    ? socketPath
    : path.join(os.tmpdir(), `vitrine-${token.slice(0, 16)}.sock`);
  // Left by a killed process that had the same number.
  rmSync(socket, { force: true });
  await listening({ path: socket });
  return socket;
}

function forget(file: string, { at }: Run): void {
  // Whatever a file of that folder contains, nothing else is deleted.
  if (typeof at === "string" && at.endsWith(".sock"))
    rmSync(at, { force: true });
  rmSync(file, { force: true });
}

/** Result of an end command: no process found, all ended, or one that still runs when the time is over. */
export type EndOrdered = "none" | "ended" | "runs-on";

/** Sends every run of the program on this folder and this machine the command to end, and waits until it has ended. */
export async function orderEnd(
  dataDir: string,
  program: RunningProgram,
  withinMs = 15_000,
): Promise<EndOrdered> {
  const folder = path.join(dataDir, folderName);
  const outcomes = await Promise.all(
    runsIn(folder)
      .filter(([, run]) => run.host === os.hostname())
      .filter(([, run]) => run.program === program)
      .map(async ([file, run]) => {
        const outcome = await orderOne(run, withinMs);
        // No process is left that would delete it.
        if (outcome !== "runs-on") forget(file, run);
        return outcome;
      }),
  );
  if (outcomes.includes("runs-on")) return "runs-on";
  return outcomes.includes("ended") ? "ended" : "none";
}

const names: Readonly<Record<RunningProgram, string>> = {
  ...{ app: "player", player: "player" },
  ...{ sync: "sync", content: "content service" },
};

/** For a command line: prints the result; the exit code is 0 when the program has ended. */
export async function orderEndAndReport(
  dataDir: string,
  program: RunningProgram,
): Promise<number> {
  const name = names[program];
  const outcome = await orderEnd(dataDir, program);
  if (outcome === "ended") {
    console.log(`The ${name} on ${dataDir} has stopped.`);
    return 0;
  }
  process.stderr.write(
    outcome === "none"
      ? `No ${name} is running on ${dataDir}.\n`
      : `The ${name} on ${dataDir} was asked to stop and is still running.\n`,
  );
  return 1;
}

/** The response arrives immediately; the connection ends when the process has. */
function orderOne({ at, token }: Run, withinMs: number): Promise<EndOrdered> {
  return new Promise((resolve) => {
    const place =
      typeof at === "string" ? { path: at } : { port: at, host: "127.0.0.1" };
    const socket = net.connect(place, () => {
      socket.write(`${token}\n`);
    });
    let received = "";
    const isTaken = (): boolean => received.startsWith(accepted);
    const answered = setTimeout(() => {
      if (!isTaken()) socket.destroy();
    }, answerMs);
    const timer = setTimeout(() => socket.destroy(), withinMs);
    let isGone = false;
    socket.setEncoding("utf8").on("data", (text: string) => (received += text));
    const gone = (): void => {
      isGone = true;
    };
    // A process that is killed resets its connections.
    socket.on("error", gone).on("end", gone);
    socket.once("close", () => {
      clearTimeout(answered);
      clearTimeout(timer);
      // Another program may use the port of one that was killed.
      resolve(!isTaken() ? "none" : isGone ? "ended" : "runs-on");
    });
  });
}

function runsIn(folder: string): readonly (readonly [string, Run])[] {
  return filesIn(folder).flatMap((file) => {
    try {
      return [[file, JSON.parse(readFileSync(file, "utf8")) as Run] as const];
    } catch {
      // Deleted meanwhile, or not a valid file.
      return [];
    }
  });
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .map((name) => path.join(folder, name));
  } catch {
    return [];
  }
}

/** A killed process leaves its file. In a container, the next one has its number. */
function forgetTheDead(folder: string): void {
  for (const [file, run] of runsIn(folder)) {
    const isDead = !isAlive(run.pid) || run.pid === process.pid;
    if (run.host === os.hostname() && isDead) forget(file, run);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function isSame(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}
