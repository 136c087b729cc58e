// System requirements on Linux: shared libraries, a font, and a few programs.

import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { electronFolder } from "./electron.mjs";
import { packageOf, packagesFor } from "./debian.mjs";
import { needsOwnBinding } from "./native-module.mjs";
import { SetupStopped, say, step } from "./progress.mjs";
import { lastLines, outputOf, runQuietly } from "./run.mjs";

/** Whether there is a real screen; without one Electron needs a virtual one. */
function hasScreen(env) {
  return Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

/** Requirements for opening the app. */
export async function systemForApp(env) {
  await have(env, [...(hasScreen(env) ? [] : ["Xvfb"])]);
}

/** Requirements for tests and benchmarks, which run on a virtual screen and generate their own media. */
export async function systemForTests(env) {
  await have(env, [
    ...["Xvfb", "Xvnc", "ffmpeg", "pulseaudio", "pactl"],
    // For the commands of the documentation.
    ...["curl", "jq"],
  ]);
  await havePostgres();
}

/** Additional requirement of the long tests: a window manager such as a desktop has. */
export async function systemForLongProofs(env) {
  await have(env, ["openbox"]);
}

/** Requirements for preparing the tests under Windows' Node, on a Debian where packages may be installed. */
export async function systemForWine() {
  if (!isOnPath(process.env, "debootstrap"))
    await installPackages(["debootstrap"]);
  await havePostgres();
}

/** Download tools that the sync benchmark compares with. */
export async function systemForSyncBench(env) {
  await have(env, ["aria2c", "curl"]);
}

/**
 * Every suite of the content service also runs on PostgreSQL; where it cannot be installed, the suites report what
 * they skip.
 */
async function havePostgres() {
  if (process.platform !== "linux" || hasPostgres()) return;
  if (mayInstall()) await installPackages(["PostgreSQL"]);
  else
    say(
      `PostgreSQL is missing, so its content tests are skipped. To install it: sudo apt-get install -y ${packageOf("PostgreSQL")}`,
    );
}

/** Debian installs its programs outside the PATH, in one folder per version. */
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
  await installPackages(missing);
  const still = missingOf(env, programs);
  if (still.length > 0)
    throw new SetupStopped(
      `Still missing on this machine: ${still.join(", ")}.`,
    );
}

// Checks for the files, not for installed packages: they may come from many sources.
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

/** Their packages are named only once the lists are up to date: a new system may have none yet. */
async function installPackages(missing) {
  if (!mayInstall()) {
    throw new SetupStopped(
      `Some system packages are missing. Run this, then start again:\n  sudo apt-get install -y ${packagesFor(missing).join(" ")}`,
    );
  }
  await step("Updating the list of system packages", () => apt(["update"]));
  const names = packagesFor(missing);
  await step(`Installing system packages (${names.join(", ")})`, async () => {
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
