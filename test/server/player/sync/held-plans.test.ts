// Held plans: withdrawn by the service, received in part, or caused by new labels that the operator set.

import path from "node:path";
import { describe, expect, it } from "vitest";
import type { SyncConnectionInput } from "../../../../server/core/sync-plan/sync-state.ts";
import { systemClock } from "../../../../server/platform/clock.ts";
import { openSqlite } from "../../../../server/platform/sqlite/sqlite.ts";
import { sha256 } from "../../../support/player/archives.ts";
import { manualClock } from "../../../support/clock.ts";
import {
  cloudImage,
  type CloudAsset,
  sendJson,
  serveFaultyCloud,
  type FaultyCloud,
} from "../../../support/faulty-service/faulty-service.ts";
import {
  startSync,
  type RunningSync,
  type StartSyncOptions,
} from "../../../support/sync/start-sync.ts";

const [red, green, blue] = [
  cloudImage("red", [255, 0, 0]),
  cloudImage("green", [0, 255, 0]),
  cloudImage("blue", [0, 0, 255]),
];
const before = [{ id: "P1", assets: [red, green] }];
/** Enough that losing nearly all of them looks like an accident. */
const many = [red, green, blue, ...[1, 2, 3, 4, 5].map(numbered)];
const manyNames = many.map(({ id }) => id).toSorted();
const hourMs = 3_600_000;

function numbered(number: number): CloudAsset {
  return cloudImage(`n${number}`, [number, 9, 9]);
}

interface AppliedPlayer extends RunningSync {
  readonly cloud: FaultyCloud;
  readonly id: string;
  names(): Promise<readonly string[]>;
  /** The player and its sync, restarted. */
  restart(options?: StartSyncOptions): Promise<RunningSync>;
}

/** Red and green are applied. */
async function startAppliedPlayer(
  connection: Partial<SyncConnectionInput> = {},
  options: StartSyncOptions = {},
): Promise<AppliedPlayer> {
  const cloud = await serveFaultyCloud();
  cloud.playlists = before;
  const running = await startSync(options);
  const id = await running.connect({ baseUrl: cloud.address });
  if (Object.keys(connection).length > 0) {
    await running.sync.changeConnection(id, connection);
    await running.syncNow();
  }
  return {
    ...{ ...running, cloud, id },
    names: () => namesOf(running),
    restart: async (again = options) => {
      await running.stopSync();
      await running.player.stop();
      const { dataDir } = running;
      return startSync({ ...again, player: { ...again.player, dataDir } });
    },
  };
}

async function namesOf(running: RunningSync): Promise<readonly string[]> {
  return (await running.list()).map(({ name }) => String(name)).sort();
}

/** At eight in the evening; hours of waiting pass at once, everything else in real time. */
function eveningClock() {
  const time = manualClock(Date.parse("2026-05-05T20:00:00Z"));
  const clock = {
    ...systemClock,
    now: time.now,
    after: (ms: number, act: () => void) =>
      ms > 600_000 ? time.after(ms, act) : systemClock.after(ms, act),
  };
  return { time, clock };
}

describe("[V2-206] a plan that the service withdraws", () => {
  it("[V2-207] is no longer held when everything was gone for a moment", async () => {
    const { cloud, syncNow, names, sync } = await startAppliedPlayer();
    cloud.playlists = [{ id: "P1", assets: many }];
    await syncNow();
    cloud.playlists = [];
    expect(await syncNow()).toMatchObject({ hold: "more-than-half" });
    cloud.playlists = [{ id: "P1", assets: many }];
    expect(await syncNow()).toMatchObject({
      ...{ phase: "idle", hold: null, isInSync: true },
    });
    expect(sync.plans()).toEqual([]);
    expect(await names()).toEqual(manyNames);
  });

  it("is not applied in the following night, nor at a restart in it", async () => {
    const { time, clock } = eveningClock();
    const options = { sync: { clock, zone: () => "UTC" } };
    const running = await startAppliedPlayer(
      { mode: "tonight", applyAtMs: 3 * hourMs, pollSeconds: 86_400 },
      options,
    );
    running.cloud.playlists = [{ id: "P1", assets: [red, blue] }];
    expect(await running.syncNow()).toMatchObject({ hold: "tonight" });
    running.cloud.playlists = before;
    expect(await running.syncNow()).toMatchObject({
      hold: null,
      isInSync: true,
    });
    await time.advance(8 * hourMs);
    expect((await running.syncNow()).nextPollAt).toBeGreaterThan(
      time.now() + hourMs,
    );
    expect(await running.names()).toEqual(["green", "red"]);
    await running.cloud.goAway();
    const again = await running.restart();
    await again.until(({ problem }) => problem !== null);
    expect(await namesOf(again)).toEqual(["green", "red"]);
  });

  it("is no longer held when its replacement is still downloading", async () => {
    const running = await startAppliedPlayer({ mode: "ask" });
    const { cloud } = running;
    cloud.playlists = [{ id: "P1", assets: [red, green, blue] }];
    expect(await running.syncNow()).toMatchObject({ hold: "ask" });
    const late = cloudImage("late", [1, 2, 3]);
    cloud.playlists = [...before, { id: "P2", assets: [late] }];
    cloud.files.set("late", (_request, response) =>
      sendJson(response, { detail: "no" }, 403),
    );
    expect(await running.syncNow()).toMatchObject({
      hold: null,
      isInSync: false,
    });
    await cloud.goAway();
    const again = await running.restart();
    await again.until(({ problem }) => problem !== null);
    expect(again.sync.plans()).toEqual([]);
  });
});

