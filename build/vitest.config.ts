// How the tests run: three files at a time, of which some wait for their databases and sockets; then the journeys and the long proofs.

import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { testDeadlineMs } from "./test-deadline.ts";
import { TestReporter } from "./test-reporter.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const inFull = process.env.VITRINE_LONG === "1";
const minuteMs = 60_000;
/** A busy machine is slow, not wrong. */
const unitMs = inFull ? 60 * minuteMs : minuteMs;

/** Values in, values out: nothing of the machine can make them fail, so that a second try would only hide a fault. */
const pureUnits = [
  "test/server/core/**/*.test.ts",
  "test/server/contract/**/*.test.ts",
  "test/server/platform/{chance,json-text}.test.ts",
  "test/electron/{config,display-choice,site-check-text}.test.ts",
];

/** Files share a worker with its modules, which are loaded once: each file cleans up after itself. */
const isolate = false;

/** Each has a screen, ports and folders of its own; more of them than this would want for the machine's attention. */
const atMost = (workers: number, groupOrder: number, timeoutMs: number) => ({
  maxWorkers: workers,
  testTimeout: timeoutMs,
  hookTimeout: timeoutMs,
  sequence: { groupOrder },
});

export default defineConfig({
  root,
  test: {
    reporters: [
      "default",
      new TestReporter({ flakyFile: `${root}dist/flaky.json` }),
    ],
    passWithNoTests: false,
    expect: { poll: { timeout: testDeadlineMs } },
    setupFiles: ["test/support/one-deadline.ts"],
    // What passes only on its retry is told as flaky; what takes an hour has no retry.
    retry: inFull ? 0 : 1,
    projects: [
      {
        extends: true,
        test: {
          name: "pure units",
          include: pureUnits,
          retry: 0,
          isolate,
          ...atMost(3, 0, unitMs),
        },
      },
      {
        extends: true,
        test: {
          name: "units",
          include: ["test/**/*.test.{ts,tsx}"],
          exclude: [
            ...["test/e2e/**", "test/long/**", "test/server/content/**"],
            "test/renderer/**",
            ...pureUnits,
          ],
          isolate,
          ...atMost(3, 0, unitMs),
        },
      },
      {
        extends: true,
        test: {
          // Its modules keep language, history and answers, and are replaced by some tests: each file has its own.
          name: "renderer",
          include: ["test/renderer/**/*.test.{ts,tsx}"],
          ...atMost(3, 0, unitMs),
        },
      },
      {
        extends: true,
        test: {
          name: "content",
          include: ["test/server/content/**/*.test.ts"],
          globalSetup: ["test/support/postgres-once.ts"],
          isolate,
          ...atMost(3, 0, unitMs),
        },
      },
      {
        extends: true,
        test: {
          name: "journeys",
          include: ["test/e2e/**/*.test.ts"],
          isolate,
          ...atMost(3, 1, 2 * minuteMs),
        },
      },
      {
        extends: true,
        test: {
          name: "long proofs",
          include: ["test/long/**/*.test.ts"],
          globalSetup: ["test/support/postgres-once.ts"],
          isolate,
          // Their short forms run among the journeys: much of both is waiting.
          ...(inFull
            ? atMost(1, 2, 60 * minuteMs)
            : atMost(3, 1, 2 * minuteMs)),
        },
      },
    ],
  },
});
