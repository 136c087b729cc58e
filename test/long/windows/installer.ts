// Builds the installer around a placeholder program and runs it silently under Wine: installs, upgrades, downgrades, repairs and
// removes, and inspects exit codes, files and the registry.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import {
  chmod,
  copyFile,
  mkdir,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { whyNotMade } from "../../../build/packing/electron-builder.ts";
import { makeIcons } from "../../../build/packing/icons.ts";
import { waitDeadlineMs } from "../../../build/vitest/wait-deadline.ts";
import { makeDebian, type DebianRecipe } from "../../../build/wine/debian.ts";
import type { Step } from "../../../build/wine/test-environment.ts";
import { openWine, type WineSession } from "../../../build/wine/session.ts";

const run = promisify(execFile);
const project = fileURLToPath(new URL("../../..", import.meta.url));

/** The installer is a 32-bit program, and Debian 13 has no 32-bit Wine. */
const debian: DebianRecipe = {
  release: "bookworm",
  packages: ["wine64", "wine", "xvfb", "xauth", "procps", "ca-certificates"],
  packages32: ["wine32"],
};

const versions = ["0.1.0", "0.2.0"] as const;
type Version = (typeof versions)[number];

/**
 * Wine's stand-ins for these two find the player running at all times: without them, the installer finds none, and relies on its
 * own commands to end it.
 */
const env = {
  DISPLAY: ":97",
  WINEPREFIX: "/root/trial",
  WINEDLLOVERRIDES: "mscoree=;mshtml=;powershell.exe=;findstr.exe=",
};

export interface InstallerResults {
  readonly passed: number;
  readonly faults: readonly string[];
  /** Why it could not be built here. */
  readonly skipped: string | null;
}

export async function tryInstaller(
  folder: string,
  step: Step,
): Promise<InstallerResults> {
  const lacks = await step("Looking for the parts of the installer", () =>
    findMissingParts(path.join(folder, "parts")),
  );
  if (lacks !== null) return { passed: 0, faults: [], skipped: lacks };
  const root = path.join(folder, `debian-${debian.release}-r1`);
  if (!existsSync(root))
    await step("Making a Debian with 32-bit Wine", () =>
      makeDebian(root, debian),
    );
  const wine = await openWine(root);
  try {
    await step("Making an empty Windows", () => makePrefix(root, wine));
    await step("Building the installer", () => buildInstallers(root, wine));
    return await step("Trying the installer", () => tryCases(root, wine));
  } finally {
    await wine.close();
  }
}

/** Nothing is left of an earlier attempt. */
async function makePrefix(root: string, wine: WineSession): Promise<void> {
  await rm(path.join(root, "root/trial"), { recursive: true, force: true });
  const output = path.join(root, "root", "trial.log");
  for (const words of [
    ["wineboot", "-i"],
    ["winecfg", "-v", "win10"],
  ])
    if ((await wine.run(words[0] ?? "", words.slice(1), { output, env })) !== 0)
      throw new Error(`${words.join(" ")} failed: see ${output}`);
}

const setupOf = (version: Version): string =>
  `vitrine-setup-${version}-x64.exe`;

/**
 * Builds without Wine as far as that goes, which fetches what electron-builder needs; this takes seconds, a Debian with Wine minutes.
 * Returns what is missing and where it would come from, or null.
 */
async function findMissingParts(work: string): Promise<string | null> {
  await rm(work, { recursive: true, force: true });
  for (const dir of ["program", "app", "bin"])
    await mkdir(path.join(work, dir), { recursive: true });
  await writeFile(path.join(work, "program", "Vitrine.exe"), "");
  await makeIcons();
  const printed = await build(work, "0.1.0");
  await rm(work, { recursive: true, force: true });
  const reason = printed === null ? "" : whyNotMade("nsis", printed);
  return reason.startsWith("lacks") ? reason : null;
}

