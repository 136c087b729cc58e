// Shortest sequences of events after which a connection was wrong: each ends as the service wants it, and reports so.

import { rm } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../../../server/platform/clock.ts";
import type { SyncConnectionInput } from "../../../../server/core/sync-plan/sync-state.ts";
import { manualClock } from "../../../support/clock.ts";
import {
  cloudImage,
  sendJson,
  type CloudAsset,
} from "../../../support/faulty-service/faulty-service.ts";
import { holdingBack } from "../../../support/faulty-service/held-response.ts";
import {
  blue,
  both,
  green,
  red,
  startConnectedPlayer,
  type ConnectedPlayer,
} from "../../../support/sync/connected-player.ts";
import {
  startSync,
  type RunningSync,
  type StartSyncOptions,
} from "../../../support/sync/start-sync.ts";

const hourMs = 3_600_000;
/** With the step that every test begins with: nothing is removed before its time. */
const many = [
  red,
  ...Array.from({ length: 7 }, (_, number) =>
    cloudImage(`n${number}`, [number, 9, 9]),
  ),
];
const late = cloudImage("late", [1, 2, 3]);

function playlistOf(...assets: readonly CloudAsset[]) {
  return [{ id: "P1", assets }];
}

/** Everything but the manual clock's hours runs in real time. */
function clockAt(start: string) {
  const time = manualClock(Date.parse(start));
  const clock = {
    ...systemClock,
    now: time.now,
    after: (ms: number, act: () => void) =>
      ms > 600_000 ? time.after(ms, act) : systemClock.after(ms, act),
  };
  return { time, clock };
}

/** Eight images are applied. */
async function startMany(
  connection: Partial<SyncConnectionInput> = {},
  options: StartSyncOptions = {},
): Promise<ConnectedPlayer> {
  const running = await startConnectedPlayer({}, options);
  running.cloud.playlists = playlistOf(...many);
  await running.syncNow();
  if (Object.keys(connection).length > 0) {
    await running.sync.changeConnection(running.id, connection);
    await running.syncNow();
  }
  return running;
}

async function restart(
  { stopSync, player, dataDir }: RunningSync,
  options: StartSyncOptions = {},
): Promise<RunningSync> {
  await stopSync();
  await player.stop();
  return startSync({ ...options, player: { ...options.player, dataDir } });
}

const refused: Parameters<ConnectedPlayer["cloud"]["files"]["set"]>[1] = (
  _request,
  response,
) => sendJson(response, { detail: "no" }, 403);

describe("[V2-207] what was postponed, approved or trusted", () => {
  it("fault 1: a state that was postponed once is shown when it is the desired state again later", async () => {
    const { cloud, syncNow, names, sync } = await startConnectedPlayer();
    cloud.playlists = both;
    await syncNow();
    await sync.back();
    expect(await syncNow()).toMatchObject({
      hold: "postponed",
      isInSync: false,
    });
    cloud.playlists = playlistOf(red, blue);
    expect(await syncNow()).toMatchObject({ hold: null, isInSync: true });
    cloud.playlists = both;
    expect(await syncNow()).toMatchObject({ hold: null, isInSync: true });
    expect(await names()).toEqual(["red", "green"]);
  });

  it("fault 2: trust of a label change ends with the plan that it caused, complete or not", async () => {
    const { cloud, id, syncNow, names, sync, until } = await startMany();
    cloud.files.set("late", refused);
    cloud.playlists = playlistOf(...many, late);
    await sync.changeConnection(id, { labels: ["Lobby"] });
    await until(({ itemFailures }) => itemFailures.length > 1);
    cloud.playlists = [];
    expect(await syncNow()).toMatchObject({ hold: "more-than-half" });
    expect(await names()).toHaveLength(many.length);
  });

  it("fault 30: an approved plan is completed after a restart, without asking again", async () => {
    const running = await startConnectedPlayer({ mode: "ask" });
    const { cloud, sync } = running;
    sync.apply();
    await running.until(({ isInSync }) => isInSync === true);
    cloud.files.set("late", refused);
    cloud.playlists = [...both, { id: "P2", assets: [late] }];
    await running.syncNow();
    sync.apply();
    await running.until(({ assets }) => assets === 2);
    const again = await restart(running);
    cloud.files.clear();
    expect(await again.syncNow()).toMatchObject({ hold: null });
    await again.until(({ isInSync }) => isInSync === true);
    expect(await again.list()).toHaveLength(3);
  });

  it("fault 34: labels changed while the service is away are trusted after a restart", async () => {
    const running = await startMany();
    const { cloud, id, sync } = running;
    await cloud.goAway();
    await sync.changeConnection(id, { labels: ["Lobby"] });
    await running.until(({ problem }) => problem !== null);
    const again = await restart(running);
    await again.until(({ problem }) => problem !== null);
    cloud.playlists = playlistOf(red);
    await cloud.comeBack();
    expect(await again.syncNow()).toMatchObject({ hold: null, isInSync: true });
    expect(await again.list()).toHaveLength(1);
  });
});

