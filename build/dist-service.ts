// Builds the content service for servers: npm run dist -- service [deb] [tar.gz] [--test-build]; the folder is always built.

import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { makeTarGz } from "./packing/tar-gz.ts";
import { projectRoot } from "./packing/paths.ts";
import { makeServiceDeb } from "./packing/service/service-deb.ts";
import { stageService } from "./packing/service/stage-service.ts";
import { sizeOf } from "./packing/size-on-disk.ts";

const targets = ["deb", "tar.gz"];
/** Packages that are tried rather than transferred: compressed fast. */
const testFlag = "--test-build";
const [, ...given] = process.argv.slice(2);
const isTestBuild = given.includes(testFlag);
const words = given.filter((word) => word !== testFlag);
const unknown = words.find((word) => !targets.includes(word));
if (unknown !== undefined) {
  console.error(
    `There is no target "${unknown}". Available: ${targets.join(", ")}.`,
  );
  process.exitCode = 2;
} else if (process.platform !== "linux") {
  console.error(
    "The service is packaged on Linux only. On Windows it runs from a checkout: build/guides/content-windows.md.",
  );
  process.exitCode = 1;
} else await make(words);

async function make(words: readonly string[]): Promise<void> {
  const { version } = JSON.parse(
    readFileSync(join(projectRoot, "package.json"), "utf8"),
  ) as { readonly version: string };
  const staged = await stageService(version);
  print("folder", staged);
  if (words.includes("tar.gz")) {
    const fileName = `vitrine-content-${version}-linux-${process.arch}`;
    print("tar.gz", await makeTarGz(staged, { fileName }));
  }
  if (!words.includes("deb")) return;
  if (existsSync("/usr/bin/dpkg-deb"))
    print("deb", await makeServiceDeb(staged, version, { isTestBuild }));
  else {
    console.error("deb: dpkg-deb is not installed.");
    process.exitCode = 1;
  }
}

function print(target: string, path: string): void {
  const size = (sizeOf(path) / 2 ** 20).toFixed(1);
  console.log(`${target}: ${relative(projectRoot, path)}, ${size} MiB`);
}
