// Stopping a process: by each signal that a system may send, by a stop request with the token of its run, and by nothing else.

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { orderEnd } from "../../../../server/platform/process/end-requests.ts";
import { afterThisTest } from "../../../support/after-this-test.ts";
import { temporaryFolder } from "../../../support/folder.ts";

const orders = new URL(
  "../../../../server/platform/process/end-requests.ts",
  import.meta.url,
).href;

/** Exits with 7 when asked to; until then it prints how often it was asked. */
const program = `
  import { endOnRequest } from ${JSON.stringify(orders)};
  const [dataDir, manner] = process.argv.slice(1);
  let requests = 0;
  process.on("message", (signal) => {
    process.emit(signal);
    process.send({ requests });
  });
  const forget = await endOnRequest({
    dataDir,
    program: "content",
    end: () => {
      requests += 1;
      if (manner === "taken-away") {
        forget();
        process.reallyExit(8);
      }
      if (manner === undefined) process.exit(7);
    },
    onFailed: (error) => process.send({ error: error.message }),
  });
  process.send({ isUp: true });
`;

async function start(dataDir: string, ...words: readonly string[]) {
  const child = spawn(
    process.execPath,
    ["--input-type=module", "-e", program, dataDir, ...words],
    { stdio: ["ignore", "inherit", "inherit", "ipc"] },
  );
  const ended = once(child, "exit");
  afterThisTest(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  expect(await messageOf(child)).toEqual({ isUp: true });
  return { child, code: async () => (await ended)[0] as number | null };
}

async function messageOf(child: ChildProcess): Promise<unknown> {
  const [message] = (await once(child, "message")) as unknown[];
  return message;
}

/** A socket may lie beside each. */
async function runsIn(dataDir: string): Promise<readonly string[]> {
  const all = await readdir(path.join(dataDir, "running"));
  return all.filter((name) => name.endsWith(".json"));
}

async function runOf(dataDir: string) {
  const [name = ""] = await runsIn(dataDir);
  const file = path.join(dataDir, "running", name);
  const run = JSON.parse(await readFile(file, "utf8")) as {
    at: string | number;
    token: string;
  };
  return { ...run, file };
}

it.each(["SIGTERM", "SIGINT", "SIGHUP", "SIGBREAK"])(
  "[V2-690] a process stops on %s, which Windows uses for its console or another system for its own",
  async (signal) => {
    const { child, code } = await start(await temporaryFolder());
    child.send(signal);
    expect(await code()).toBe(7);
  },
);

it("[V2-690] a process is asked to stop once, however many signals arrive", async () => {
  const { child } = await start(await temporaryFolder(), "stubborn");
  for (const signal of ["SIGTERM", "SIGINT"]) {
    child.send(signal);
    expect(await messageOf(child)).toEqual({ requests: 1 });
  }
});

it("[V2-691] a process stops on a stop request, which is answered when it has exited, and leaves nothing behind", async () => {
  const dataDir = await temporaryFolder();
  const { code } = await start(dataDir);
  expect(await orderEnd(dataDir, "content")).toBe("ended");
  expect(await code()).toBe(7);
  expect(await readdir(path.join(dataDir, "running"))).toEqual([]);
  expect(await orderEnd(dataDir, "content")).toBe("none");
});

it("[V2-706] a process leaves nothing behind either where it is killed at the end", async () => {
  const dataDir = await temporaryFolder();
  const { child, code } = await start(dataDir, "taken-away");
  expect(await runsIn(dataDir)).toHaveLength(1);
  child.send("SIGTERM");
  expect(await code()).toBe(8);
  expect(await readdir(path.join(dataDir, "running"))).toEqual([]);
});

it("[V2-691] a stop request stops all runs of this program on the folder, and none of another", async () => {
  const dataDir = await temporaryFolder();
  const runs = [await start(dataDir), await start(dataDir)];
  expect(await orderEnd(dataDir, "player")).toBe("none");
  expect(await orderEnd(dataDir, "content")).toBe("ended");
  for (const { code } of runs) expect(await code()).toBe(7);
});

it("[V2-691] a process that does not exit in time is reported as still running", async () => {
  const dataDir = await temporaryFolder();
  await start(dataDir, "stubborn");
  expect(await orderEnd(dataDir, "content", 200)).toBe("runs-on");
});

it("[V2-691] a process rejects a stop request without the token of this run, which only its owner may read", async () => {
  const dataDir = await temporaryFolder();
  const { child } = await start(dataDir, "stubborn");
  const { at, token, file } = await runOf(dataDir);
  if (process.platform !== "win32")
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  for (const wrong of ["\n", `${token.slice(1)}x\n`, "x".repeat(5000)]) {
    const socket = net.connect(
      typeof at === "string" ? { path: at } : { port: at, host: "127.0.0.1" },
    );
    let output = "";
    socket.on("data", (chunk: Buffer) => (output += chunk.toString()));
    // A connection closed with unread data is reset.
    socket.on("error", () => undefined);
    socket.write(wrong);
    await once(socket, "close");
    expect(output).toBe("");
  }
  child.send("none");
  expect(await messageOf(child)).toEqual({ requests: 0 });
});

it("[V2-691] a stop request discards a run that was killed, and leaves those of other machines alone", async () => {
  const dataDir = await temporaryFolder();
  const { child, code } = await start(dataDir);
  child.kill("SIGKILL");
  await code();
  const { file, ...dead } = await runOf(dataDir);
  expect(await orderEnd(dataDir, "content")).toBe("none");
  expect(await readdir(path.dirname(file))).toEqual([]);
  const elsewhere = { ...dead, host: `${os.hostname()}-of-another` };
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(dead));
  await writeFile(`${file}.json`, JSON.stringify(elsewhere));
  await start(dataDir);
  expect(await runsIn(dataDir)).toHaveLength(2);
});