describe("[V2-571] a file that vanished from the disk", () => {
  it("fault 4: is downloaded again though the service has no changes", async () => {
    const running = await startConnectedPlayer();
    const { cloud, dataDir, syncNow, list, request } = running;
    await rm(path.join(dataDir, "files", "kept"), { recursive: true });
    expect(await syncNow()).toMatchObject({ isInSync: true });
    expect(cloud.fileRequests("red").length).toBe(2);
    const [asset] = await list();
    const content = await request(`/assets/${asset?.asset_id}/content`);
    expect(content.status).toBe(200);
  });
});

describe("[V2-570] in_sync", () => {
  it("fault 9: is false while a file is given up, with the number of items that are here", async () => {
    const { cloud, syncNow, request } = await startConnectedPlayer();
    cloud.files.set("late", (_request, response) => void response.end("no"));
    cloud.playlists = playlistOf(red, late);
    expect(await syncNow()).toMatchObject({
      ...{ isInSync: false, problem: null, hold: null },
      items: { wanted: 2, here: 1, failed: 1 },
      itemFailures: [{ name: "late", isGivenUp: true }],
    });
    const counts = { wanted: 2, here: 1, failed: 1 };
    expect(await (await request("/sync")).json()).toMatchObject({
      accounts: [{ in_sync: false, item_counts: counts }],
    });
  });

  it("[V2-562] does not count a playlist that can't be read and was deleted here, nor such an asset", async () => {
    const { cloud, id, syncNow, request } = await startConnectedPlayer();
    const second = { id: "P2", assets: [green] };
    cloud.playlists = [...playlistOf(red), second];
    expect(await syncNow()).toMatchObject({ isInSync: true });
    for (const path of [`/playlists/${id}-P2`, `/assets/${id}-green`])
      expect((await request(path, { method: "DELETE" })).status).toBe(204);
    const unreadable = { ...green, row: { status: "processing" } };
    cloud.playlists = [
      ...playlistOf(red),
      { ...second, assets: [unreadable], row: { predicate: "$NOBODY = 1" } },
    ];
    expect(await syncNow()).toMatchObject({
      isInSync: true,
      items: { wanted: 1, here: 1, failed: 0 },
    });
  });

  it("fault 19: is false while a removal is held, and unrelated changes continue", async () => {
    const { cloud, syncNow, names, sync, until } = await startMany();
    const renamed = { ...red, row: { title: "renamed" } };
    cloud.playlists = [{ id: "P1", assets: [renamed] }];
    expect(await syncNow()).toMatchObject({
      ...{ hold: "more-than-half", isInSync: false },
    });
    expect(await names()).toContain("renamed");
    expect(await names()).toHaveLength(many.length);
    sync.apply();
    await until(({ isInSync }) => isInSync === true);
    expect(await names()).toHaveLength(1);
  });
});

