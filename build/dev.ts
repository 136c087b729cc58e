// Development mode: opens the app, reloads a page when it changes, restarts the app when the main process or a preload
// changes.

import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  type BuildContext,
  type BuildOptions,
  context,
  type Plugin,
} from "esbuild";
import { readConfig } from "../electron/config.ts";
import { bundlesOf, missingEntries } from "./bundle/bundle.ts";
import { onStopSignal, openApp, type OpenApp } from "./start/app.ts";
import { openStartEnvironment } from "./start/start-environment.ts";

const reloadPages = fileURLToPath(
  new URL("start/reload-pages.cjs", import.meta.url),
);

const flags = process.argv.slice(2);
const reading = readConfig(flags, process.env);
const missing = missingEntries();
if (!reading.ok) {
  console.error(reading.message);
  process.exitCode = 2;
} else if (missing !== undefined) {
  console.error(missing);
  process.exitCode = 1;
} else {
  // From now on dist/ contains debugging bundles; the next regular start has to bundle again.
  for (const stamp of [".bundled", ".bundled-service"])
    rmSync(new URL(`../dist/${stamp}`, import.meta.url), { force: true });
  let onChange = () => {};
  const watched = await watchBundles(() => onChange());
  let isStartDue = true;
  let app: OpenApp | undefined;
  onStopSignal(() => {
    isStartDue = false;
    app?.stop();
  });
  const startEnvironment = await openStartEnvironment(reading.value, {
    screenStays: true,
  });

  while (isStartDue) {
    isStartDue = false;
    app = openApp({
      flags: [...flags, ...startEnvironment.flags],
      env: startEnvironment.env,
      dataDir: reading.value.dataDir,
      before: reloadPages,
    });
    const { ended, stop } = app;
    onChange = () => {
      isStartDue = true;
      console.log("Sources changed: restarting the app.");
      stop();
    };
    process.exitCode = await ended;
  }

  startEnvironment.close();
  await Promise.all(watched.map((watching) => watching.dispose()));
}

/** Bundles now and after every change; resolves after the first bundling, then reports changes that require a restart. */
async function watchBundles(
  onChange: () => void,
): Promise<readonly BuildContext[]> {
  const bundles = bundlesOf({ watching: true });
  const { main, content, preloads, manager, playback } = bundles;
  const { browser, preview, pinPad, stageChunks } = bundles;
  return Promise.all([
    watchBundle(main, onChange),
    watchBundle(content, onChange),
    watchBundle(preloads, onChange),
    watchBundle(manager),
    watchBundle(browser),
    watchBundle(playback),
    watchBundle(preview),
    watchBundle(pinPad),
    watchBundle(stageChunks),
  ]);
}

async function watchBundle(
  options: BuildOptions,
  onChange = () => {},
): Promise<BuildContext> {
  let notify = () => {};
  const bundledOnce = new Promise<void>((resolve) => (notify = resolve));
  const watching = await context({
    ...options,
    plugins: [...(options.plugins ?? []), afterEachBuild(() => notify())],
  });
  await watching.watch();
  await bundledOnce;
  notify = onChange;
  return watching;
}

function afterEachBuild(then: () => void): Plugin {
  return {
    name: "after-each-build",
    setup: ({ onEnd }) =>
      onEnd(({ errors }) => (errors.length === 0 ? then() : undefined)),
  };
}