async function buildInstallers(root: string, wine: WineSession): Promise<void> {
  const work = path.join(root, "installer");
  await rm(work, { recursive: true, force: true });
  const [program, app, bin] = ["program", "app", "bin"].map((name) =>
    path.join(work, name),
  ) as [string, string, string];
  for (const dir of [path.join(program, "resources"), app, bin])
    await mkdir(dir, { recursive: true });
  // Wine's taskkill for 32-bit programs, such as the installer, does not find 64-bit ones.
  await copyFile(
    path.join(root, "usr/lib/i386-linux-gnu/wine/i386-windows/notepad.exe"),
    path.join(program, "Vitrine.exe"),
  );
  await copyFile(
    path.join(project, "build/windows/vitrine-console.cmd"),
    path.join(program, "vitrine-console.cmd"),
  );
  // The builder writes the uninstaller by running a Windows program, whose paths are those of this machine.
  const inside = path.join(root, root);
  await mkdir(path.dirname(inside), { recursive: true });
  if (!existsSync(inside)) await symlink("/", inside);
  const words = wine.commandOf("xvfb-run", { env }).map(quoted);
  await writeFile(
    path.join(bin, "wine"),
    `#!/bin/sh\nexec ${words.join(" ")} -a wine "$@"\n`,
  );
  await chmod(path.join(bin, "wine"), 0o755);
  await makeIcons();
  for (const version of versions) {
    await writeFile(path.join(program, "resources", "version.txt"), version);
    const printed = await build(work, version);
    if (printed !== null) throw new Error(printed);
  }
}

