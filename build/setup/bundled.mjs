// Bundles the app again only when a source has changed.

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

const sources = [
  "electron",
  "renderer",
  "server",
  "build/bundle",
  "build/guides",
  "package.json",
  "package-lock.json",
];
const stampFile = inProject("dist", ".bundled");

export async function bundled(env) {
  if (isFresh()) return;
  await withLock(inProject("dist", ".bundle-lock"), async (shareWith) => {
    if (isFresh()) return;
    await step("Bundling the app", async () => {
      // Taken before the work: a source saved meanwhile then makes the next comparison find a difference.
      const stamp = stampOfSources();
      rmSync(stampFile, { force: true });
      const bundle = [inProject("build", "bundle", "bundle.ts")];
      const { ok, output } = await runQuietly(projectNode(), bundle, {
        env,
        onStart: shareWith,
      });
      if (!ok)
        throw new SetupStopped(
          `${output.trimEnd()}\nThe app could not be bundled.`,
        );
      mkdirSync(inProject("dist"), { recursive: true });
      writeFileSync(stampFile, stamp);
    });
  });
}

function isFresh() {
  return (
    existsSync(inProject("dist", "main.cjs")) &&
    readText(stampFile) === stampOfSources()
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
