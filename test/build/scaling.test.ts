// The guide "From one PC to a million screens": its figures are those that are computed from the unit costs and rules of the service.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import {
  rules,
  scaleOf,
  scalingTable,
  unitCosts,
} from "../../build/scaling.ts";
import { heartbeatSeconds } from "../../server/content/link/heartbeats.ts";
import { playersPerSecond } from "../../server/content/link/retry-queue.ts";
import { maxSockets } from "../../server/content/link/sockets.ts";
import { connectionDefaults } from "../../server/core/sync-plan/sync-state.ts";

const guide = (name: string): string =>
  readFileSync(
    fileURLToPath(new URL(`../../build/guides/${name}`, import.meta.url)),
    "utf8",
  );
const text = guide("scaling.md");

/** Cells, without the padding that the formatter may choose otherwise. */
const cellsOf = (table: string): readonly (readonly string[])[] =>
  table
    .split("\n")
    .filter((line) => !/^\|[-| ]*$/.test(line))
    .map((line) => line.split("|").map((cell) => cell.trim()));

describe("the guide about scaling", () => {
  it("has the table that is computed", () => {
    const [table = ""] = /^\| Screens .*\n(?:\|.*\n)+/m.exec(text) ?? [];
    expect(cellsOf(table.trimEnd())).toEqual(cellsOf(scalingTable()));
  });

  it("has the unit costs that it is computed from, and names the bench of each", () => {
    const number = (value: number): string => value.toLocaleString("en");
    const costs = cellsOf(text.slice(text.indexOf("| For "))).map((cells) =>
      cells.slice(1, 4).join("; "),
    );
    for (const cost of [
      `a report of what a screen shows; ${unitCosts.reportServiceMs} ms; ${unitCosts.reportDatabaseMs} ms`,
      `a poll of what a screen without content should have; ${unitCosts.pollServiceMs} ms; ${unitCosts.pollDatabaseMs} ms`,
      `one of a hundred playbacks that are sent together; ${unitCosts.playbackServiceMs} ms; ${unitCosts.playbackDatabaseMs} ms`,
      `a stored playback; ; ${number(unitCosts.playbackBytes)} B`,
      `an open WebSocket; ${unitCosts.socketKib} KiB; `,
    ])
      expect(costs).toContain(cost);
    expect(guide("benchmarks.md")).toContain(`| ${unitCosts.socketKib} KiB `);
  });

  it("computes with the intervals and limits that the service has", () => {
    expect(rules).toMatchObject({
      reportSeconds: { most: heartbeatSeconds },
      pollSeconds: connectionDefaults.pollSeconds,
      reconnectsPerSecond: playersPerSecond,
      maxSockets,
    });
  });
});

describe("costs", () => {
  it("grow with the screens, from one instance to as many as their reports need", () => {
    const [few, many] = [scaleOf(10_000), scaleOf(20_000)];
    expect(many.playbacksPerSecond).toBe(2 * few.playbacksPerSecond);
    expect(many.databaseCores).toBeCloseTo(2 * few.databaseCores);
    expect(scaleOf(100).instances).toBe(1);
    expect(few.instances).toBe(2);
    for (const screens of [50_000, 1_000_000]) {
      const { instances, serviceCores } = scaleOf(screens);
      expect(serviceCores / instances).toBeLessThanOrEqual(0.5);
      expect(screens / instances).toBeLessThanOrEqual(maxSockets);
    }
  });

  it("of a report come every ten seconds on a few screens, every thirty on many", () => {
    expect(scaleOf(100).transactionsPerSecond).toBeCloseTo(100 / 10 + 0.1);
    expect(scaleOf(1_200).transactionsPerSecond).toBeCloseTo(1_200 / 30 + 1.2);
  });
});
