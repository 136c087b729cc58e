// Provisioning of a bare Debian by the guide's script, in a container with its own systemd: started, killed, removed.

import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { copyFile, readdir, readFile, readlink } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { temporaryFolder, untilAllHaveRun } from "../support/folder.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const user = "signage";

/** Builds a whole system for minutes, with Debian's own tools, so only on request: npm run long. */
const isEnabled =
  process.env.VITRINE_LONG === "1" &&
  process.platform === "linux" &&
  process.getuid?.() === 0 &&
  existsSync("/usr/bin/apt-get");

const withinMs = { patient: 900_000, back: 10_000, start: 60_000 };

/** A separate Debian in a folder; commands run in it as on another PC. */
let system = "";
let container: ChildProcess | null = null;
let init = 0;

async function apt(...args: readonly string[]): Promise<void> {
  await run("apt-get", ["-q", "-y", ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    maxBuffer: 2 ** 26,
  });
}

/** Runs a command on its files, before it is started. */
async function within(command: string): Promise<string> {
  const { stdout } = await run("chroot", [system, "sh", "-ec", command], {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    maxBuffer: 2 ** 26,
  });
  return stdout;
}

/** Runs a command among its own processes and network, once it is started. */
async function inside(command: string, as = "root"): Promise<string> {
  const enter = ["-t", String(init), "-a", "su", as, "-s", "/bin/sh", "-c"];
  const { stdout } = await run("nsenter", [
    ...enter,
    `export XDG_RUNTIME_DIR=/run/user/$(id -u); ${command}`,
  ]);
  return stdout.trim();
}

const now = () =>
  inside("curl -s -m 2 http://127.0.0.1:8080/api/v2/now || true");
const mainPid = () =>
  inside("systemctl --user show vitrine -p MainPID --value", user);
const until = (condition: () => Promise<boolean>, timeout: number) =>
  vi.waitUntil(condition, { timeout, interval: 200 });
const isShown = async () => (await now()).includes('"showing":{');

async function makeSystem(): Promise<void> {
  await apt("install", "debootstrap", "systemd-container");
  const { stdout: mirror } = await run("sh", [
    "-c",
    "grep -hoE 'https?://[^ ]+/debian/?( |$)' -r /etc/apt/sources.list /etc/apt/sources.list.d | head -n 1",
  ]);
  await run(
    "debootstrap",
    // prettier-ignore
    ["--variant=minbase", "--include=systemd,systemd-sysv,dbus,curl,xvfb,procps", "bookworm", system, mirror.trim() || "http://deb.debian.org/debian"],
    { maxBuffer: 2 ** 26 },
  );
}

async function descendants(pid: number): Promise<readonly number[]> {
  const list = `/proc/${pid}/task/${pid}/children`;
  const text = await readFile(list, "utf8").catch(() => "");
  const children = text.split(" ").filter(Boolean).map(Number);
  const below = await Promise.all(children.map(descendants));
  return [...children, ...below.flat()];
}

const programOf = (pid: number): Promise<string> =>
  readlink(`/proc/${pid}/exe`).catch(() => "");

/** Boots its own systemd, as when a PC is switched on. */
async function switchOn(): Promise<void> {
  container = spawn(
    "systemd-nspawn",
    // prettier-ignore
    ["--boot", "--directory", system, "--private-network", "--register=no", "--keep-unit"],
    { stdio: "ignore" },
  );
  await until(async () => {
    // The first match: its forks run the same program until they exec another.
    for (const pid of await descendants(container?.pid ?? 0))
      if ((await programOf(pid)).endsWith("/systemd")) {
        init = pid;
        break;
      }
    if (init === 0) return false;
    const state = inside("systemctl is-system-running || true");
    return (await state.catch(() => "")) !== "";
  }, withinMs.start);
}

