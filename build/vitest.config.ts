// Vitest configuration: pure unit tests, then everything else six files at a time, since end-to-end tests mostly wait.

import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { waitDeadlineMs } from "./vitest/wait-deadline.ts";
import { TestNotes } from "./vitest/test-notes.ts";
import { TestOrder } from "./vitest/test-order.ts";
import { TestReporter } from "./vitest/test-reporter.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
/** A file to which the result of each test file is written as it ends. */
const notes = process.env.VITRINE_TEST_NOTES;
const inFull = process.env.VITRINE_LONG === "1";
const minuteMs = 60_000;
/** A busy machine is slow, not wrong. */
const timeoutMs = inFull ? 60 * minuteMs : 2 * minuteMs;

/** Pure functions. */
const pureUnits = [
  "test/server/core/**/*.test.ts",
  "test/server/contract/**/*.test.ts",
  "test/server/platform/**/{allowed-hosts,clock,failed-sign-ins,json-text,outside-error,random-bytes,raw-path}.test.ts",
  "test/server/platform/media/svg-detection.test.ts",
  "test/server/content/**/{signed-addresses,json-body,screen-state}.test.ts",
  "test/server/content/ingest/source-address.test.ts",
  "test/server/player/**/asset-extras.test.ts",
  "test/server/player/sync/outbox-{long-queue,paging}.test.ts",
  "test/electron/**/{autostart-entry,compare-screenshots,config,display-choice,entry-credentials,screen-verification}.test.ts",
  "test/electron/**/{flood-guard-policy,graphics-watchdog-policy,heartbeat,page-limits}.test.ts",
  "test/electron/**/{service-watchdog-policy,site-check-text,stage-watchdog-policy,surface-recovery-policy,request-headers}.test.ts",
];

/** Tests that lower a limit of their own process: if that fails to be raised again, no other file may suffer from it. */
const ownProcess = [
  "test/electron/web/asset-protocol.test.ts",
  "test/server/platform/process/descriptors.test.ts",
];

/** Files share a worker and its modules, which are loaded once: each file cleans up after itself. */
const isolate = false;

/** Three times the processors of a small machine: each has its own screen, ports and folders. */
const maxWorkers = 6;

/** The longest files first, unless the order is random: npm test -- --sequence.shuffle.files --sequence.seed=N. */
const isShuffled = process.argv.some((word) =>
  /^--sequence\.shuffle(\.files)?(=|$)/.test(word),
);

export default defineConfig({
  root,
  test: {
    reporters: [
      "default",
      new TestReporter({ flakyFile: `${root}dist/flaky.json` }),
      ...(notes ? [new TestNotes(notes)] : []),
    ],
    passWithNoTests: false,
    expect: { poll: { timeout: waitDeadlineMs } },
    setupFiles: ["test/support/wait-deadline.ts"],
    sequence: isShuffled ? {} : { sequencer: TestOrder },
    ...{ maxWorkers, testTimeout: timeoutMs, hookTimeout: timeoutMs },
    projects: [
      {
        extends: true,
        test: {
          name: "pure units",
          include: pureUnits,
          isolate,
        },
      },
      {
        extends: true,
        test: {
          // Its modules hold language, history and answers, and some tests replace them, so each file has its own. They
          // are pure as well.
          name: "renderer",
          include: ["test/renderer/**/*.test.{ts,tsx}"],
          // A context for each file costs a third less processor time than a process for each.
          pool: "vmThreads",
        },
      },
      {
        extends: true,
        test: { name: "limits", include: ownProcess, isolate: true },
      },
      {
        extends: true,
        test: {
          name: "units and journeys",
          include: ["test/**/*.test.ts"],
          exclude: [
            ...[...pureUnits, ...ownProcess, "test/renderer/**"],
            ...(inFull ? ["test/long/**"] : []),
          ],
          globalSetup: ["test/support/database/postgres-once.ts"],
          isolate,
        },
      },
      ...(inFull
        ? [
            {
              extends: true as const,
              test: {
                name: "long proofs",
                include: ["test/long/**/*.test.ts"],
                globalSetup: ["test/support/database/postgres-once.ts"],
                ...{ isolate, maxWorkers: 1, sequence: { groupOrder: 1 } },
              },
            },
          ]
        : []),
    ],
  },
});
