// The hosted content service on this PC: one switch, its keys, restarted when it dies, ended with the app.

import { fork, spawn, type ChildProcess } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import net from "node:net";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  createContentHost,
  type ContentHost,
} from "../../../electron/hosting/content-host.ts";
import type { HostingView } from "../../../server/contract/content-host.ts";
import { createLog } from "../../../server/platform/log.ts";
import { afterThisTest } from "../../support/after-this-test.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { holdPort } from "../../support/machine/reserved-port.ts";
import { programWords } from "../../support/program-words.ts";

const script = programWords("hosted")[1];

interface Hosted {
  readonly host: ContentHost;
  readonly dir: string;
  readonly children: readonly ChildProcess[];
}

async function openHost(
  dir?: string,
  isFaulty = (): boolean => false,
): Promise<Hosted> {
  const folder = dir ?? (await temporaryFolder());
  const children: ChildProcess[] = [];
  await mkdir(path.join(folder, "manager"), { recursive: true });
  await writeFile(path.join(folder, "manager", "index.html"), "the manager");
  const host = createContentHost({
    dataDir: path.join(folder, "content"),
    settingsFile: path.join(folder, "player", "content-host.json"),
    ...{ version: "0.0.0-test", now: Date.now, pauseMs: () => 0 },
    isDiscoverable: false,
    managerDir: path.join(folder, "manager"),
    log: createLog({ toStandardOutput: false }),
    fork: () => {
      const child = isFaulty()
        ? spawn(process.execPath, ["-e", "process.exit(1)"], {
            stdio: ["ignore", "ignore", "ignore", "ipc"],
          })
        : fork(script, [], { stdio: "ignore" });
      children.push(child);
      return {
        // What is sent to a process that is ending is lost, as in Electron.
        post: (message) => void child.send(message as object, () => undefined),
        onMessage: (listener) => void child.on("message", listener),
        onExit: (listener) => void child.once("exit", listener),
        kill: () => void child.kill("SIGKILL"),
      };
    },
  });
  afterThisTest(host.stop);
  return { host, dir: folder, children };
}

function until(
  { onChanged, view }: ContentHost,
  isSo: (view: HostingView) => boolean,
): Promise<HostingView> {
  return new Promise((resolve) => {
    if (isSo(view())) return resolve(view());
    const stop = onChanged((changed) => {
      if (!isSo(changed)) return;
      stop();
      resolve(changed);
    });
  });
}

