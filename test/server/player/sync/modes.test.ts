// Apply modes: plans previewed, held, postponed, applied at night and undone; local changes.

import { rm } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../../../server/platform/clock.ts";
import { manualClock } from "../../../support/clock.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { startSync } from "../../../support/sync/start-sync.ts";
import {
  blue,
  both,
  green,
  red,
  startConnectedPlayer,
} from "../../../support/sync/connected-player.ts";

describe("[V2-206] mode ask", () => {
  it("shows the plan, downloads its files, and applies it on approval", async () => {
    const { cloud, sync, syncNow, names, until, request, send } =
      await startConnectedPlayer({
        mode: "ask",
      });
    expect(await names()).toEqual([]);
    expect(sync.plans()).toMatchObject([{ hold: "ask", adds: 2, bytes: 0 }]);
    expect(cloud.fileRequests("red").length).toBe(1);
    expect((await send("POST", "/sync/apply", {})).status).toBe(202);
    await until(({ isInSync }) => isInSync === true);
    expect(await names()).toEqual(["red"]);
    cloud.playlists = both;
    expect(await syncNow()).toMatchObject({ hold: "ask", phase: "held" });
    const plans = (await (await request("/sync/plan")).json()) as {
      entries: { action: string; name: string }[];
    }[];
    expect(plans[0]?.entries.map(({ action, name }) => [action, name])).toEqual(
      [
        ["add", "green"],
        ["change", "P1"],
      ],
    );
    expect(await names()).toEqual(["red"]);
    expect((await send("POST", "/sync/apply", {})).status).toBe(202);
    await until(({ isInSync }) => isInSync === true);
    expect(await names()).toEqual(["red", "green"]);
    expect((await send("POST", "/sync/apply", {})).status).toBe(409);
  });

  it("[V2-207] postpones a plan until the desired state changes, across a restart too", async () => {
    const dataDir = await temporaryFolder();
    const first = await startConnectedPlayer(
      { mode: "ask" },
      { player: { dataDir } },
    );
    first.sync.apply();
    await first.until(({ isInSync }) => isInSync === true);
    first.cloud.playlists = both;
    await first.syncNow();
    first.sync.hold();
    expect(await first.syncNow()).toMatchObject({ hold: "postponed" });
    await first.stopSync();
    await first.player.stop();
    const second = await startSync({ player: { dataDir } });
    await second.until(({ hold }) => hold === "postponed");
    first.cloud.playlists = [{ id: "P1", assets: [red, blue] }];
    expect(await second.syncNow()).toMatchObject({ hold: "ask" });
    second.sync.apply();
    await second.until(({ isInSync }) => isInSync === true);
    expect((await second.list()).map(({ name }) => name)).toEqual([
      "red",
      "blue",
    ]);
  });
});

describe("[V2-207] a postponed plan", () => {
  it("is held anew when the service returns to it after wanting something else", async () => {
    const { cloud, sync, syncNow, names, until } = await startConnectedPlayer({
      mode: "ask",
    });
    sync.hold();
    expect(await syncNow()).toMatchObject({ hold: "postponed" });
    const first = cloud.playlists;
    cloud.playlists = [{ id: "P1", assets: [green] }];
    expect(await syncNow()).toMatchObject({ hold: "ask" });
    sync.apply();
    await until(({ isInSync }) => isInSync === true);
    cloud.playlists = first;
    expect(await syncNow()).toMatchObject({ hold: "ask" });
    sync.apply();
    await until(({ isInSync }) => isInSync === true);
    expect(await names()).toEqual(["red"]);
  });

  it("[V2-208] caused by restoring the version before is shown once the service wanted something else in between, in mode now at once", async () => {
    const { cloud, sync, syncNow, names } = await startConnectedPlayer();
    cloud.playlists = [{ id: "P1", assets: [green] }];
    await syncNow();
    expect(await names()).toEqual(["green"]);
    await sync.back();
    const reported = [cloud.playlists, both, cloud.playlists];
    const seen = [];
    for (const playlists of reported) {
      cloud.playlists = playlists;
      seen.push([(await syncNow()).hold, await names()]);
    }
    expect(seen).toEqual([
      ["postponed", ["red"]],
      [null, ["red", "green"]],
      [null, ["green"]],
    ]);
  });
});

describe("[V2-329] a plan that waits for the end of a showing", () => {
  it("[V2-207] is postponed like any other, and stays so when the showing ends", async () => {
    const running = await startConnectedPlayer({
      mode: "ask",
      letsItemsEnd: true,
    });
    const { cloud, sync, until } = running;
    sync.apply();
    await until(({ isInSync }) => isInSync === true);
    await expect.poll(() => running.stage.visible()?.name).toBe("red");
    cloud.playlists = [{ id: "P1", assets: [green] }];
    await running.syncNow();
    sync.apply();
    await until(({ phase }) => phase === "applying");
    sync.hold();
    running.player.step("next");
    await until(({ phase }) => phase === "held");
    expect(await running.syncNow()).toMatchObject({ hold: "postponed" });
    expect(await running.names()).toEqual(["red"]);
  });
});

describe("[V2-375] approving the plan that was seen", () => {
  it("applies no other one that replaced it meanwhile; the same plan has the same identifier again", async () => {
    const { cloud, sync, syncNow, names, until, send } =
      await startConnectedPlayer({
        mode: "ask",
      });
    const [seen] = sync.plans();
    expect(await syncNow()).toMatchObject({ hold: "ask" });
    expect(sync.plans()[0]?.planId).toBe(seen?.planId);
    cloud.playlists = both;
    await syncNow();
    const plan = { plan_id: seen?.planId };
    expect(await send("POST", "/sync/apply", plan)).toMatchObject({
      status: 409,
      body: { detail: "The plan has been replaced by a newer one." },
    });
    expect(await syncNow()).toMatchObject({ hold: "ask" });
    expect(await names()).toEqual([]);
    const now = { plan_id: sync.plans()[0]?.planId };
    expect((await send("POST", "/sync/apply", now)).status).toBe(202);
    await until(({ isInSync }) => isInSync === true);
    expect([...(await names())].sort()).toEqual(["green", "red"]);
  });
});

