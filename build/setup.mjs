// Prepares what every script needs, in plain JavaScript: packages, Electron, native module, system libraries, bundle.

import {
  bundled,
  bundledTestPrograms,
  servicePages,
  testProgramsDir,
} from "./setup/bundled.mjs";
import { clients } from "./setup/clients.mjs";
import { electron } from "./setup/electron.mjs";
import { nativeModule } from "./setup/native-module.mjs";
import { packages } from "./setup/packages.mjs";
import { inProject, projectNode } from "./setup/paths.mjs";
import { SetupStopped, say } from "./setup/progress.mjs";
import { runInFront } from "./setup/run.mjs";
import { sandbox } from "./setup/sandbox.mjs";
import { wine } from "./setup/wine.mjs";
import {
  systemForApp,
  systemForSyncBench,
  systemForLongProofs,
  systemForTests,
} from "./setup/system.mjs";

const toMake = [packages, electron, systemForApp, nativeModule];
const sandboxAsAsked = (env) => sandbox(env, args);
const toOpen = [...toMake, sandboxAsAsked];
const toTest = [
  ...[packages, electron, systemForTests, nativeModule],
  ...[sandboxAsAsked, bundled],
];
const config = ["--config", "build/vitest.config.ts"];

// Per script: its requirements, and what then runs on the project's own Node.
const menu = {
  start: { needs: [...toOpen, bundled], run: ["build/start.ts"] },
  demo: { needs: [...toOpen, bundled], run: ["build/demo.ts"] },
  // Plain Node: it shows nothing, so it needs neither Electron nor a screen.
  content: { needs: [packages, servicePages], run: ["server/content/main.ts"] },
  cli: { needs: [packages], run: ["server/cli/main.ts"] },
  sync: { needs: [packages], run: ["server/player/sync/command-line/main.ts"] },
  dev: { needs: toOpen, run: ["build/dev.ts"] },
  test: {
    needs: [...toTest, bundledTestPrograms],
    run: ["build/test.ts", ...config],
    env: { VITRINE_TEST_PROGRAMS: testProgramsDir },
  },
  long: {
    needs: [...toTest, bundledTestPrograms, systemForLongProofs],
    // The last ones also have a short form in the ordinary test run.
    run: [
      ...[
        "node_modules/vitest/vitest.mjs",
        "run",
        ...config,
        "test/long",
        "v3/version-consistency",
      ],
      ...["v3/hostile", "v4/hostile", "random-sequences", "recover-rejects"],
      ...["concurrent-writes", "core/director/director"],
    ],
    env: { VITRINE_LONG: "1", VITRINE_TEST_PROGRAMS: testProgramsDir },
  },
  bench: { needs: toTest, run: ["build/bench.ts"] },
  screenshots: { needs: toTest, run: ["test/e2e/screenshots/run.ts"] },
  soak: { needs: toTest, run: ["test/long/soak/run.ts"] },
  windows: { needs: [packages, wine], run: ["test/long/windows/run.ts"] },
  check: { needs: [packages, clients], run: ["build/check.ts"] },
  dist:
    process.argv[3] === "service"
      ? // Plain Node: neither Electron nor its native module.
        { needs: [packages, servicePages], run: ["build/dist-service.ts"] }
      : { needs: [...toMake, bundled], run: ["build/dist.ts"] },
  screen: { needs: [packages], run: ["build/screenshot.ts"] },
  format: {
    needs: [packages],
    run: ["node_modules/oxfmt/bin/oxfmt"],
  },
};

/** Cache of compiled code: halves the start time of our own processes, of which a test starts hundreds. */
const NODE_COMPILE_CACHE = inProject("node_modules/.cache/compiled");

const [name, ...args] = process.argv.slice(2);
if (!Object.hasOwn(menu, name ?? "")) {
  say(`Which script? One of: ${Object.keys(menu).join(", ")}.`);
  process.exit(2);
}

try {
  process.exitCode = await prepareAndRun(menu[name]);
} catch (error) {
  if (!(error instanceof SetupStopped)) throw error;
  say(error.message);
  process.exitCode = error.exitCode;
}

async function prepareAndRun({ needs, run, env: extra }) {
  const env = { NODE_COMPILE_CACHE, ...process.env, ...extra };
  for (const need of needs) await need(env);
  if (name === "bench" && args[0] === "sync") await systemForSyncBench(env);
  const [program, ...first] = run;
  return runInFront(projectNode(), [inProject(program), ...first, ...args], {
    env,
  });
}
