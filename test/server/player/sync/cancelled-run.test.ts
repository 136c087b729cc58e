// Cancelling a sync in the middle: switched off, given another address, restored to the version before, stopped.

import { describe, expect, it } from "vitest";
import { systemClock } from "../../../../server/platform/clock.ts";
import type { SyncConnectionInput } from "../../../../server/core/sync-plan/sync-state.ts";
import {
  cloudImage,
  serveFaultyCloud,
  type FaultyCloud,
} from "../../../support/faulty-service/faulty-service.ts";
import { holdingBack } from "../../../support/faulty-service/held-response.ts";
import {
  startSync,
  type RunningSync,
} from "../../../support/sync/start-sync.ts";

const [red, green, late] = [
  cloudImage("red", [255, 0, 0]),
  cloudImage("green", [0, 255, 0]),
  cloudImage("late", [1, 2, 3]),
];

/** Complete items are checked for once a second while files download: here no second passes. */
const halted = {
  ...systemClock,
  after: (ms: number, act: () => void) =>
    ms === 1000 ? () => undefined : systemClock.after(ms, act),
};

interface AppliedPlayer extends RunningSync {
  readonly cloud: FaultyCloud;
  readonly id: string;
  names(): Promise<readonly string[]>;
}

/** Red is applied. */
async function startAppliedPlayer(
  connection: Partial<SyncConnectionInput> = {},
): Promise<AppliedPlayer> {
  const cloud = await serveFaultyCloud();
  cloud.playlists = [{ id: "P1", assets: [red] }];
  const running = await startSync({ sync: { clock: halted } });
  const id = await running.connect({ baseUrl: cloud.address, ...connection });
  const names = async (): Promise<readonly string[]> =>
    (await running.list()).map(({ name }) => String(name)).sort();
  return { ...running, cloud, id, names };
}

/** Green is here and could be applied, while another playlist's file is downloading. */
async function startHalfway(): Promise<
  AppliedPlayer & { readonly held: ReturnType<typeof holdingBack> }
> {
  const running = await startAppliedPlayer();
  const { cloud, sync, player } = running;
  const held = holdingBack();
  cloud.files.set("late", held.answer);
  cloud.playlists = [
    { id: "P1", assets: [red, green] },
    { id: "P2", assets: [late] },
  ];
  sync.run();
  await held.requested;
  await expect
    .poll(() => player.forSync.library.files().size)
    .toBeGreaterThan(1);
  return { ...running, held };
}

describe("a connection that is switched off in the middle of a run", () => {
  it("applies nothing more, and is off, not failing", async () => {
    const { cloud, sync, id, names } = await startHalfway();
    const phases: string[] = [];
    sync.onProgress(({ phase }) => phases.push(phase));
    await sync.changeConnection(id, { isEnabled: false });
    // It polls again once the work under way has ended.
    const again = holdingBack();
    cloud.list = again.answer;
    await sync.changeConnection(id, { isEnabled: true });
    await again.requested;
    expect(new Set(phases)).toEqual(new Set(["off", "polling"]));
    expect(sync.status()).toMatchObject([{ problem: null }]);
    expect(await names()).toEqual(["red"]);
  });

  it("continues when it is switched on again, even at once", async () => {
    const { sync, id, names, until, held } = await startHalfway();
    await sync.changeConnection(id, { isEnabled: false });
    await sync.changeConnection(id, { isEnabled: true });
    held.goOn();
    await until(({ isInSync, problem }) => isInSync === true && !problem);
    expect(await names()).toEqual(["green", "late", "red"]);
  });
});

