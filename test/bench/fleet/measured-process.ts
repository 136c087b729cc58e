// A service in a process of its own: started, killed, and what it uses of processor and memory.

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { cpuMicrosecondsOf } from "../content/cpu.ts";
import type { MemoryReport } from "./memory.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
/** A URL: to Node, the drive of a path on Windows is a protocol. */
const memory = new URL("memory.ts", import.meta.url).href;
const bareServer = fileURLToPath(new URL("bare-server.ts", import.meta.url));

export interface MeasuredProcess {
  readonly address: string;
  readonly process: ChildProcess;
  memory(): Promise<MemoryReport>;
  kill(): Promise<void>;
}

export interface ServiceOptions {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  /** 0 selects a free one. */
  readonly port: number;
  /** Further words of its command line. */
  readonly words?: readonly string[];
}

export function startService(options: ServiceOptions) {
  const { dataDir, databaseUrl, port, words = [] } = options;
  return start([
    ...["server/content/main.ts", "--data-dir", dataDir],
    ...["--port", String(port)],
    ...(databaseUrl === undefined ? [] : ["--database-url", databaseUrl]),
    ...words,
  ]);
}

export const startBareServer = () => start([bareServer]);

async function start(args: readonly string[]): Promise<MeasuredProcess> {
  const child = spawn(process.execPath, ["--import", memory, ...args], {
    ...{ cwd: root, stdio: ["ignore", "pipe", "inherit", "ipc"] },
  });
  const address = await addressOf(child);
  return {
    ...{ address, process: child },
    memory: async () => {
      child.send("memory");
      const [report] = (await once(child, "message")) as [MemoryReport];
      return report;
    },
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

async function addressOf({ stdout }: ChildProcess): Promise<string> {
  let output = "";
  for await (const chunk of stdout ?? []) {
    output += String(chunk);
    const [, address] = /ready: (http:\/\/\S+)/.exec(output) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error(`The service did not start. ${output}`);
}

/** Cores that they use together while this is done. */
export async function coresOf(
  processes: readonly MeasuredProcess[],
  act: () => Promise<unknown>,
): Promise<number> {
  const spent = (): number =>
    processes.reduce(
      (sum, { process: { pid = 0 } }) => sum + (cpuMicrosecondsOf(pid) ?? 0),
      0,
    );
  const [cpu, from] = [spent(), performance.now()];
  await act();
  return (spent() - cpu) / 1000 / (performance.now() - from);
}