describe("[V2-207] a hold", () => {
  it.each([
    ["the only asset replaced by another", [red], [green]],
    [
      "thirteen of twenty cleaned up, with a quarter left",
      many,
      many.slice(0, 2),
    ],
    ["everything replaced by the same number", many.slice(0, 4), many.slice(4)],
  ])("fault 18: does not affect %s", async (_what, before, after) => {
    const { cloud, syncNow, names } = await startConnectedPlayer();
    cloud.playlists = playlistOf(...before);
    await syncNow();
    cloud.playlists = playlistOf(...after);
    expect(await syncNow()).toMatchObject({ hold: null, isInSync: true });
    expect(await names()).toHaveLength(after.length);
  });

  it.each([0, 1])(
    "fault 15: is decided on the whole change, whichever file arrives first (%i)",
    async (first) => {
      const { cloud, syncNow, names } = await startMany();
      const fresh = [0, 1, 2, 3].map((tone) =>
        cloudImage(`fresh-${tone}`, [9, tone, 9]),
      );
      // Of two playlists, the one that is complete first decides nothing.
      cloud.files.set(first === 0 ? "fresh-3" : "fresh-0", refused);
      cloud.playlists = [
        { id: "P1", assets: fresh.slice(0, 1) },
        { id: "P2", assets: fresh.slice(1) },
      ];
      expect(await syncNow()).toMatchObject({ hold: null });
      cloud.files.clear();
      expect(await syncNow()).toMatchObject({ hold: null, isInSync: true });
      expect(await names()).toHaveLength(fresh.length);
    },
  );
});

describe("[V2-572] moments in the future of the clock", () => {
  it("fault 12: a plan received while the clock was ahead is applied in the first night after that", async () => {
    const { time, clock } = clockAt("2030-05-05T20:00:00Z");
    const { cloud, syncNow, names, until } = await startConnectedPlayer(
      { mode: "tonight", applyAtMs: 3 * hourMs, pollSeconds: 86_400 },
      { sync: { clock, zone: () => "UTC" } },
    );
    expect(await syncNow()).toMatchObject({ hold: "tonight" });
    time.jumpTo(Date.parse("2026-05-05T20:00:00Z"));
    expect(await syncNow()).toMatchObject({ hold: "tonight" });
    await cloud.goAway();
    await time.advance(8 * hourMs);
    await until(({ assets }) => assets === 1);
    expect(await names()).toEqual(["red"]);
  });

  it("fault 12: a file given up while the clock was ahead is retried within the hour", async () => {
    const { time, clock } = clockAt("2030-05-05T20:00:00Z");
    const { cloud, syncNow } = await startConnectedPlayer(
      { pollSeconds: 86_400 },
      { sync: { clock } },
    );
    cloud.files.set("late", (_request, response) => void response.end("no"));
    cloud.playlists = playlistOf(red, late);
    expect(await syncNow()).toMatchObject({ isInSync: false });
    cloud.files.clear();
    time.jumpTo(Date.parse("2026-05-05T20:00:00Z"));
    await syncNow();
    time.jumpTo(Date.parse("2026-05-05T21:00:01Z"));
    expect(await syncNow()).toMatchObject({ isInSync: true, itemFailures: [] });
  });
});

describe("[V2-571] while a file is downloading", () => {
  /** `late` is downloading into a playlist of its own. */
  async function startDownloading() {
    const running = await startConnectedPlayer();
    const held = holdingBack();
    running.cloud.files.set("late", held.answer);
    const coming = { id: "P2", assets: [late] };
    running.cloud.playlists = [...playlistOf(red), coming];
    running.sync.run();
    await held.requested;
    return { ...running, held, coming };
  }

  it("fault 16: the desired state is received, and applied as far as it needs no file", async () => {
    const { cloud, sync, coming, held, until, list } = await startDownloading();
    cloud.playlists = [
      ...playlistOf({ ...red, row: { title: "scarlet" } }),
      coming,
    ];
    sync.run();
    await expect
      .poll(async () => (await list()).map(({ name }) => name))
      .toEqual(["scarlet"]);
    expect(sync.status()).toMatchObject([
      { phase: "downloading", isInSync: false },
    ]);
    held.goOn();
    await until(({ isInSync }) => isInSync === true);
    expect(cloud.fileRequests("late")).toHaveLength(1);
  });

  it("fault 16: a download is cancelled once its file is no longer wanted", async () => {
    const { cloud, syncNow, names } = await startDownloading();
    cloud.playlists = playlistOf(red);
    expect(await syncNow()).toMatchObject({ phase: "idle", isInSync: true });
    expect(await names()).toEqual(["red"]);
  });
});