describe("the content service on this PC", () => {
  it("[V3-140] starts with one switch, serves the manager, lets only this one create keys and links, and stops with the switch", async () => {
    const { host } = await openHost();
    expect(host.view().state).toBe("off");
    const on = await host.change({ isOn: true, port: await holdPort() });
    expect(on).toMatchObject({ state: "on", reach: "this-pc", reason: null });
    expect(on.address).toMatch(/^http:\/\/127\.0\.0\.1:/);

    expect(await host.call("listKeys", null)).toEqual([]);
    const key = await host.call("addKey", { name: "front desk" });
    const request = () =>
      fetch(`${on.address}/v4/assets`, {
        headers: { Authorization: `Token ${key}` },
      });
    expect((await request()).status).toBe(200);
    const [listed] = await host.call("listKeys", null);
    expect(listed).toMatchObject({ name: "front desk", team: "Vitrine" });
    expect(JSON.stringify(listed)).not.toContain(key);
    await host.call("revokeKey", { id: listed?.id ?? "" });
    expect(await host.call("listKeys", null)).toEqual([]);

    const link = await host.call("invite", { email: "ada@example.org" });
    expect(link).toMatch(/^http:.*\/#invitation=[\w-]{43}$/);
    expect(link.startsWith(`${on.address}/`)).toBe(true);
    const page = await fetch(`${on.address}/`, {
      headers: { Accept: "text/html" },
    });
    expect([page.status, await page.text()]).toEqual([200, "the manager"]);

    const off = await host.change({ isOn: false });
    expect(off).toMatchObject({ state: "off", address: null });
    await expect(request()).rejects.toThrow();
  });

  it("restarts when it dies, at the same address and with the same keys", async () => {
    const { host, children } = await openHost();
    const { address, reason } = await host.change({
      ...{ isOn: true, port: await holdPort() },
    });
    expect(reason).toBeNull();
    await host.call("addKey", { name: "front desk" });
    children.at(-1)?.kill("SIGKILL");
    const again = await until(
      host,
      ({ state, restarts }) => state === "on" && restarts === 1,
    );
    expect(again.address).toBe(address);
    const names = (await host.call("listKeys", null)).map(({ name }) => name);
    expect(names).toEqual(["front desk"]);
  });

  it("[V2-690] shuts down cleanly when its parent process is gone", async () => {
    const { host, children, dir } = await openHost();
    await host.change({ isOn: true, port: await holdPort() });
    const [child] = children;
    const ended = new Promise((resolve) => child?.once("exit", resolve));
    child?.disconnect();
    expect(await ended).toBe(0);
    // Its write-ahead log is part of the database again.
    const names = await readdir(path.join(dir, "content"));
    expect(names).toContain("content.db");
    expect(names).not.toContain("content.db-wal");
  });

  it("gives up after five deaths, reports that, and tries again on request", async () => {
    let isFaulty = true;
    const { host, children } = await openHost(undefined, () => isFaulty);
    await host.change({ isOn: true, port: await holdPort() });
    const failed = await until(host, ({ state }) => state === "failed");
    expect(children).toHaveLength(5);
    expect(failed.reason).toMatch(/stopped unexpectedly 5 times/);
    isFaulty = false;
    expect(await host.change({ isOn: true })).toMatchObject({ state: "on" });
  });

  it("reports why it is not on when another program uses the port", async () => {
    const { host } = await openHost();
    const server = net.createServer();
    await new Promise<void>((resolve) =>
      server.listen(0, "127.0.0.1", resolve),
    );
    afterThisTest(
      () => new Promise<void>((resolve) => void server.close(() => resolve())),
    );
    const { port } = server.address() as net.AddressInfo;
    const failed = await host.change({ isOn: true, port });
    expect(failed).toMatchObject({ state: "failed", address: null });
    expect(failed.reason).toMatch(new RegExp(String(port)));
    await expect(host.call("listKeys", null)).rejects.toThrow(
      `The content service is not running: Port ${port} on 127.0.0.1 is already in use by another program.`,
    );
  });

  it("is exposed to the network only with a certificate", async () => {
    const { host } = await openHost();
    await expect(host.change({ isOn: true, reach: "network" })).rejects.toThrow(
      /certificate/,
    );
    expect(host.view()).toMatchObject({ isOn: false, reach: "this-pc" });
  });

  it("reports why no process can be started, and follows the switch afterwards", async () => {
    const dir = await temporaryFolder();
    const isOn = { isOn: true, port: await holdPort() };
    const first = await openHost(dir);
    await first.host.change(isOn);
    await first.host.stop();
    let isShort = true;
    const { host } = await openHost(dir, () => {
      if (isShort) throw new Error("Resource temporarily unavailable");
      return false;
    });
    await host.wake();
    expect(host.view()).toMatchObject({
      ...{ state: "failed", reason: "Resource temporarily unavailable" },
    });
    isShort = false;
    expect(await host.change(isOn)).toMatchObject({ state: "on" });
  });

  it("remembers the switch, and leaves no process behind when the app ends", async () => {
    const first = await openHost();
    expect(
      await first.host.change({ isOn: true, port: await holdPort() }),
    ).toMatchObject({ state: "on", reason: null });
    await first.host.call("addKey", { name: "kept" });
    await first.host.stop();
    expect(
      first.children.every(
        ({ exitCode, signalCode }) => (exitCode ?? signalCode) !== null,
      ),
    ).toBe(true);
    const saved = await readFile(
      path.join(first.dir, "player", "content-host.json"),
      "utf8",
    );
    expect(JSON.parse(saved)).toMatchObject({ isOn: true });

    const second = await openHost(first.dir);
    await second.host.wake();
    expect(second.host.view()).toMatchObject({ state: "on", reason: null });
    expect(await second.host.call("listKeys", null)).toMatchObject([
      { name: "kept" },
    ]);
  });
});