describe("[V2-830] the files of a plan that the service withdraws or replaces before it is applied", () => {
  it.for([
    { by: "what is here", playlists: before },
    {
      by: "another held plan",
      playlists: [
        { id: "P1", assets: [red, green, cloudImage("late", [1, 2, 3])] },
      ],
    },
  ])("are deleted at once when it is replaced by $by", async (one) => {
    const { cloud, syncNow, dataDir } = await startAppliedPlayer({
      mode: "ask",
    });
    const stored = (): readonly unknown[] => {
      const database = openSqlite(path.join(dataDir, "vitrine.db"));
      const hashes = database.prepare("SELECT hash FROM files").pluck().all();
      database.close();
      return hashes;
    };
    const hashOf = ({ bytes = Buffer.of() }: CloudAsset): string =>
      sha256(bytes);
    cloud.playlists = [{ id: "P1", assets: [red, green, blue] }];
    expect(await syncNow()).toMatchObject({ hold: "ask" });
    await expect.poll(stored).toContain(hashOf(blue));
    cloud.playlists = one.playlists;
    await syncNow();
    await expect.poll(stored).not.toContain(hashOf(blue));
    expect(stored()).toEqual(
      expect.arrayContaining([hashOf(red), hashOf(green)]),
    );
  });
});

describe("a plan held over a restart, half of it downloaded", () => {
  it("[V2-206] [V2-207] is applied as far as it is here, and the rest once the service answers, without asking again", async () => {
    const running = await startAppliedPlayer({ mode: "ask" });
    const { cloud } = running;
    const late = cloudImage("late", [1, 2, 3]);
    cloud.playlists = [
      { id: "P1", assets: [red, green, blue] },
      { id: "P2", assets: [late] },
    ];
    cloud.files.set("late", (_request, response) =>
      sendJson(response, { detail: "no" }, 403),
    );
    expect(await running.syncNow()).toMatchObject({ hold: "ask" });
    await cloud.goAway();
    const again = await running.restart();
    await again.until(({ problem }) => problem !== null);
    again.sync.apply();
    await again.until(({ assets }) => assets === 3);
    expect(await namesOf(again)).toEqual(["blue", "green", "red"]);
    expect(again.sync.status()).toMatchObject([{ isInSync: null }]);
    await cloud.comeBack();
    expect(await again.syncNow()).toMatchObject({
      hold: null,
      isInSync: false,
    });
    // Fault 30: a second restart does not ask about it again either.
    await again.stopSync();
    await again.player.stop();
    cloud.files.clear();
    const { dataDir } = running;
    const third = await startSync({ player: { dataDir } });
    await third.until(({ isInSync }) => isInSync === true);
    expect(await namesOf(third)).toEqual(["blue", "green", "late", "red"]);
  });
});

describe("[V2-207] a screen whose labels the operator has just changed", () => {
  it("trusts the removals caused by that, and not those of weeks later", async () => {
    const running = await startAppliedPlayer();
    const { cloud, syncNow, names } = running;
    cloud.playlists = [{ id: "P1", assets: many }];
    await syncNow();
    await running.sync.changeConnection(running.id, { labels: ["Lobby"] });
    await running.until(({ itemFailures }) => itemFailures.length > 0);
    expect(await syncNow()).toMatchObject({ isInSync: true });
    cloud.playlists = [];
    expect(await syncNow()).toMatchObject({ hold: "more-than-half" });
    expect(await names()).toEqual(manyNames);
    // Whatever the label change causes is what the operator wants, however much it removes.
    await running.sync.changeConnection(running.id, { labels: [] });
    await running.until(({ isInSync }) => isInSync === true);
    expect(await names()).toEqual([]);
  });
});
