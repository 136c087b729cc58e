// Packages built by electron-builder with tools it downloads itself, from the same unpacked folder.

import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Mark } from "./package-name.ts";
import type { Target } from "./dist-arguments.ts";
import { packageRoot } from "./paths.ts";
import { callBuilder } from "./unpacked.ts";

const ofWindows: readonly Target[] = ["nsis", "portable"];
const ofLinux: readonly Target[] = ["deb", "AppImage", "rpm"];

/** Why this machine can never build the target; null when it is worth a try. */
export function lacksOf(
  target: Target,
  platform: NodeJS.Platform = process.platform,
  findProgram: (name: string) => string | null = onPath,
): string | null {
  if (ofWindows.includes(target) && platform !== "win32")
    return "must be built on Windows, with the Electron and native module for it.";
  if (ofLinux.includes(target) && platform !== "linux")
    return "must be built on Linux, with the Electron and native module for it.";
  if (target === "deb" && !findProgram("dpkg-deb"))
    return "lacks dpkg-deb (Debian: apt-get install dpkg).";
  if (target === "rpm" && !findProgram("rpmbuild"))
    return "lacks rpmbuild (Debian: apt-get install rpm).";
  return null;
}

/** What electron-builder downloads for a target before it builds it. */
const tools: Readonly<Partial<Record<Target, string>>> = {
  AppImage: "the runtime of AppImages and mksquashfs",
  rpm: "fpm",
  nsis: "NSIS, its plug-ins or 7-Zip",
  portable: "NSIS, its plug-ins or 7-Zip",
};

/** How to supply copies of these instead. */
const ownCopies: Readonly<Partial<Record<Target, string>>> = {
  nsis: "Name the folders of NSIS and of its plug-ins in ELECTRON_BUILDER_NSIS_DIR and ELECTRON_BUILDER_NSIS_RESOURCES_DIR, and the program 7za in ELECTRON_BUILDER_7ZIP_PATH.",
};

/** From electron-builder's output after a failure: the tool that could not be downloaded, else its own reason. */
export function whyNotMade(target: Target, printed: string): string {
  const host =
    /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH) (\S+)/.exec(
      printed,
    )?.[1];
  const [, status, address] =
    /\bResponse code (\d+) .*? for (\S+)/.exec(printed) ?? [];
  const cause =
    host !== undefined
      ? `which electron-builder fetches from ${host}; that cannot be reached from here.`
      : address !== undefined
        ? `which electron-builder fetches from ${address}; that answers ${status}.`
        : null;
  if (cause !== null)
    return [`lacks ${tools[target] ?? "a tool"}, ${cause}`, ownCopies[target]]
      .filter((sentence) => sentence !== undefined)
      .join(" ");
  const errorLine = /⨯ (.+)/.exec(printed)?.[1]?.trim();
  return `was not built; electron-builder reports: ${errorLine ?? "nothing"}`;
}

/** Returns the files built; its error contains electron-builder's output. */
export async function makeByBuilder(
  target: Target,
  unpacked: string,
  mark: Mark,
): Promise<readonly string[]> {
  const before = new Set(readdirSync(packageRoot));
  if (onPath("fpm") !== null) process.env.USE_SYSTEM_FPM = "true";
  await callBuilder([target, "--prepackaged", unpacked], mark, [
    `-c.artifactName=${mark.fileName}.\${ext}`,
  ]);
  return readdirSync(packageRoot)
    .filter((name) => !before.has(name) && name.startsWith("vitrine"))
    .map((name) => join(packageRoot, name));
}

function onPath(name: string): string | null {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const cached = folders.find(
    (folder) => folder !== "" && existsSync(join(folder, name)),
  );
  return cached === undefined ? null : join(cached, name);
}