describe("[V2-206] mode tonight", () => {
  it("applies at its hour, whether the service is reachable or not", async () => {
    const time = manualClock(Date.parse("2026-05-05T20:00:00Z"));
    // A day of waiting passes at once; everything else in real time.
    const clock = {
      ...systemClock,
      now: time.now,
      after: (ms: number, act: () => void) =>
        ms > 600_000 ? time.after(ms, act) : systemClock.after(ms, act),
    };
    const running = await startConnectedPlayer(
      { mode: "tonight", applyAtMs: 3 * 3_600_000, pollSeconds: 86_400 },
      { sync: { clock, zone: () => "UTC" } },
    );
    expect(running.sync.status()).toMatchObject([{ hold: "tonight" }]);
    await running.cloud.goAway();
    await time.advance(6 * 3_600_000);
    expect(await running.names()).toEqual([]);
    await time.advance(1.1 * 3_600_000);
    await running.until(({ assets }) => assets === 1);
    expect(await running.names()).toEqual(["red"]);
  });
});

describe("[V2-208] restoring the version before", () => {
  it("is one step, without the service, and the restored version stays", async () => {
    const { cloud, names, syncNow, send } = await startConnectedPlayer();
    cloud.playlists = [{ id: "P1", assets: [green] }];
    await syncNow();
    expect(await names()).toEqual(["green"]);
    const filesBefore = cloud.fileRequests("red").length;
    await cloud.goAway();
    const { status, body } = await send("POST", "/sync/rollback", {});
    expect(status).toBe(200);
    expect(body).toMatchObject([{ is_current: true }, { is_current: false }]);
    expect(await names()).toEqual(["red"]);
    await cloud.comeBack();
    expect(await syncNow()).toMatchObject({ hold: "postponed", problem: null });
    expect(await names()).toEqual(["red"]);
    expect(cloud.fileRequests("red").length).toBe(filesBefore);
    expect((await send("POST", "/sync/rollback", {})).status).toBe(200);
    expect(await names()).toEqual(["green"]);
  });

  it("is rejected where there is no version before", async () => {
    const { send } = await startConnectedPlayer();
    expect((await send("POST", "/sync/rollback", {})).status).toBe(409);
  });
});

describe("[V2-214] a local change", () => {
  it("stays, while the service sets the rest; what was added here is never touched", async () => {
    const { cloud, syncNow, list, send, add, names, request } =
      await startConnectedPlayer();
    const own = await add({ name: "Own" });
    const [synced] = await list();
    const at = `/assets/${synced?.asset_id}`;
    await send("PATCH", at, { name: "Crimson", volume: 40 });
    cloud.playlists = [
      { id: "P1", assets: [{ ...red, row: { title: "scarlet" } }, green] },
    ];
    expect(await syncNow()).toMatchObject({ isInSync: true });
    expect(await names()).toEqual(["Crimson", "Own", "green"]);
    expect(await (await request(at)).json()).toMatchObject({ volume: 40 });
    cloud.playlists = [{ id: "P1", assets: [green] }];
    await syncNow();
    expect(await names()).toEqual(["Own", "green"]);
    expect(await (await request(`/assets/${own.asset_id}`)).json()).toEqual(
      own,
    );
  });

  it("keeps an asset away that was deleted here", async () => {
    const { cloud, syncNow, list, request, names } =
      await startConnectedPlayer();
    cloud.playlists = both;
    await syncNow();
    const [first] = await list();
    await request(`/assets/${first?.asset_id}`, { method: "DELETE" });
    cloud.playlists = [{ id: "P1", assets: [red, green, blue] }];
    expect(await syncNow()).toMatchObject({ isInSync: true });
    expect(await names()).toEqual(["green", "blue"]);
  });

  it("[V2-280] ends when the asset is restored from the trash and the service changes it", async () => {
    const { cloud, syncNow, send, request } = await startConnectedPlayer();
    const more = { id: "P2", assets: [red] };
    cloud.playlists = [{ id: "P1", assets: [red] }, more];
    await syncNow();
    const playlists = async () =>
      (await (await request("/playlists")).json()) as Record<string, string>[];
    const [, second] = await playlists();
    const inTrash = { playlist_ids: [second?.playlist_id] };
    await send("POST", "/trash", inTrash);
    cloud.playlists = [{ id: "P1", assets: [red] }];
    await syncNow();
    expect((await send("POST", "/trash/restore", inTrash)).status).toBe(200);
    cloud.playlists = [{ id: "P1", assets: [red] }, more];
    expect(await syncNow()).toMatchObject({
      ...{ isInSync: true, problem: null, playlists: 2 },
    });
    expect(await playlists()).toHaveLength(2);
  });
});

describe("a file that vanished from the disk", () => {
  it("is downloaded again at the next start", async () => {
    const dataDir = await temporaryFolder();
    const first = await startConnectedPlayer({}, { player: { dataDir } });
    await first.stopSync();
    await first.player.stop();
    await rm(path.join(dataDir, "files", "kept"), { recursive: true });
    const second = await startSync({ player: { dataDir } });
    await second.until(({ isInSync }) => isInSync === true);
    expect(first.cloud.fileRequests("red").length).toBe(2);
    const [asset] = await second.list();
    const content = await second.request(`/assets/${asset?.asset_id}/content`);
    expect(content.status).toBe(200);
  });
});
