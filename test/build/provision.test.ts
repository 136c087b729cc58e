// What the script for a Debian PC writes: its parts, run with small programs in the place of the system's. That for a Windows
// PC is read alone.

import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { setupOrder } from "../../electron/autostart/windows-setup.ts";
import { temporaryFolder } from "../support/folder.ts";
import { library, written } from "../support/machine/provision.ts";

interface Run {
  readonly ended: Promise<unknown>;
  /** How the system's programs were called, each with its words. */
  calls(): readonly string[];
  called(line: string, times?: number): Promise<void>;
  /** A file its programs look at. */
  send(name: string, content?: string): void;
}

/** Each program is what it does besides writing down how it was called; `$here` is the folder of what it is told. */
async function run(
  place: string,
  programs: Readonly<Record<string, string>>,
): Promise<Run> {
  const here = await temporaryFolder();
  const executable = (name: string, content: string): string => {
    const file = path.join(here, name);
    writeFileSync(file, content);
    chmodSync(file, 0o755);
    return file;
  };
  const all = { sleep: "exec /bin/sleep 0.02", ...programs };
  for (const [name, does] of Object.entries(all))
    executable(
      name,
      `#!/bin/sh\nhere=${here}\necho "${name} $*" >>"$here/calls"\n${does}\n`,
    );
  const child = spawn(executable("itself", written(place)), {
    env: { PATH: `${here}:/usr/bin:/bin` },
    // Ended with all it started.
    detached: true,
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  onTestFinished(() => {
    try {
      process.kill(-(child.pid ?? 0), "SIGKILL");
    } catch {
      // It has ended already.
    }
  });
  const calls = (): readonly string[] => {
    const file = path.join(here, "calls");
    return existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  };
  return {
    ended,
    calls,
    called: async (line, times = 1) => {
      await vi.waitUntil(
        () => calls().filter((call) => call.startsWith(line)).length >= times,
        { interval: 20 },
      );
    },
    send: (name, content = "") => {
      // Whole at once: it may be looked at just now.
      writeFileSync(path.join(here, "told"), content);
      renameSync(path.join(here, "told"), path.join(here, name));
    },
  };
}

const isChange = (call: string): boolean => call.startsWith("xrandr --output");
const displayReads = (session: Run): readonly string[] =>
  session.calls().filter((call) => call.startsWith("xrandr"));

const onLinux = describe.runIf(process.platform === "linux");

onLinux("the session of a provisioned PC", () => {
  const programs = {
    xset: '[ "$1" != q ] || [ ! -f "$here/no-display" ]',
    xsetroot: "",
    systemctl: "",
    openbox: "exit 134",
    xrandr:
      'if [ "$1" = --output ]; then [ ! -f "$here/is-full" ] || [ "$3" = --off ]; else cat "$here/displays" 2>/dev/null || :; fi',
  };

  it("starts the window manager again when it breaks, for as long as there is a display", async () => {
    const session = await run(`${library}/session`, programs);
    await session.called("openbox", 3);
    session.send("no-display");
    await session.ended;
    expect(session.calls()).toContain(
      "systemctl --user start vitrine-session.target",
    );
  });

  it("lights a display that is switched on after the machine, and one that comes beside it; leaves what is lit alone", async () => {
    const session = await run(`${library}/session`, {
      ...programs,
      openbox: "exec /bin/sleep 60",
    });
    const isDark = "HDMI-1 disconnected (normal left inverted)";
    session.send("displays", `Screen 0: minimum 8 x 8\n${isDark}\n`);
    await session.called("xrandr", 3);
    expect(new Set(displayReads(session))).toEqual(new Set(["xrandr "]));

    session.send("displays", "HDMI-1 connected (normal left inverted)\n");
    await session.called("xrandr --output HDMI-1 --auto");
    await session.called("xrandr --current", 5);

    session.send(
      "displays",
      "HDMI-1 connected primary 1920x1080+0+0\nDP-1 connected (normal left)\n",
    );
    await session.called("xrandr --output DP-1 --auto --right-of HDMI-1");
    expect(displayReads(session).filter(isChange)).toEqual([
      "xrandr --output HDMI-1 --auto",
      "xrandr --output DP-1 --auto --right-of HDMI-1",
    ]);
  });

  it("leaves a display alone that goes off and on, and lights none over another", async () => {
    const session = await run(`${library}/session`, {
      ...programs,
      openbox: "exec /bin/sleep 60",
    });
    const left = "1080x1920+0+0 left (normal left)";
    const right = "3840x2160+1080+0 (normal left)";
    // The one to the right is listed first; it is off for a while.
    for (const is of ["connected", "disconnected", "connected"]) {
      session.send("displays", `DP-1 ${is} ${right}\nDP-2 connected ${left}\n`);
      await session.called("xrandr", displayReads(session).length + 3);
    }
    expect(displayReads(session).filter(isChange)).toEqual([]);

    session.send(
      "displays",
      `DP-1 disconnected ${right}\nDP-2 connected ${left}\nDP-3 connected (normal left)\n`,
    );
    await session.called("xrandr --output DP-3 --auto --right-of DP-1");
  });

  it("lets go of a display that went where a new one could not be lit beside it", async () => {
    const session = await run(`${library}/session`, {
      ...programs,
      openbox: "exec /bin/sleep 60",
    });
    session.send("is-full");
    session.send(
      "displays",
      "DP-1 disconnected 1920x1080+0+0\nDP-2 connected (normal left)\n",
    );
    await session.called("xrandr --output DP-2 --auto", 2);
    expect(displayReads(session).filter(isChange)).toEqual([
      "xrandr --output DP-2 --auto --right-of DP-1",
      "xrandr --output DP-1 --off",
      "xrandr --output DP-2 --auto --right-of DP-1",
    ]);
  });
});

onLinux("the pointer of a provisioned PC", () => {
  it("is there for the desk behind the PIN", () => {
    const login = written("/etc/lightdm/lightdm.conf.d/50-vitrine.conf");
    expect(login).toContain("xserver-command=X ");
    expect(login).not.toContain("-nocursor");
  });
});

onLinux("the end of a session of a provisioned PC", () => {
  const restart = "systemctl --no-block restart lightdm.service";

  it.each([
    ["is followed by a login", "running", "active", true],
    ["is, where another unit has failed", "degraded", "active", true],
    ["is the end while the machine goes down", "stopping", "active", false],
    ["is, while lightdm is stopped", "running", "deactivating", false],
  ])("%s", async (_title, machine, lightdm, isAgain) => {
    const script = `${library}/login-again`;
    expect(written("/etc/lightdm/lightdm.conf.d/50-vitrine.conf")).toContain(
      `session-cleanup-script=${script}\n`,
    );
    const { ended, calls } = await run(script, {
      systemctl: `case $1 in is-system-running) echo ${machine} ;; is-active) echo ${lightdm} ;; esac`,
    });
    await ended;
    expect(calls().includes(restart)).toBe(isAgain);
    // lightdm would start more often than systemd allows.
    expect(calls()[0]).toBe("sleep 3");
  });
});

describe("the script for a Windows PC", () => {
  const script = readFileSync(
    fileURLToPath(
      new URL("../../build/provision/windows.ps1", import.meta.url),
    ),
    "utf8",
  );

  it("[V2-699] leaves registry, power plan and tasks to the player, which is tested", () => {
    expect(script).not.toMatch(
      /\b(?:New|Set|Remove)-Item(?:Property)? .*HK|powercfg|ScheduledTask|reg(?:\.exe)? add/i,
    );
    expect(script.match(/^ *(?:Invoke-Setup|& \$console) .*/gm)).toHaveLength(
      3,
    );
  });

  it("[V2-684] sets up the player of its own installation, wherever that is", () => {
    expect(script).toContain("$folder = Split-Path $PSScriptRoot\n");
    expect(script).not.toMatch(/\$env:ProgramFiles/i);
    expect(script.indexOf("action = 'apply'")).toBeLessThan(
      script.indexOf("if ($Shell) {"),
    );
    const builder = readFileSync(
      fileURLToPath(
        new URL("../../build/electron-builder.yml", import.meta.url),
      ),
      "utf8",
    );
    // Extra resources are in the folder `resources` beside the program, extra files beside it.
    expect(builder).toMatch(
      /extraResources:\n +- \{ from: build\/provision\/windows\.ps1, to: windows\.ps1 \}\n +extraFiles:\n +- \{ from: build\/windows\/vitrine-console\.cmd, to: vitrine-console\.cmd \}/,
    );
  });

  it("gives the desktop its place back when it is undone, as it was recorded before", () => {
    const [, undo = ""] = /^if \(\$Undo\) \{\n([^]*?)^\}/m.exec(script) ?? [];
    expect(undo).toContain(".RemoveCustomShell(");
    expect(undo).toContain(".SetEnabled([bool]$before.enabled)");
    expect(script.indexOf("WriteAllText($shellRecord")).toBeLessThan(
      script.lastIndexOf(".SetCustomShell("),
    );
  });

  it("[V2-699] gives the player an order that it understands", () => {
    const [, given = ""] = /^Invoke-Setup @\{\n([^]*?)^\}/m.exec(script) ?? [];
    const names = [...given.matchAll(/(\w+) = /g)].map(([, name]) => name);
    const [apply] = setupOrder.options;
    expect(names.toSorted()).toEqual(Object.keys(apply.shape).toSorted());
  });
});
