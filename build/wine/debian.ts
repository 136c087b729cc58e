// Makes a Debian with Wine in a folder of its own, which is the root of its programs: all or nothing.

import { execFile } from "node:child_process";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { openWine, wine64, type WineSession } from "./session.ts";

const run = promisify(execFile);

export interface DebianRecipe {
  readonly release: string;
  readonly packages: readonly string[];
  /** Installed from the architecture i386, which debootstrap does not know. */
  readonly packages32?: readonly string[];
}

/** An interrupted attempt is started again from scratch. `finish` completes the folder before it gets its name. */
export async function makeDebian(
  root: string,
  { release, packages, packages32 = [] }: DebianRecipe,
  finish: (part: string) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const part = `${root}.part`;
  await rm(part, { recursive: true, force: true });
  // In separate namespaces, so that its mounts and children end with this process.
  await run(
    "setpriv",
    [
      ...["--pdeathsig", "KILL", "unshare", "--mount", "--pid", "--fork"],
      ...["--kill-child", "--mount-proc", "debootstrap"],
      ...["--variant=minbase", `--include=${packages.join(",")}`],
      ...[release, part, await debianMirror()],
    ],
    { maxBuffer: 2 ** 26 },
  );
  await writeFile(
    path.join(part, "etc", "hosts"),
    "127.0.0.1 localhost\n::1 localhost\n",
  );
  const wine = await openWine(part);
  try {
    if (packages32.length > 0) await install32(wine, part, packages32);
    await mustRun(wine, part, wine64, "wineboot", "-i");
    await mustRun(wine, part, wine64, "winecfg", "-v", "win10");
  } finally {
    await wine.close();
  }
  await finish(part);
  await rename(part, root);
}

async function install32(
  wine: WineSession,
  root: string,
  packages: readonly string[],
): Promise<void> {
  await mustRun(wine, root, "dpkg", "--add-architecture", "i386");
  await mustRun(wine, root, "apt-get", "-q", "update");
  await mustRun(
    wine,
    root,
    ...["apt-get", "-qy", "install", "--no-install-recommends"],
    ...packages.map((name) => `${name}:i386`),
  );
}

async function mustRun(
  wine: WineSession,
  root: string,
  ...words: readonly string[]
): Promise<void> {
  const output = path.join(root, "root", "setup.log");
  const [program = "", ...args] = words;
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  const code = await wine.runLinux(program, args, { output, env });
  if (code !== 0)
    throw new Error(
      `${words.join(" ")} ended with ${code}:\n${await readFile(output, "utf8")}`,
    );
}

/** The mirror that this machine installs from; its package lists may never have been downloaded. */
async function debianMirror(): Promise<string> {
  const mirror = (await knownMirror()) ?? (await afterUpdate());
  if (mirror === null)
    throw new Error("No Debian mirror is among the sources of apt-get.");
  return mirror;
}

async function afterUpdate(): Promise<string | null> {
  await run("apt-get", ["-q", "update"]);
  return knownMirror();
}

async function knownMirror(): Promise<string | null> {
  const { stdout } = await run("apt-get", [
    ...["indextargets", "--format", "$(ORIGIN) $(LABEL) $(REPO_URI)"],
    "Created-By: Packages",
  ]);
  return /^Debian Debian (\S+)$/m.exec(stdout)?.[1] ?? null;
}
