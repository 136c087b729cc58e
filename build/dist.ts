// Builds packages: npm run dist -- dir tar.gz deb … [--test-build]; reports what was built and what the rest lacks.

import { statSync } from "node:fs";
import { relative } from "node:path";
import { makeDeb } from "./packing/deb.ts";
import { describeElectron } from "./packing/electron.ts";
import { makeIcons } from "./packing/icons.ts";
import {
  lacksOf,
  makeByBuilder,
  whyNotMade,
} from "./packing/electron-builder.ts";
import {
  readOrder,
  type Order,
  type Target,
} from "./packing/dist-arguments.ts";
import { markedFor } from "./packing/package-name.ts";
import { projectRoot } from "./packing/paths.ts";
import { stageApp } from "./packing/staged-app.ts";
import { makeTarGz } from "./packing/tar-gz.ts";
import { checkContents } from "./packing/contents.ts";
import { sizeOf } from "./packing/size-on-disk.ts";
import { makeUnpacked } from "./packing/unpacked.ts";

const reading = readOrder(process.argv.slice(2));
if (!reading.ok) refuse(reading.message);
else {
  const electron = describeElectron(process.env);
  if (!electron.isOfficial && !reading.order.isTestBuild)
    refuse(
      `Only the fallback Electron ${electron.version} is here, which is for development and tests. ` +
        "A package with it is for tests only: add --test-build, which marks it TEST.",
    );
  else await make(reading.order, electron);
}

async function make(
  order: Order,
  electron: ReturnType<typeof describeElectron>,
): Promise<void> {
  const mark = markedFor(electron);
  const lacking = new Map<Target, string>(
    order.targets.flatMap((target) => {
      const lacks = lacksOf(target);
      return lacks === null ? [] : [[target, lacks] as const];
    }),
  );
  const makeable = order.targets.filter((target) => !lacking.has(target));
  if (makeable.length > 0) {
    await makeIcons();
    await stageApp(electron, mark);
    const unpacked = await makeUnpacked(electron, mark);
    const findings = checkContents(unpacked);
    if (findings.length > 0)
      throw new Error(
        `The package contains what it must not:\n${findings.join("\n")}`,
      );
    printArtifact("dir", unpacked);
    for (const target of makeable) {
      if (target === "tar.gz")
        printArtifact(target, await makeTarGz(unpacked, mark));
      else if (target === "deb")
        printArtifact(target, await makeDeb(unpacked, electron.version, mark));
      else if (target !== "dir")
        try {
          for (const file of await makeByBuilder(target, unpacked, mark))
            printArtifact(target, file);
        } catch (error) {
          // The other targets are still built.
          lacking.set(target, whyNotMade(target, (error as Error).message));
        }
    }
  }
  for (const [target, lacks] of lacking) console.error(`${target}: ${lacks}`);
  if (lacking.size > 0) process.exitCode = 1;
}

function printArtifact(target: string, path: string): void {
  const size = (sizeOf(path) / 2 ** 20).toFixed(1);
  const kind = statSync(path).isDirectory() ? "folder" : "file";
  const where = relative(projectRoot, path);
  console.log(`${target}: ${where}, a ${kind} of ${size} MiB`);
}

function refuse(sentence: string): void {
  console.error(sentence);
  process.exitCode = 2;
}