describe.runIf(isEnabled)("a bare PC, provisioned", () => {
  beforeAll(
    () =>
      untilAllHaveRun(async (atEnd) => {
        system = path.join(await temporaryFolder(atEnd), "debian");
        await makeSystem();
        await run(process.execPath, ["build/dist.ts", "deb", "--test-build"], {
          cwd: root,
          maxBuffer: 2 ** 26,
        });
        const release = path.join(root, "release");
        const deb = (await readdir(release)).find((name) =>
          name.endsWith(".deb"),
        );
        await copyFile(
          path.join(release, deb ?? ""),
          path.join(system, "root", "vitrine.deb"),
        );
        await copyFile(
          path.join(root, "build", "provision", "debian.sh"),
          path.join(system, "root", "provision.sh"),
        );
      }),
    withinMs.patient,
  );

  afterAll(async () => {
    if (container?.exitCode !== null) return;
    const exit = once(container, "exit");
    container.kill("SIGTERM");
    await exit;
  }, withinMs.start);

  it(
    "has its user, login, session and unit after the script, and the same after a second run",
    { timeout: withinMs.patient },
    async () => {
      await within(
        "apt-get -q update; apt-get -q -y install --no-install-recommends /root/vitrine.deb",
      );
      await within("sh /root/provision.sh --restart-at 03:30");
      const readSetup = () =>
        within(
          `id ${user}; passwd -S ${user}; cat /etc/lightdm/lightdm.conf.d/50-vitrine.conf /etc/apt/apt.conf.d/52-vitrine; readlink /etc/systemd/system/sleep.target /home/${user}/.config/systemd/user/graphical-session.target.wants/vitrine.service`,
        );
      const first = await readSetup();
      for (const word of [
        ...[`autologin-user=${user}`, "user-session=vitrine", "03:30"],
        ...[`${user} L `, "/dev/null", "/usr/lib/systemd/user/vitrine.service"],
      ])
        expect(first).toContain(word);
      expect(first).not.toMatch(/\(sudo\)/);
      await within("sh /root/provision.sh --restart-at 03:30");
      expect(await readSetup()).toBe(first);
      await within(
        "XDG_RUNTIME_DIR=/root systemd-analyze verify --user /etc/systemd/user/vitrine-session.target /usr/lib/systemd/user/vitrine.service",
      );
    },
  );

  it(
    "shows the idle screen when its session starts, restarts once after a kill or hang, and keeps its data when removed",
    { timeout: withinMs.patient },
    async () => {
      // A virtual display replaces lightdm's: a container has no screen.
      await within("systemctl disable lightdm");
      await switchOn();
      await inside(`systemctl start user@$(id -u ${user})`);
      await inside(
        "setsid Xvfb :5 -screen 0 1280x720x24 -nolisten tcp -ac >/dev/null 2>&1 &",
      );
      await until(
        async () => (await inside("ls /tmp/.X11-unix")).includes("X5"),
        withinMs.start,
      );
      await inside(
        "DISPLAY=:5 DBUS_SESSION_BUS_ADDRESS=unix:path=$XDG_RUNTIME_DIR/bus setsid /usr/local/lib/vitrine/session >/dev/null 2>&1 &",
        user,
      );
      await until(isShown, withinMs.start);

      for (const signal of ["KILL", "STOP"]) {
        const before = await mainPid();
        await inside(`kill -${signal} ${before}`);
        await until(
          async () => !["0", before].includes(await mainPid()),
          withinMs.start,
        );
        await until(isShown, withinMs.start);
        expect(
          await inside("pgrep -fc '^/usr/lib/vitrine/vitrine --profile'"),
        ).toBe("1");
      }

      await inside("pkill -x openbox");
      await until(
        async () => (await inside("pgrep -x openbox || true")) !== "",
        withinMs.back,
      );

      await inside("sh /root/provision.sh --undo");
      const left = await inside(
        "ls /etc/lightdm/lightdm.conf.d /usr/share/xsessions; readlink /etc/systemd/system/sleep.target || true",
      );
      expect(left).not.toMatch(/vitrine|null/);
      await inside("apt-get -q -y remove vitrine");
      const kept = await inside(`ls /home/${user}/.config/vitrine`);
      expect(kept).toContain("vitrine.db");
      expect(await inside("command -v vitrine || echo gone")).toBe("gone");
    },
  );
});
