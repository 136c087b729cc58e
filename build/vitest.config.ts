// How the tests run: three files at a time, of which some wait for their databases and sockets; then two journeys, then the long proofs.

import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { ClosingLineReporter } from "./closing-line-reporter.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const inFull = process.env.VITRINE_LONG === "1";
const minuteMs = 60_000;
/** A busy machine is slow, not wrong. */
const unitMs = inFull ? 60 * minuteMs : minuteMs;

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
    reporters: ["default", new ClosingLineReporter()],
    passWithNoTests: false,
    expect: { poll: { timeout: minuteMs / 3 } },
    projects: [
      {
        extends: true,
        test: {
          name: "units",
          testTimeout: unitMs,
          hookTimeout: unitMs,
          include: ["test/**/*.test.{ts,tsx}"],
          exclude: ["test/e2e/**", "test/long/**", "test/server/content/**"],
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "content",
          testTimeout: unitMs,
          hookTimeout: unitMs,
          include: ["test/server/content/**/*.test.ts"],
          globalSetup: ["test/support/postgres-once.ts"],
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "journeys",
          include: ["test/e2e/**/*.test.ts"],
          ...atMost(2, 1, 2 * minuteMs),
        },
      },
      {
        extends: true,
        test: {
          name: "long proofs",
          include: ["test/long/**/*.test.ts"],
          globalSetup: ["test/support/postgres-once.ts"],
          ...atMost(inFull ? 1 : 3, 2, inFull ? 60 * minuteMs : 2 * minuteMs),
        },
      },
    ],
  },
});
