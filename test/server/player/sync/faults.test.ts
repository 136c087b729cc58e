// What services, networks and disks do to a sync, and what the audience sees of it: nothing.

import { describe, expect, it } from "vitest";
import {
  cloudImage,
  sendJson,
  serveFaultyCloud,
} from "../../../support/faulty-service/faulty-service.ts";
import {
  freshPlaylist,
  old,
  rest,
  startSyncedPlayer,
} from "../../../support/sync/synced-player.ts";

describe("a service that is unreachable, slow or wrong", () => {
  it("[fault 27] [fault 44] leaves everything playing, is reported once, and is reached again", async () => {
    const running = await startSyncedPlayer();
    await running.cloud.goAway();
    const away = await rest(running);
    expect(away).toMatchObject({
      phase: "failing",
      isInSync: true,
      problem: { code: "unavailable" },
    });
    await running.assertUndisturbed();
    await running.cloud.comeBack();
    running.cloud.list = (_request, response) =>
      sendJson(response, { detail: "no" }, 401);
    const revoked = await rest(running);
    expect(revoked.problem?.code).toBe("unauthorized");
    // One more try with the same token, then a pause of an hour.
    expect((revoked.nextPollAt ?? 0) - Date.now()).toBeGreaterThan(1_000_000);
    await running.assertUndisturbed();
    running.cloud.list = null;
    expect(await rest(running)).toMatchObject({
      problem: null,
      isInSync: true,
    });
  });

  it("[fault 28] is polled with growing pauses while it flaps, and ends in sync", async () => {
    const running = await startSyncedPlayer();
    running.cloud.playlists = [freshPlaylist];
    let isUp = false;
    let times = 0;
    running.cloud.list = (_request, response, usual) => {
      times += 1;
      isUp = !isUp;
      if (isUp) response.destroy();
      else usual();
    };
    for (let round = 0; round < 20; round += 1) await rest(running);
    expect(times).toBeLessThanOrEqual(45);
    expect(await rest(running)).toMatchObject({ isInSync: true });
    await running.assertUndisturbed();
  });

  it("[fault 29] that never answers times out within its limit", async () => {
    const running = await startSyncedPlayer({ sync: { silenceMs: 3000 } });
    running.cloud.list = () => undefined;
    expect((await rest(running)).problem).toMatchObject({
      code: "unavailable",
    });
    await running.assertUndisturbed();
  });

  it("[fault 35] that rejects the token during a sync is tried once more with it, then the operator is asked", async () => {
    const running = await startSyncedPlayer();
    let times = 0;
    running.cloud.list = (_request, response) => {
      times += 1;
      sendJson(response, { detail: "no" }, 401);
    };
    const status = await rest(running);
    expect(status.problem?.message).toContain("token");
    expect(times).toBe(2);
    await running.sync.changeConnection(running.id, {}, "another");
    running.cloud.list = null;
    expect(await rest(running)).toMatchObject({ problem: null });
    expect(running.cloud.requests.at(-1)?.headers.authorization).toBe(
      "Token another",
    );
  });

  it("[fault 36] is not polled for as long as it requests, and polled with pauses while it fails", async () => {
    const running = await startSyncedPlayer();
    running.cloud.list = (_request, response) => {
      response.setHeader("Retry-After", "7200");
      sendJson(response, { detail: "slow down" }, 429);
    };
    const status = await rest(running);
    const pauseMs = (status.nextPollAt ?? 0) - Date.now();
    expect(pauseMs).toBeGreaterThan(7_100_000);
    running.cloud.list = null;
    running.cloud.playlists = [freshPlaylist];
    const codes = [503, 502];
    running.cloud.files.set("fresh", (_request, response, usual) => {
      const code = codes.shift();
      if (code) sendJson(response, {}, code);
      else usual();
    });
    expect(await rest(running)).toMatchObject({
      isInSync: true,
      problem: null,
    });
    expect(running.cloud.fileRequests("fresh").length).toBe(3);
  });

  it("[V2-218] [fault 37] that is replaced by a network sign-in page is recognised, for the list and for files", async () => {
    const running = await startSyncedPlayer();
    const page = "<!doctype html><title>Welcome to our hotel</title>";
    running.cloud.list = (_request, response) =>
      void response.setHeader("Content-Type", "text/html").end(page);
    expect((await rest(running)).problem).toMatchObject({ code: "portal" });
    await running.assertUndisturbed();
    running.cloud.list = null;
    running.cloud.playlists = [freshPlaylist];
    running.cloud.files.set(
      "fresh",
      (_request, response) =>
        void response.setHeader("Content-Type", "text/html").end(page),
    );
    expect((await rest(running)).problem).toMatchObject({ code: "portal" });
    await running.assertUndisturbed();
    expect(await running.seen()).toEqual(["old"]);
  });

  it("[V2-531] [V2-532] that temporarily refuses one file, and returns a page in place of another, is polled for its lists as usual, and the other files arrive", async () => {
    const running = await startSyncedPlayer();
    const busy = cloudImage("busy", [1, 1, 1]);
    const paged = cloudImage("paged", [2, 2, 2]);
    const others = Array.from({ length: 20 }, (_, place) =>
      cloudImage(`other-${place}`, [3, 3, place]),
    );
    const lists = [
      { id: "P1", assets: [old] },
      { id: "P2", assets: [busy] },
      { id: "P3", assets: [paged] },
      ...others.map((one) => ({ id: `P-${one.id}`, assets: [one] })),
    ];
    running.cloud.playlists = lists;
    running.cloud.files.set("busy", (_request, response) => {
      response.setHeader("Retry-After", "7200");
      sendJson(response, {}, 503);
    });
    running.cloud.files.set(
      "paged",
      (_request, response) =>
        void response.setHeader("Content-Type", "text/html").end("<html>"),
    );
    const named = (status: Awaited<ReturnType<typeof rest>>): unknown =>
      status.itemFailures
        .map(({ name, isGivenUp }) => [name, isGivenUp])
        .toSorted();
    const first = await rest(running);
    expect(await running.seen()).toHaveLength(1 + others.length);
    expect(first).toMatchObject({ problem: { code: "portal" } });
    expect(named(first)).toEqual([
      ["busy", false],
      ["paged", false],
    ]);
    await rest(running);
    const third = await rest(running);
    expect(named(third)).toEqual([
      ["busy", false],
      ["paged", true],
    ]);
    // What was given up is no network problem, and the lists are received.
    running.cloud.playlists = [
      ...lists,
      { id: "P4", assets: [cloudImage("late", [4, 4, 4])] },
    ];
    const last = await rest(running);
    expect(last).toMatchObject({ problem: null });
    expect(await running.seen()).toHaveLength(2 + others.length);
    expect((last.nextPollAt ?? 0) - Date.now()).toBeGreaterThan(80_000_000);
    expect(running.cloud.fileRequests("busy")).toHaveLength(1);
    await running.assertUndisturbed();
  });

  it.each(["one", "two"])(
    "[V2-534] that has one file under two addresses is asked for it at the other when that of %s fails",
    async (broken) => {
      const running = await startSyncedPlayer();
      const { bytes = Buffer.alloc(0) } = cloudImage("both", [6, 6, 6]);
      running.cloud.playlists = [
        ...[{ id: "P1", assets: [old] }],
        ...[{ id: "P2", assets: ["one", "two"].map((id) => ({ id, bytes })) }],
      ];
      running.cloud.files.set(broken, (_request, response) =>
        sendJson(response, {}, 404),
      );
      expect(await rest(running)).toMatchObject({
        ...{ problem: null, isInSync: true, itemFailures: [] },
      });
      expect(await running.seen()).toHaveLength(3);
    },
  );

  it("[fault 38] that has nothing any more is held for approval", async () => {
    const running = await startSyncedPlayer();
    const more = [1, 2, 3, 4].map((tone) =>
      cloudImage(`more-${tone}`, [tone, 0, 0]),
    );
    running.cloud.playlists = [{ id: "P1", assets: [old, ...more] }];
    await rest(running);
    running.cloud.playlists = [];
    expect(await rest(running)).toMatchObject({
      hold: "more-than-half",
      phase: "held",
      isInSync: false,
    });
    await running.assertUndisturbed();
    expect(running.sync.plans()).toMatchObject([
      { removes: 6, adds: 0, hold: "more-than-half" },
    ]);
    running.sync.apply();
    await running.until(
      ({ hold, isInSync }) => hold === null && isInSync === true,
    );
    expect(await running.seen()).toEqual([]);
  });

  it("[fault 39] that deletes the visible asset ends it at once", async () => {
    const running = await startSyncedPlayer();
    const [first, second] = [
      cloudImage("one", [1, 1, 1]),
      cloudImage("two", [2, 2, 2]),
    ];
    running.cloud.playlists = [{ id: "P1", assets: [old, first, second] }];
    await rest(running);
    running.cloud.playlists = [{ id: "P1", assets: [first, second] }];
    expect(await rest(running)).toMatchObject({ isInSync: true });
    await expect.poll(() => running.stage.visible()?.name).not.toBe("old");
  });

  it("[fault 39] [V2-329] lets the visible asset play to the end of its item, where so configured", async () => {
    const running = await startSyncedPlayer();
    const [first, second] = [
      cloudImage("one", [1, 1, 1]),
      cloudImage("two", [2, 2, 2]),
    ];
    running.cloud.playlists = [{ id: "P1", assets: [old, first, second] }];
    await rest(running);
    await running.sync.changeConnection(running.id, { letsItemsEnd: true });
    await rest(running);
    running.cloud.playlists = [{ id: "P1", assets: [first, second] }];
    const before = running.stage.shown.length;
    running.sync.run();
    await running.until(({ phase }) => phase === "applying");
    await running.request("/now");
    expect(running.stage.visible()?.name).toBe("old");
    expect(running.stage.shown.length).toBe(before);
    expect(await running.seen()).toContain("old");
    running.player.step("next");
    await running.until(
      ({ phase, isInSync }) => phase === "idle" && isInSync === true,
    );
    expect(await running.seen()).toEqual(["one", "two"]);
    expect(running.stage.visible()?.name).toBe("one");
    // One after the other, with nothing in between.
    expect(running.stage.shown.slice(before)).toEqual(["one"]);
  });

  it("[fault 40] [V2-215] [V2-546] that sends malformed values has everything else applied", async () => {
    const running = await startSyncedPlayer();
    for (const text of ["{", "[[", "null", '"text"', "[1,null,[]]"]) {
      running.cloud.list = (_request, response) =>
        void response.setHeader("Content-Type", "application/json").end(text);
      const { problem } = await rest(running);
      if (problem) expect(problem.code).toBe("malformed");
      await running.assertUndisturbed();
    }
    running.cloud.list = null;
    running.cloud.playlists = [
      {
        id: "P1",
        assets: [
          {
            ...old,
            row: {
              surprise: { deep: [1] },
              headers: 7,
              metadata: null,
              title: null,
              zoom_level: "x",
            },
          },
          {
            ...cloudImage("odd-type"),
            row: { type: "hologram", mimetype: null },
          },
          { ...cloudImage("odd-status"), row: { status: "dreaming" } },
          { ...cloudImage("no-md5"), row: { md5: null } },
          {
            ...cloudImage("failed"),
            row: { status: "error", processing_error: "too odd" },
          },
          { id: "page", row: { asset_url: "javascript:alert(1)" } },
          {
            ...cloudImage("no-host", [8, 8, 8]),
            row: { asset_url: "http://[files/no-host" },
          },
        ],
        row: {
          predicate: null,
          priority: "high",
          transitions: 3,
          created_at: "soon",
          extra: [],
        },
      },
      { id: "P2", assets: [old], row: { predicate: "$MOON = 1" } },
      { id: "P/3", assets: [old] },
    ];
    const status = await rest(running);
    expect(status).toMatchObject({
      // All else is shown, and what was left out is not.
      isInSync: false,
      problem: null,
      playlists: 1,
      assets: 1,
    });
    expect(status.itemFailures.map(({ name }) => name).sort()).toEqual(
      [
        ...["P2", "failed", "no-host", "no-md5"],
        ...["odd-status", "odd-type", "page"],
      ].sort(),
    );
    await expect
      .poll(() => running.stage.visible()?.content.kind)
      .toBe("image");
  });

  it("[fault 42] whose certificate is not trusted is rejected, for lists and files, unless its host is allowed", async () => {
    const running = await startSyncedPlayer({ isSecure: true });
    running.cloud.playlists = [freshPlaylist];
    await running.sync.changeConnection(running.id, {
      isCertificateSkipped: false,
    });
    const status = await running.until(({ problem }) => problem !== null);
    expect(status.problem).toMatchObject({ code: "certificate" });
    expect(status.problem?.message).toMatch(
      /certificate is self-signed.*expiration date is \d{4}-\d\d-\d\d/,
    );
    await running.assertUndisturbed();
    await running.sync.changeConnection(running.id, {
      isCertificateSkipped: true,
    });
    await running.until(
      ({ problem, isInSync }) => problem === null && isInSync === true,
    );
    expect(await running.seen()).toEqual(["old", "fresh"]);
  });

  it("[fault 43] behind an unreachable proxy is reported as such, and reached once the proxy is there", async () => {
    const running = await startSyncedPlayer();
    const proxy = await serveFaultyCloud();
    await proxy.goAway();
    await running.sync.changeConnection(running.id, {
      proxyUrl: proxy.address,
    });
    expect(
      (await running.until(({ problem }) => problem !== null)).problem,
    ).toMatchObject({ code: "proxy" });
    await running.assertUndisturbed();
    await running.sync.changeConnection(running.id, { proxyUrl: null });
    await running.until(({ problem }) => problem === null);
  });
});

