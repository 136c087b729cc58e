// What a Linux machine must have of its own: shared libraries, a font, and a few programs.

import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { electronFolder } from "./electron.mjs";
import { packageOf } from "./debian.mjs";
import { needsOwnBinding } from "./native-module.mjs";
import { SetupStopped, say, step } from "./progress.mjs";
import { lastLines, outputOf, runQuietly } from "./run.mjs";

/** The screen a person sits at, if any; without one Electron needs a virtual one. */
function hasScreen(env) {
  return Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

/** To open the app. */
export async function systemForApp(env) {
  await have(env, [...(hasScreen(env) ? [] : ["Xvfb"])]);
}

/** To test and to measure, which is done on a screen of its own and with media made on the spot. */
export async function systemForTests(env) {
  const programs = ["Xvfb", "Xvnc", "ffmpeg", "pulseaudio", "pactl"];
  await have(env, programs);
  await havePostgres();
}

/** What the long proofs need beside that: a window manager such as a desktop has. */
export async function systemForLongProofs(env) {
  await have(env, ["openbox"]);
}

/** What the tests under Windows' own Node are prepared by, on a Debian that is ours to install on. */
export async function systemForWine() {
  if (!isOnPath(process.env, "debootstrap"))
    await installPackages([packageOf("debootstrap")]);
  await havePostgres();
}

/** What a sync is measured beside. */
export async function systemForSyncBench(env) {
  await have(env, ["aria2c", "curl"]);
}

/** Every suite of the content service runs on it too; where it is not ours to install, they say what they leave out. */
async function havePostgres() {
  if (process.platform !== "linux" || hasPostgres()) return;
  const name = packageOf("PostgreSQL");
  if (mayInstall()) await installPackages([name]);
  else
    say(
      `PostgreSQL is missing, so its half of the content tests is left out. To have it: sudo apt-get install -y ${name}`,
    );
}

/** Debian keeps its programs outside of the path, one folder per version. */
function hasPostgres() {
  const versions = "/usr/lib/postgresql";
  return (
    existsSync(versions) &&
    readdirSync(versions).some((version) =>
      existsSync(join(versions, version, "bin/postgres")),
    )
  );
}

function mayInstall() {
  return process.getuid() === 0 && existsSync("/usr/bin/apt-get");
}

async function have(env, programs) {
  if (process.platform !== "linux") return;
  const missing = missingOf(env, programs);
  if (missing.length === 0) return;
  const wanted = [...new Set(missing)].map((name) => packageOf(name) ?? name);
  await installPackages(wanted);
  const still = missingOf(env, programs);
  if (still.length > 0)
    throw new SetupStopped(
      `Still missing on this machine: ${still.join(", ")}.`,
    );
}

// By looking, not by asking what is installed: people have these things from many sources.
function missingOf(env, programs) {
  const compilers =
    needsOwnBinding(env) && !env.VITRINE_SQLITE_BINDING ? ["gcc", "g++"] : [];
  const missing = [...programs, ...compilers].filter(
    (program) => !isOnPath(env, program),
  );
  if (!hasFont()) missing.push("font");
  return [
    ...missing,
    ...missingLibraries(join(electronFolder(env), "electron")),
  ];
}

function missingLibraries(program) {
  const lines = outputOf("ldd", [program]).split("\n");
  return lines
    .filter((line) => line.includes("not found"))
    .map((line) => line.trim().split(" ")[0]);
}

function isOnPath(env, program) {
  return (env.PATH ?? "")
    .split(delimiter)
    .some((folder) => folder !== "" && existsSync(join(folder, program)));
}

function hasFont() {
  const inHome = [".fonts", ".local/share/fonts"].map((folder) =>
    join(homedir(), folder),
  );
  return ["/usr/share/fonts", "/usr/local/share/fonts", ...inHome].some(
    holdsFont,
  );
}

function holdsFont(folder) {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return false;
  }
  return entries.some((entry) =>
    entry.isDirectory()
      ? holdsFont(join(folder, entry.name))
      : /\.(ttf|otf|ttc|pfb)$/i.test(entry.name),
  );
}

async function installPackages(names) {
  if (!mayInstall()) {
    throw new SetupStopped(
      `This machine lacks a few things. Please run this line, then start again:\n  sudo apt-get install -y ${names.join(" ")}`,
    );
  }
  await step(`Installing system packages (${names.join(", ")})`, async () => {
    await apt(["update"]);
    const { ok, output } = await apt([
      "install",
      "-y",
      "--no-install-recommends",
      ...names,
    ]);
    if (!ok)
      throw new SetupStopped(
        `${lastLines(output)}\nThe system packages could not be installed.`,
      );
  });
}

function apt(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return runQuietly(
    "apt-get",
    ["-q", "-o", "DPkg::Lock::Timeout=120", ...args],
    { env },
  );
}