describe("a connection that is given another address while its service version is detected", () => {
  it("[V2-202] continues there, and sends nothing more to the old address", async () => {
    const { cloud, sync, id, until, names } = await startAppliedPlayer();
    const [before, after] = [
      await serveFaultyCloud(),
      await serveFaultyCloud(),
    ];
    before.playlists = [{ id: "P1", assets: [late] }];
    after.playlists = [{ id: "P1", assets: [green] }];
    const opening = holdingBack();
    before.opening = opening.answer;
    await sync.changeConnection(id, { baseUrl: before.address }, "second");
    await opening.requested;
    await sync.changeConnection(id, { baseUrl: after.address }, "third");
    opening.goOn();
    await until(({ isInSync, phase }) => isInSync === true && phase === "idle");
    expect(await names()).toEqual(["green"]);
    const reportedTo = (one: FaultyCloud) =>
      new Set(one.requests.map(({ headers }) => headers.authorization));
    expect(before.requests.length).toBe(1);
    expect(reportedTo(before)).toEqual(new Set(["Token second"]));
    expect(reportedTo(after)).toEqual(new Set(["Token third"]));
    expect(reportedTo(cloud)).not.toContain("Token second");
  });
});

describe("[V2-208] restoring the version before", () => {
  /** Green was applied after red. */
  async function startBoth() {
    const running = await startAppliedPlayer();
    running.cloud.playlists = [{ id: "P1", assets: [red, green] }];
    expect(await running.syncNow()).toMatchObject({ isInSync: true });
    return running;
  }

  it("waits for no download, and restores the version before the one that was applied when it was requested", async () => {
    const running = await startBoth();
    const { cloud, sync, names, send } = running;
    const held = holdingBack();
    cloud.files.set("late", held.answer);
    cloud.playlists = [{ id: "P1", assets: [red, green, late] }];
    sync.run();
    await held.requested;
    expect((await send("POST", "/sync/rollback", {})).status).toBe(200);
    expect(await names()).toEqual(["red"]);
    held.goOn();
    await running.until(
      ({ hold, phase }) => hold === "postponed" && phase === "held",
    );
    expect(await running.syncNow()).toMatchObject({ hold: "postponed" });
    expect(await names()).toEqual(["red"]);
    expect((await send("POST", "/sync/rollback", {})).status).toBe(200);
    expect(await names()).toEqual(["green", "red"]);
  });

  it("[V2-329] does not wait for a showing to end", async () => {
    const running = await startBoth();
    const { cloud, sync, names, send } = running;
    await sync.changeConnection(running.id, { letsItemsEnd: true });
    await expect.poll(() => running.stage.visible()?.name).toBe("red");
    cloud.playlists = [{ id: "P1", assets: [green] }];
    sync.run();
    await running.until(({ phase }) => phase === "applying");
    expect((await send("POST", "/sync/rollback", {})).status).toBe(200);
    expect(await names()).toEqual(["red"]);
  });

  it("before the first poll postpones what was applied then", async () => {
    const before = await startBoth();
    const { cloud, dataDir } = before;
    await before.stopSync();
    await before.player.stop();
    const first = holdingBack();
    cloud.list = first.answer;
    const after = await startSync({ player: { dataDir } });
    await first.requested;
    expect((await after.send("POST", "/sync/rollback", {})).status).toBe(200);
    cloud.list = null;
    expect(await after.syncNow()).toMatchObject({ hold: "postponed" });
    expect((await after.list()).map(({ name }) => name)).toEqual(["red"]);
  });
});

describe("stopping a sync", () => {
  it("[V2-329] does not wait for a showing to end, even for a plan just approved", async () => {
    const running = await startAppliedPlayer({
      mode: "ask",
      letsItemsEnd: true,
    });
    const { cloud, sync } = running;
    expect(sync.status()).toMatchObject([{ hold: "ask" }]);
    sync.apply();
    await running.until(({ isInSync }) => isInSync === true);
    await expect.poll(() => running.stage.visible()?.name).toBe("red");
    cloud.playlists = [{ id: "P1", assets: [green] }];
    expect(await running.syncNow()).toMatchObject({ hold: "ask" });
    const held = holdingBack();
    cloud.list = held.answer;
    sync.run();
    await held.requested;
    sync.apply();
    await running.stopSync();
    expect(await running.names()).toEqual(["red"]);
  });
});
