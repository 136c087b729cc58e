// Activity log of connections: one entry per change of state, and none for what merely continues.

import { expect, it } from "vitest";
import type { SyncStatus } from "../../../server/core/sync-plan/sync-state.ts";
import { keepSyncHistory } from "../../../server/player/sync/sync-activity.ts";
import { manualClock } from "../../support/clock.ts";

const resting: SyncStatus = {
  ...{ connectionId: "a", name: "Shop", phase: "idle", version: "v4.1" },
  ...{ hold: null, problem: null, lastContactAt: 0, lastAppliedAt: null },
  ...{ nextPollAt: null, isInSync: true, assets: 0, playlists: 0 },
  unused: null,
  site: null,
  ...{ itemFailures: [], items: { wanted: 0, here: 0, failed: 0 }, kept: [] },
  progress: {
    ...{ connectionId: "a", phase: "idle", filesDone: 0, filesTotal: 0 },
    ...{ receivedBytes: 0, totalBytes: 0, bytesPerSecond: 0 },
    ...{ secondsLeft: null, files: [] },
  },
};
const problem = {
  code: "unavailable",
  message: "It is away.",
  since: 0,
} as const;

function watched(first: readonly SyncStatus[]) {
  const clock = manualClock();
  const lines: string[] = [];
  const history = keepSyncHistory(({ kind, what, name, says = "" }) => {
    lines.push(`${kind} ${what} ${name} ${says}`.trim());
  }, clock);
  let statuses = first;
  let notify = (): void => undefined;
  history.watch({
    status: () => statuses,
    onProgress: (listener) => {
      notify = () => listener(resting.progress);
      return () => undefined;
    },
  });
  return {
    /** The entries that the next poll writes. */
    report: async (
      ...now: readonly Partial<SyncStatus>[]
    ): Promise<readonly string[]> => {
      statuses = now.map((change) => ({ ...resting, ...change }));
      for (let times = 0; times < 3; times += 1) notify();
      await clock.advance(1000);
      return lines.splice(0);
    },
  };
}

it("[V2-381] a connection that is added, lost, found again and removed leaves one entry each, and a run none", async () => {
  const { report } = watched([]);
  expect(await report({ phase: "polling" })).toEqual(["sync added Shop"]);
  expect(await report({ phase: "polling" })).toEqual([]);
  expect(await report({})).toEqual([]);
  const failing = { phase: "failing", problem } as const;
  expect(await report(failing)).toEqual(["sync lost Shop It is away."]);
  expect(await report({ ...failing, phase: "polling" })).toEqual([]);
  expect(await report(failing)).toEqual([]);
  expect(await report({})).toEqual(["sync back Shop"]);
  expect(await report()).toEqual(["sync removed Shop"]);
});

it("[V2-381] a connection that was tried and never answered leaves its error, and is neither added nor removed", async () => {
  const { report } = watched([]);
  const tried = { lastContactAt: null, phase: "polling" } as const;
  expect(await report(tried)).toEqual([]);
  expect(await report({ ...tried, problem })).toEqual([
    "sync lost Shop It is away.",
  ]);
  expect(await report()).toEqual([]);
});

it("[V2-381] a connection that is switched off while it is lost is not reported as back", async () => {
  const { report } = watched([resting]);
  await report({ phase: "failing", problem });
  expect(await report({ phase: "off" })).toEqual([]);
});

it("[V2-381] a plan downloaded piece by piece is logged as applied once; a held, postponed or undone one is logged as such", async () => {
  const { report } = watched([resting]);
  const counts = { assets: 3, playlists: 1 };
  expect(await report({ phase: "downloading", lastAppliedAt: 1 })).toEqual([]);
  expect(await report({ phase: "downloading", lastAppliedAt: 2 })).toEqual([]);
  const applied = { ...counts, lastAppliedAt: 3 };
  expect(await report(applied)).toEqual([
    "sync applied Shop Assets: 3, playlists: 1.",
  ]);
  expect(await report({ ...applied, phase: "held", hold: "ask" })).toEqual([
    "sync held Shop The changes need approval.",
  ]);
  expect(await report({ ...applied, phase: "held", hold: "ask" })).toEqual([]);
  expect(
    await report({ ...applied, phase: "held", hold: "postponed" }),
  ).toEqual(["sync held Shop The changes were postponed."]);
  expect(await report(applied)).toEqual([]);
  expect(
    await report({ phase: "held", hold: "postponed", lastAppliedAt: 4 }),
  ).toEqual(["sync undone Shop Assets: 0, playlists: 0."]);
});

it("[V2-381] a state from before the start is not logged as new after it", async () => {
  const { report } = watched([{ ...resting, lastAppliedAt: 5 }]);
  const held = { phase: "held", hold: "ask", lastAppliedAt: 5 } as const;
  expect(await report({ phase: "polling", lastAppliedAt: 5 })).toEqual([]);
  expect(await report(held)).toEqual([]);
  expect(await report({ lastAppliedAt: 6 })).toEqual([
    "sync applied Shop Assets: 0, playlists: 0.",
  ]);
  expect(await report({ ...held, lastAppliedAt: 6 })).toHaveLength(1);
});