describe("a failing disk", () => {
  it("[fault 18] stops the sync before its reserve is used, which continues by itself when there is space", async () => {
    let reserveBytes = 0;
    const running = await startSyncedPlayer({
      sync: { reserveBytes: () => reserveBytes },
    });
    running.cloud.playlists = [freshPlaylist];
    reserveBytes = Number.MAX_SAFE_INTEGER;
    expect((await rest(running)).problem).toMatchObject({ code: "no-space" });
    expect(running.cloud.fileRequests("fresh").length).toBe(0);
    await running.assertUndisturbed();
    reserveBytes = 0;
    // Nothing requests it: the next poll is automatic.
    await running.sync.changeConnection(running.id, { pollSeconds: 5 });
    await running.until(
      ({ isInSync, problem }) => isInSync === true && problem === null,
    );
    expect(await running.seen()).toEqual(["old", "fresh"]);
  });

  it("[fault 19] [fault 20] keeps the applied state complete when its database is full or read-only, and reports that once", async () => {
    for (const [sqlite, code] of [
      ["SQLITE_FULL", "no-space"],
      ["SQLITE_READONLY", "read-only"],
      ["EROFS", "read-only"],
    ] as const) {
      let isBroken = false;
      const reported: unknown[] = [];
      const running = await startSyncedPlayer({
        breakLibrary: (library) => ({
          ...library,
          apply: async (...all) => {
            if (isBroken)
              throw Object.assign(new Error("disk"), { code: sqlite });
            return library.apply(...all);
          },
        }),
        onWarning: (event) => reported.push(event),
      });
      running.cloud.playlists = [freshPlaylist];
      isBroken = true;
      for (let round = 0; round < 3; round += 1) {
        expect((await rest(running)).problem).toMatchObject({ code });
        await running.assertUndisturbed();
      }
      expect(reported.filter((event) => event === "sync.failed").length).toBe(
        1,
      );
      isBroken = false;
      expect(await rest(running)).toMatchObject({
        isInSync: true,
        problem: null,
      });
      // What was here already was not downloaded again.
      expect(running.cloud.fileRequests("fresh").length).toBe(1);
    }
  });
});

describe("[V2-209] a poll without changes", () => {
  it("is one request, and nothing is written", async () => {
    const running = await startSyncedPlayer();
    await rest(running);
    const before = running.cloud.requests.length;
    const written = running.player.forSync.library.plans(running.id);
    await rest(running);
    expect(running.cloud.requests.length - before).toBe(1);
    expect(running.player.forSync.library.plans(running.id)).toEqual(written);
  });
});
