// Builds the unpacked package: electron-builder's folder with the archive in it; sets the fuses and verifies them.

import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { PackedElectron } from "./electron.ts";
import { offendingFuses } from "./fuses.ts";
import type { Mark } from "./package-name.ts";
import { packageRoot, projectRoot } from "./paths.ts";

const run = promisify(execFile);
const builder = join(projectRoot, "node_modules/electron-builder/cli.js");

/** Returns the folder. */
export async function makeUnpacked(
  electron: PackedElectron,
  mark: Mark,
): Promise<string> {
  const folder = unpackedFolder();
  await rm(folder, { recursive: true, force: true });
  await callBuilder(["--dir"], mark, [
    `-c.electronDist=${electron.folder}`,
    `-c.electronVersion=${electron.version}`,
  ]);
  // The fallback's loader for apps; a package contains its own app.
  await rm(join(folder, "resources", "app"), { recursive: true, force: true });
  const violations = await offendingFuses(join(folder, executableName));
  if (violations.length > 0)
    throw new Error(`The fuses are wrong: ${violations.join(", ")}.`);
  return folder;
}

export const executableName =
  process.platform === "win32" ? "Vitrine.exe" : "vitrine";

function unpackedFolder(): string {
  const system = process.platform === "win32" ? "win" : "linux";
  const arch = process.arch === "x64" ? "" : `${process.arch}-`;
  return join(packageRoot, `${system}-${arch}unpacked`);
}

/** On failure, throws an error with the builder's reasons. */
export async function callBuilder(
  what: readonly string[],
  { productName, version }: Mark,
  config: readonly string[],
): Promise<void> {
  const system = process.platform === "win32" ? "--win" : "--linux";
  await run(
    process.execPath,
    [
      builder,
      system,
      ...what,
      `--${process.arch}`,
      ...["--publish", "never"],
      ...["--config", "build/electron-builder.yml"],
      `-c.productName=${productName}`,
      `-c.extraMetadata.version=${version}`,
      ...config,
    ],
    { cwd: projectRoot, maxBuffer: 2 ** 26 },
  ).catch((error: { stdout?: string; stderr?: string }) => {
    throw new Error(
      `electron-builder failed.\n${error.stdout ?? ""}${error.stderr ?? ""}`,
    );
  });
}
