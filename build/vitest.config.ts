// How the tests run: units side by side, journeys and long proofs one after the other.

import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { ClosingLineReporter } from "./closing-line-reporter.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const inFull = process.env.VITRINE_LONG === "1";
const minuteMs = 60_000;

/** Files that share a screen, ports or the machine's attention wait for each other. */
const oneAfterTheOther = (groupOrder: number, timeoutMs: number) => ({
  fileParallelism: false,
  testTimeout: timeoutMs,
  hookTimeout: timeoutMs,
  sequence: { groupOrder },
});

export default defineConfig({
  root,
  test: {
    reporters: ["default", new ClosingLineReporter()],
    passWithNoTests: false,
    projects: [
      {
        extends: true,
        test: {
          name: "units",
          // A busy machine is slow, not wrong.
          testTimeout: minuteMs,
          hookTimeout: minuteMs,
          include: ["test/**/*.test.{ts,tsx}"],
          exclude: ["test/e2e/**", "test/long/**", "test/server/content/**"],
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "content",
          testTimeout: minuteMs,
          hookTimeout: minuteMs,
          include: ["test/server/content/**/*.test.ts"],
          globalSetup: ["test/support/postgres-once.ts"],
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "journeys",
          include: ["test/e2e/**/*.test.ts"],
          ...oneAfterTheOther(1, minuteMs),
        },
      },
      {
        extends: true,
        test: {
          name: "long proofs",
          include: ["test/long/**/*.test.ts"],
          globalSetup: ["test/support/postgres-once.ts"],
          ...oneAfterTheOther(2, inFull ? 60 * minuteMs : 2 * minuteMs),
        },
      },
    ],
  },
});