/** Returns the builder's output where it fails. */
async function build(work: string, version: Version): Promise<string | null> {
  const about = { name: "vitrine", version, author: "The Vitrine authors" };
  await writeFile(
    path.join(work, "app", "package.json"),
    JSON.stringify(about),
  );
  return run(
    process.execPath,
    [
      path.join(project, "node_modules/electron-builder/cli.js"),
      ...["--win", "nsis", "--x64", "--publish", "never"],
      ...["--prepackaged", path.join(work, "program")],
      ...["--config", "build/electron-builder.yml"],
      `-c.extraMetadata.version=${version}`,
      `-c.directories.app=${path.join(work, "app")}`,
      `-c.directories.output=${path.join(work, "out")}`,
      "-c.compression=store",
    ],
    {
      cwd: project,
      maxBuffer: 2 ** 26,
      env: {
        ...process.env,
        PATH: `${path.join(work, "bin")}:${process.env.PATH ?? ""}`,
      },
    },
  ).then(
    () => null,
    (error: { stdout?: string; stderr?: string }) =>
      `${error.stdout ?? ""}${error.stderr ?? ""}`,
  );
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

const forAll = "Program Files/Vitrine";
const local = "users/root/AppData/Local";
const forOne = `${local}/Programs/Vitrine`;
const content = [
  ...["Uninstall Vitrine.exe", "Vitrine.exe", "vitrine-console.cmd"],
  "resources/version.txt",
];
const roaming = "users/root/AppData/Roaming";
/** Of the user who removes the program; in the roaming profile, that of an earlier version. */
const data = [local, roaming].flatMap((dir) => [
  `${dir}/Vitrine`,
  `${dir}/Vitrine-content`,
]);
/** What setup recorded for its undo, and the data of another user. */
const notData = ["ProgramData/Vitrine", "users/signage/AppData/Local/Vitrine"];

/** Wine's netsh does nothing: only what the installer starts can be checked, in Wine's trace of new processes. */
const netsh = "advfirewall firewall";
const ruleOf = (dir: string): string =>
  `name="Vitrine" program="C:\\${dir.replaceAll("/", "\\")}\\Vitrine.exe"`;
const removesRule = `${netsh} delete rule ${ruleOf(forAll)}`;
const addsRule = `${netsh} add rule name="Vitrine" dir=in action=allow program="C:\\Program Files\\Vitrine\\Vitrine.exe" profile=private,domain enable=yes`;

async function tryCases(
  root: string,
  wine: WineSession,
): Promise<InstallerResults> {
  const drive = path.join(root, "root/trial/drive_c");
  const output = path.join(root, "installer", "wine.log");
  const options = { output, env };
  // Without an abstract socket, it is reached in this root folder alone.
  const words = ["-nolisten", "local", "-nolisten", "tcp", "-screen", "0"];
  const screen = wine.runLinux(
    "Xvfb",
    [env.DISPLAY, ...words, "1024x768x24"],
    options,
  );
  await until(
    async () => existsSync(path.join(root, "tmp/.X11-unix/X97")),
    "virtual screen",
  );
  const trace = path.join(root, "installer", "trace.log");
  const traced = {
    output: trace,
    env: { ...env, WINEDEBUG: "-all,trace+process" },
  };
  const start = (program: string, ...args: string[]): Promise<number> =>
    wine.runLinux("wine", [program, ...args], traced);
  /** The arguments of netsh since the last call. */
  async function netshCalls(): Promise<readonly string[]> {
    const printed = await readFile(trace, "utf8").catch(() => "");
    await rm(trace, { force: true });
    return [
      ...printed.matchAll(
        /CreateProcessInternalW app .* cmdline L"(?:\\"[^"]*|\S*)\\netsh\.exe(?:\\")? (.*)"$/gm,
      ),
    ].map(([, words = ""]) => words.replace(/\\(["\\])/g, "$1"));
  }
  const setUp = (version: Version, ...args: string[]): Promise<number> =>
    start(`Z:\\installer\\out\\${setupOf(version)}`, "/S", ...args);
  const versionIn = (dir: string): Promise<string | null> =>
    readFile(path.join(drive, dir, "resources/version.txt"), "utf8").catch(
      () => null,
    );
  const filesIn = async (dir: string): Promise<number> =>
    (await readdir(path.join(drive, dir)).catch(() => [])).length;
  const has = (name: string): boolean => existsSync(path.join(drive, name));

  /** The version that the list of apps names. */
  async function registered(hive: "HKLM" | "HKCU"): Promise<string | null> {
    const file = path.join(root, "installer", "registry.txt");
    await rm(file, { force: true });
    const key = "Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall";
    await wine.runLinux(
      "wine",
      ["reg", "query", `${hive}\\${key}`, "/s", "/reg:64"],
      { output: file, env },
    );
    const printed = await readFile(file, "utf8").catch(() => "");
    const [, version] =
      /DisplayVersion\s+REG_SZ\s+(0\.\d\.0)/.exec(printed) ?? [];
    return version ?? null;
  }

  async function assertIs(
    what: string,
    given: unknown,
    expected: unknown,
  ): Promise<void> {
    const found = await given;
    if (found !== expected)
      throw new Error(
        `${what}: ${String(found)} instead of ${String(expected)}`,
      );
  }
  async function assertInstalled(
    dir: string,
    version: Version,
    hive: "HKLM" | "HKCU",
  ): Promise<void> {
    for (const name of content)
      await assertIs(name, has(`${dir}/${name}`), true);
    await assertIs("version", versionIn(dir), version);
    await assertIs("registered version", registered(hive), version);
    await assertIs(
      "copy of the installer",
      has(`${local}/vitrine-updater`),
      false,
    );
  }
  async function assertRemoved(
    dir: string,
    hive: "HKLM" | "HKCU",
  ): Promise<void> {
    // The uninstaller continues in a copy of itself; under Wine, its folder stays as long as that runs.
    await until(async () => (await filesIn(dir)) === 0, `removal of ${dir}`);
    await until(
      async () => (await registered(hive)) === null,
      "removal of its registration",
    );
    await assertIs("copy", has(`${local}/vitrine-updater`), false);
  }
  const uninstall = (dir: string, ...args: string[]): Promise<number> =>
    start(
      `C:\\${dir.replaceAll("/", "\\")}\\Uninstall Vitrine.exe`,
      ...["/S", ...args],
    );
  async function makeData(): Promise<void> {
    for (const dir of [...data, ...notData]) {
      await mkdir(path.join(drive, dir), { recursive: true });
      await writeFile(path.join(drive, dir, "one.txt"), "1");
    }
  }
  async function assertCalls(expected: readonly string[]): Promise<void> {
    const calls = await netshCalls();
    await assertIs("calls of netsh", calls.join("\n"), expected.join("\n"));
  }

  const cases: readonly (readonly [string, () => Promise<void>])[] = [
    [
      "installs for all users",
      async () => {
        await netshCalls();
        await assertIs("exit code", setUp("0.1.0", "/allusers"), 0);
        await assertInstalled(forAll, "0.1.0", "HKLM");
      },
    ],
    [
      "lets other machines reach the program through the firewall when it is installed for all users",
      () => assertCalls([removesRule, addsRule]),
    ],
    [
      "upgrades while the player runs, and ends it",
      async () => {
        const player = start("C:\\Program Files\\Vitrine\\Vitrine.exe");
        const log = path.join(root, "installer", "tasks.txt");
        await until(async () => {
          await rm(log, { force: true });
          await wine.runLinux("ps", ["-e", "-o", "args"], { output: log });
          return (await readFile(log, "utf8")).includes("Vitrine.exe");
        }, "player");
        await assertIs("exit code", setUp("0.2.0", "/allusers"), 0);
        await player;
        await assertInstalled(forAll, "0.2.0", "HKLM");
      },
    ],
    [
      "rejects an older version silently",
      async () => {
        await assertIs("exit code", setUp("0.1.0", "/allusers"), 3);
        await assertInstalled(forAll, "0.2.0", "HKLM");
      },
    ],
    [
      "installs an older version on request",
      async () => {
        await assertIs("exit code", setUp("0.1.0", "/allusers", "/older"), 0);
        await assertInstalled(forAll, "0.1.0", "HKLM");
      },
    ],
    [
      "rejects a second installation for one user",
      async () => {
        await assertIs("exit code", setUp("0.2.0", "/currentuser"), 4);
        await assertIs("second installation", filesIn(forOne), 0);
        await assertInstalled(forAll, "0.1.0", "HKLM");
      },
    ],
    [
      "repairs an installation",
      async () => {
        await rm(path.join(drive, forAll, "vitrine-console.cmd"));
        await assertIs("exit code", setUp("0.1.0", "/allusers"), 0);
        await assertInstalled(forAll, "0.1.0", "HKLM");
      },
    ],
    [
      "is removed silently, and leaves all data",
      async () => {
        await makeData();
        await netshCalls();
        await assertIs("exit code", uninstall(forAll), 0);
        await assertRemoved(forAll, "HKLM");
        for (const dir of [...data, ...notData])
          await assertIs(dir, has(`${dir}/one.txt`), true);
      },
    ],
    [
      "removes its rule of the firewall when it is removed",
      () => assertCalls([removesRule]),
    ],
    ...[
      ["all", "/allusers", forAll, "HKLM"] as const,
      ["one", "/currentuser", forOne, "HKCU"] as const,
    ].map(([whom, flag, dir, hive]): readonly [string, () => Promise<void>] => [
      `[V2-687] installed for ${whom}, is removed with the data of this user, and no others, on request`,
      async () => {
        await makeData();
        await assertIs("exit code", setUp("0.1.0", flag), 0);
        await netshCalls();
        await assertIs("exit code", uninstall(dir, "--delete-app-data"), 0);
        await assertRemoved(dir, hive);
        for (const gone of data) await assertIs(gone, has(gone), false);
        for (const left of notData)
          await assertIs(left, has(`${left}/one.txt`), true);
        await assertCalls(whom === "all" ? [removesRule] : []);
      },
    ]),
    [
      "installs for one user, and then for all instead",
      async () => {
        await assertIs("exit code", setUp("0.1.0", "/currentuser"), 0);
        await assertInstalled(forOne, "0.1.0", "HKCU");
        await assertIs("exit code", setUp("0.2.0", "/allusers"), 0);
        await assertInstalled(forAll, "0.2.0", "HKLM");
        await assertRemoved(forOne, "HKCU");
        await assertIs("exit code", uninstall(forAll), 0);
        await assertRemoved(forAll, "HKLM");
      },
    ],
  ];
  const faults: string[] = [];
  for (const [title, attempt] of cases)
    try {
      await attempt();
    } catch (error) {
      faults.push(`the installer ${title}: ${String(error)}`);
    }
  await wine.close();
  await screen;
  return { passed: cases.length - faults.length, faults, skipped: null };
}

/** Retries until it holds. */
async function until(
  holds: () => Promise<boolean>,
  what: string,
): Promise<void> {
  const giveUp = performance.now() + waitDeadlineMs;
  while (!(await holds())) {
    if (performance.now() > giveUp)
      throw new Error(`no ${what} within ${waitDeadlineMs / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
