// Bundles the app, or a part of it, again only when a source has changed.

import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { withLock } from "./setup-lock.mjs";
import { inProject, projectNode, readText } from "./paths.mjs";
import { SetupStopped, step } from "./progress.mjs";
import { runQuietly } from "./run.mjs";

/** What tests start as child processes. */
export const testProgramsDir = inProject("dist", "programs");
const testPrograms = {
  ...{ script: "test-programs.ts", words: [], what: "programs for tests" },
  ...{ stamp: ".bundled-programs", product: "programs/content.mjs" },
};

const sources = [
  "electron",
  "renderer",
  "server",
  "build/bundle",
  "build/start.ts",
  "build/start",
  "build/guides",
  "package.json",
  "package-lock.json",
];

const app = {
  ...{ script: "bundle.ts", words: [], what: "the app" },
  ...{ stamp: ".bundled", product: "main.cjs" },
};
/** What a content service serves, for those who run it alone. */
const pages = {
  ...{ script: "bundle.ts", words: ["service"] },
  what: "the manager for browsers",
  ...{ stamp: ".bundled-service", product: "renderer/service/index.html" },
};

export async function bundled(env) {
  if (!isFresh(app)) await bundle(app, env);
}

/** The whole bundle has them as well. */
export async function servicePages(env) {
  if (!isFresh(app) && !isFresh(pages)) await bundle(pages, env);
}

export async function bundledTestPrograms(env) {
  if (!isFresh(testPrograms)) await bundle(testPrograms, env);
}

async function bundle(part, env) {
  await withLock(inProject("dist", ".bundle-lock"), async (shareWith) => {
    if (isFresh(part)) return;
    await step(`Bundling ${part.what}`, async () => {
      // Taken before the work: a source saved meanwhile then makes the next comparison find a difference.
      const stamp = stampOfSources();
      rmSync(stampFileOf(part), { force: true });
      const script = inProject("build", "bundle", part.script);
      const { ok, output } = await runQuietly(
        projectNode(),
        [script, ...part.words],
        { env, onStart: shareWith },
      );
      if (!ok)
        throw new SetupStopped(
          `${output.trimEnd()}\nCould not bundle ${part.what}.`,
        );
      mkdirSync(inProject("dist"), { recursive: true });
      writeFileSync(stampFileOf(part), stamp);
    });
  });
}

function stampFileOf({ stamp }) {
  return inProject("dist", stamp);
}

function isFresh(part) {
  return (
    existsSync(inProject("dist", part.product)) &&
    readText(stampFileOf(part)) === stampOfSources()
  );
}

/** Path, size and modification time of every source, hashed together: a deleted file counts as a change, too. */
function stampOfSources() {
  const hash = createHash("sha256");
  const add = (path) => {
    const about = statSync(path, { throwIfNoEntry: false });
    if (about?.isDirectory()) {
      for (const name of readdirSync(path).sort()) add(join(path, name));
    } else if (about) {
      hash.update(`${path} ${about.size} ${about.mtimeMs}\n`);
    }
  };
  for (const source of sources) add(inProject(source));
  return hash.digest("hex");
}
