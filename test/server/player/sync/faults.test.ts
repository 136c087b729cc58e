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
  startTrial,
} from "../../../support/sync/synced-player.ts";

describe("a service that is unreachable, slow or wrong", () => {
  it("[fault 27] [fault 44] leaves everything playing, is reported once, and is reached again", async () => {
    const trial = await startTrial();
    await trial.cloud.goAway();
    const away = await rest(trial);
    expect(away).toMatchObject({
      phase: "failing",
      isInSync: true,
      problem: { code: "unavailable" },
    });
    await trial.assertUndisturbed();
    await trial.cloud.comeBack();
    trial.cloud.list = (_request, response) =>
      sendJson(response, { detail: "no" }, 401);
    const revoked = await rest(trial);
    expect(revoked.problem?.code).toBe("unauthorized");
    // One more try with the same token, then a pause of an hour.
    expect((revoked.nextPollAt ?? 0) - Date.now()).toBeGreaterThan(1_000_000);
    await trial.assertUndisturbed();
    trial.cloud.list = null;
    expect(await rest(trial)).toMatchObject({ problem: null, isInSync: true });
  });

  it("[fault 28] is polled with growing pauses while it flaps, and ends in sync", async () => {
    const trial = await startTrial();
    trial.cloud.playlists = [freshPlaylist];
    let isUp = false;
    let times = 0;
    trial.cloud.list = (_request, response, usual) => {
      times += 1;
      isUp = !isUp;
      if (isUp) response.destroy();
      else usual();
    };
    for (let round = 0; round < 20; round += 1) await rest(trial);
    expect(times).toBeLessThanOrEqual(45);
    expect(await rest(trial)).toMatchObject({ isInSync: true });
    await trial.assertUndisturbed();
  });

  it("[fault 29] that never answers times out within its limit", async () => {
    const trial = await startTrial({ sync: { silenceMs: 3000 } });
    trial.cloud.list = () => undefined;
    expect((await rest(trial)).problem).toMatchObject({ code: "unavailable" });
    await trial.assertUndisturbed();
  });

  it("[fault 35] that rejects the token during a sync is tried once more with it, then the operator is asked", async () => {
    const trial = await startTrial();
    let times = 0;
    trial.cloud.list = (_request, response) => {
      times += 1;
      sendJson(response, { detail: "no" }, 401);
    };
    const status = await rest(trial);
    expect(status.problem?.message).toContain("token");
    expect(times).toBe(2);
    await trial.sync.changeConnection(trial.id, {}, "another");
    trial.cloud.list = null;
    expect(await rest(trial)).toMatchObject({ problem: null });
    expect(trial.cloud.requests.at(-1)?.headers.authorization).toBe(
      "Token another",
    );
  });

  it("[fault 36] is not polled for as long as it requests, and polled with pauses while it fails", async () => {
    const trial = await startTrial();
    trial.cloud.list = (_request, response) => {
      response.setHeader("Retry-After", "7200");
      sendJson(response, { detail: "slow down" }, 429);
    };
    const status = await rest(trial);
    const pauseMs = (status.nextPollAt ?? 0) - Date.now();
    expect(pauseMs).toBeGreaterThan(7_100_000);
    trial.cloud.list = null;
    trial.cloud.playlists = [freshPlaylist];
    const codes = [503, 502];
    trial.cloud.files.set("fresh", (_request, response, usual) => {
      const code = codes.shift();
      if (code) sendJson(response, {}, code);
      else usual();
    });
    expect(await rest(trial)).toMatchObject({ isInSync: true, problem: null });
    expect(trial.cloud.fileRequests("fresh").length).toBe(3);
  });

  it("[V2-218] [fault 37] that is replaced by a network sign-in page is recognised, for the list and for files", async () => {
    const trial = await startTrial();
    const page = "<!doctype html><title>Welcome to our hotel</title>";
    trial.cloud.list = (_request, response) =>
      void response.setHeader("Content-Type", "text/html").end(page);
    expect((await rest(trial)).problem).toMatchObject({ code: "portal" });
    await trial.assertUndisturbed();
    trial.cloud.list = null;
    trial.cloud.playlists = [freshPlaylist];
    trial.cloud.files.set(
      "fresh",
      (_request, response) =>
        void response.setHeader("Content-Type", "text/html").end(page),
    );
    expect((await rest(trial)).problem).toMatchObject({ code: "portal" });
    await trial.assertUndisturbed();
    expect(await trial.seen()).toEqual(["old"]);
  });

  it("[V2-531] [V2-532] that temporarily refuses one file, and returns a page in place of another, is polled for its lists as usual, and the other files arrive", async () => {
    const trial = await startTrial();
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
    trial.cloud.playlists = lists;
    trial.cloud.files.set("busy", (_request, response) => {
      response.setHeader("Retry-After", "7200");
      sendJson(response, {}, 503);
    });
    trial.cloud.files.set(
      "paged",
      (_request, response) =>
        void response.setHeader("Content-Type", "text/html").end("<html>"),
    );
    const named = (status: Awaited<ReturnType<typeof rest>>): unknown =>
      status.itemFailures
        .map(({ name, isGivenUp }) => [name, isGivenUp])
        .toSorted();
    const first = await rest(trial);
    expect(await trial.seen()).toHaveLength(1 + others.length);
    expect(first).toMatchObject({ problem: { code: "portal" } });
    expect(named(first)).toEqual([
      ["busy", false],
      ["paged", false],
    ]);
    await rest(trial);
    const third = await rest(trial);
    expect(named(third)).toEqual([
      ["busy", false],
      ["paged", true],
    ]);
    // What was given up is no network problem, and the lists are received.
    trial.cloud.playlists = [
      ...lists,
      { id: "P4", assets: [cloudImage("late", [4, 4, 4])] },
    ];
    const last = await rest(trial);
    expect(last).toMatchObject({ problem: null });
    expect(await trial.seen()).toHaveLength(2 + others.length);
    expect((last.nextPollAt ?? 0) - Date.now()).toBeGreaterThan(80_000_000);
    expect(trial.cloud.fileRequests("busy")).toHaveLength(1);
    await trial.assertUndisturbed();
  });

  it.each(["one", "two"])(
    "[V2-534] that has one file under two addresses is asked for it at the other when that of %s fails",
    async (broken) => {
      const trial = await startTrial();
      const { bytes = Buffer.alloc(0) } = cloudImage("both", [6, 6, 6]);
      trial.cloud.playlists = [
        ...[{ id: "P1", assets: [old] }],
        ...[{ id: "P2", assets: ["one", "two"].map((id) => ({ id, bytes })) }],
      ];
      trial.cloud.files.set(broken, (_request, response) =>
        sendJson(response, {}, 404),
      );
      expect(await rest(trial)).toMatchObject({
        ...{ problem: null, isInSync: true, itemFailures: [] },
      });
      expect(await trial.seen()).toHaveLength(3);
    },
  );

  it("[fault 38] that has nothing any more is held for approval", async () => {
    const trial = await startTrial();
    const more = [1, 2, 3, 4].map((tone) =>
      cloudImage(`more-${tone}`, [tone, 0, 0]),
    );
    trial.cloud.playlists = [{ id: "P1", assets: [old, ...more] }];
    await rest(trial);
    trial.cloud.playlists = [];
    expect(await rest(trial)).toMatchObject({
      hold: "more-than-half",
      phase: "held",
      isInSync: false,
    });
    await trial.assertUndisturbed();
    expect(trial.sync.plans()).toMatchObject([
      { removes: 6, adds: 0, hold: "more-than-half" },
    ]);
    trial.sync.apply();
    await trial.until(
      ({ hold, isInSync }) => hold === null && isInSync === true,
    );
    expect(await trial.seen()).toEqual([]);
  });

  it("[fault 39] that deletes the visible asset ends it at once", async () => {
    const trial = await startTrial();
    const [first, second] = [
      cloudImage("one", [1, 1, 1]),
      cloudImage("two", [2, 2, 2]),
    ];
    trial.cloud.playlists = [{ id: "P1", assets: [old, first, second] }];
    await rest(trial);
    trial.cloud.playlists = [{ id: "P1", assets: [first, second] }];
    expect(await rest(trial)).toMatchObject({ isInSync: true });
    await expect.poll(() => trial.stage.visible()?.name).not.toBe("old");
  });

  it("[fault 39] [V2-329] lets the visible asset play to the end of its item, where so configured", async () => {
    const trial = await startTrial();
    const [first, second] = [
      cloudImage("one", [1, 1, 1]),
      cloudImage("two", [2, 2, 2]),
    ];
    trial.cloud.playlists = [{ id: "P1", assets: [old, first, second] }];
    await rest(trial);
    await trial.sync.changeConnection(trial.id, { letsItemsEnd: true });
    await rest(trial);
    trial.cloud.playlists = [{ id: "P1", assets: [first, second] }];
    const before = trial.stage.shown.length;
    trial.sync.run();
    await trial.until(({ phase }) => phase === "applying");
    await trial.request("/now");
    expect(trial.stage.visible()?.name).toBe("old");
    expect(trial.stage.shown.length).toBe(before);
    expect(await trial.seen()).toContain("old");
    trial.player.step("next");
    await trial.until(
      ({ phase, isInSync }) => phase === "idle" && isInSync === true,
    );
    expect(await trial.seen()).toEqual(["one", "two"]);
    expect(trial.stage.visible()?.name).toBe("one");
    // One after the other, with nothing in between.
    expect(trial.stage.shown.slice(before)).toEqual(["one"]);
  });

  it("[fault 40] [V2-215] [V2-546] that sends malformed values has everything else applied", async () => {
    const trial = await startTrial();
    for (const text of ["{", "[[", "null", '"text"', "[1,null,[]]"]) {
      trial.cloud.list = (_request, response) =>
        void response.setHeader("Content-Type", "application/json").end(text);
      const { problem } = await rest(trial);
      if (problem) expect(problem.code).toBe("malformed");
      await trial.assertUndisturbed();
    }
    trial.cloud.list = null;
    trial.cloud.playlists = [
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
    const status = await rest(trial);
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
    await expect.poll(() => trial.stage.visible()?.content.kind).toBe("image");
  });

  it("[fault 42] whose certificate is not trusted is rejected, for lists and files, unless its host is allowed", async () => {
    const trial = await startTrial({ isSecure: true });
    trial.cloud.playlists = [freshPlaylist];
    await trial.sync.changeConnection(trial.id, {
      isCertificateSkipped: false,
    });
    const status = await trial.until(({ problem }) => problem !== null);
    expect(status.problem).toMatchObject({ code: "certificate" });
    expect(status.problem?.message).toMatch(
      /certificate is self-signed.*until \d{4}-\d\d-\d\d/,
    );
    await trial.assertUndisturbed();
    await trial.sync.changeConnection(trial.id, { isCertificateSkipped: true });
    await trial.until(
      ({ problem, isInSync }) => problem === null && isInSync === true,
    );
    expect(await trial.seen()).toEqual(["old", "fresh"]);
  });

  it("[fault 43] behind an unreachable proxy is reported as such, and reached once the proxy is there", async () => {
    const trial = await startTrial();
    const proxy = await serveFaultyCloud();
    await proxy.goAway();
    await trial.sync.changeConnection(trial.id, { proxyUrl: proxy.address });
    expect(
      (await trial.until(({ problem }) => problem !== null)).problem,
    ).toMatchObject({ code: "proxy" });
    await trial.assertUndisturbed();
    await trial.sync.changeConnection(trial.id, { proxyUrl: null });
    await trial.until(({ problem }) => problem === null);
  });
});

describe("a failing disk", () => {
  it("[fault 18] stops the sync before its reserve is used, which continues by itself when there is space", async () => {
    let reserveBytes = 0;
    const trial = await startTrial({
      sync: { reserveBytes: () => reserveBytes },
    });
    trial.cloud.playlists = [freshPlaylist];
    reserveBytes = Number.MAX_SAFE_INTEGER;
    expect((await rest(trial)).problem).toMatchObject({ code: "no-space" });
    expect(trial.cloud.fileRequests("fresh").length).toBe(0);
    await trial.assertUndisturbed();
    reserveBytes = 0;
    // Nothing requests it: the next poll is automatic.
    await trial.sync.changeConnection(trial.id, { pollSeconds: 5 });
    await trial.until(
      ({ isInSync, problem }) => isInSync === true && problem === null,
    );
    expect(await trial.seen()).toEqual(["old", "fresh"]);
  });

  it("[fault 19] [fault 20] keeps the applied state complete when its database is full or read-only, and reports that once", async () => {
    for (const [sqlite, code] of [
      ["SQLITE_FULL", "no-space"],
      ["SQLITE_READONLY", "read-only"],
      ["EROFS", "read-only"],
    ] as const) {
      let isBroken = false;
      const reported: unknown[] = [];
      const trial = await startTrial({
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
      trial.cloud.playlists = [freshPlaylist];
      isBroken = true;
      for (let round = 0; round < 3; round += 1) {
        expect((await rest(trial)).problem).toMatchObject({ code });
        await trial.assertUndisturbed();
      }
      expect(reported.filter((event) => event === "sync.failed").length).toBe(
        1,
      );
      isBroken = false;
      expect(await rest(trial)).toMatchObject({
        isInSync: true,
        problem: null,
      });
      // What was here already was not downloaded again.
      expect(trial.cloud.fileRequests("fresh").length).toBe(1);
    }
  });
});

describe("[V2-209] a poll without changes", () => {
  it("is one request, and nothing is written", async () => {
    const trial = await startTrial();
    await rest(trial);
    const before = trial.cloud.requests.length;
    const written = trial.player.forSync.library.plans(trial.id);
    await rest(trial);
    expect(trial.cloud.requests.length - before).toBe(1);
    expect(trial.player.forSync.library.plans(trial.id)).toEqual(written);
  });
});
