// The processes of the benchmark: clients, limit and player are separate, so that none measures another's work.

import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { servePlayer } from "../../support/player/serve-player.ts";
import type { BareJob, Ports } from "./baseline.ts";
import type { Job, Outcome } from "./load.ts";

export interface Clients {
  run(job: Job): Promise<Outcome>;
  stop(): Promise<void>;
}

export interface Bare extends Measured {
  readonly ports: Ports;
  commitsPerSecond(
    job: Omit<BareJob & { kind: "commit" }, "kind">,
  ): Promise<number>;
}

export interface Measured {
  readonly pid: number;
  stop(): Promise<void>;
}

export function startClients(): Clients {
  const child = forked("load.ts", []);
  return {
    run: (job) => runJob<Outcome>(child, job),
    stop: () => end(child),
  };
}

export async function startBare(
  databaseFile: string,
  contentFile = "",
  uploadFile = "",
): Promise<Bare> {
  const child = forked("baseline.ts", [databaseFile, contentFile, uploadFile]);
  const ports = await runJob<Ports>(child, { kind: "ports" });
  return {
    pid: child.pid ?? 0,
    ports,
    commitsPerSecond: (job) =>
      runJob<number>(child, { kind: "commit", ...job }),
    stop: () => end(child),
  };
}

/** Starts the real player on the store in this folder, without a screen. */
export async function startPlayer(
  dataDir: string,
): Promise<Measured & { readonly port: number }> {
  const { process: child, address } = await servePlayer(dataDir);
  return {
    pid: child.pid ?? 0,
    port: Number(new URL(address).port),
    stop: () => end(child),
  };
}

function forked(file: string, args: readonly string[]): ChildProcess {
  return fork(fileURLToPath(new URL(file, import.meta.url)), [...args]);
}

function runJob<T>(child: ChildProcess, job: Job | BareJob): Promise<T> {
  return new Promise((resolve, reject) => {
    const left = (): void => reject(new Error("a process of the bench ended"));
    child.once("exit", left);
    child.once("message", (message: { outcome?: T; error?: string }) => {
      child.off("exit", left);
      if (message.error === undefined) resolve(message.outcome as T);
      else reject(new Error(message.error));
    });
    child.send(job);
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}

const checkIntervalMs = 25;

/** Peak growth of a process in MB while `work` ran; null where the system does not report it. */
export async function growthMbOf<T>(
  pid: number,
  during: () => Promise<T>,
): Promise<{ readonly growthMb: number | null; readonly result: T }> {
  const before = residentMb(pid);
  let most = before ?? 0;
  const sampling = setInterval(() => {
    most = Math.max(most, residentMb(pid) ?? 0);
  }, checkIntervalMs);
  try {
    const result = await during();
    return { growthMb: before === null ? null : most - before, result };
  } finally {
    clearInterval(sampling);
  }
}

function residentMb(pid: number): number | null {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return null;
  const kilobytes = /VmRSS:\s*(\d+)/.exec(readFileSync(file, "utf8"))?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) / 1024;
}
