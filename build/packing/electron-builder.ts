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
    return "is made on Windows, where its Electron and its native module are.";
  if (ofLinux.includes(target) && platform !== "linux")
    return "is made on Linux, where its Electron and its native module are.";
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
  nsis: "NSIS",
  portable: "NSIS",
};

/** From electron-builder's output after a failure: the tool that could not be downloaded, else its own reason. */
export function whyNotMade(target: Target, printed: string): string {
  const host =
    /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH) (\S+)/.exec(
      printed,
    )?.[1];
  if (host !== undefined)
    return `lacks ${tools[target] ?? "a tool"}, which electron-builder fetches from ${host}; that cannot be reached from here.`;
  const errorLine = /⨯ (.+)/.exec(printed)?.[1]?.trim();
  return `was not made; electron-builder says: ${errorLine ?? "nothing"}`;
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
