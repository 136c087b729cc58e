// Download faults: files that are cut short, stalled, damaged, changed or denied.

import { createHash } from "node:crypto";
import { readFile, truncate } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import {
  cloudImage,
  md5Of,
  sendBeginning,
  sendFile,
  sendJson,
  serveFaultyCloud,
  type Answer,
} from "../../../support/faulty-service/faulty-service.ts";
import { untoldEnd } from "../../../support/http/sources.ts";
import {
  fresh,
  freshPlaylist,
  hurried,
  megabyte,
  old,
  rest,
  startSyncedPlayer,
} from "../../../support/sync/synced-player.ts";

const broken: Answer = (_request, response) => void response.destroy();

describe("a file with a faulty download", () => {
  it("[fault 30] resumes from the last byte after a stall", async () => {
    const running = await startSyncedPlayer({ sync: { silenceMs: 3000 } });
    running.cloud.playlists = [freshPlaylist];
    const bytes = fresh.bytes as Buffer;
    let times = 0;
    running.cloud.files.set("fresh", (request, response, usual) => {
      times += 1;
      if (times === 1)
        sendBeginning(request, response, bytes, megabyte, "silence");
      else usual();
    });
    expect(await rest(running)).toMatchObject({
      isInSync: true,
      problem: null,
    });
    const ranges = running.cloud
      .fileRequests("fresh")
      .map(({ headers }) => headers.range);
    expect(ranges).toEqual([undefined, `bytes=${megabyte}-`]);
    expect(await running.seen()).toEqual(["old", "fresh"]);
  });

  it("[V2-217] resumes where it was cut, repeatedly", async () => {
    const running = await startSyncedPlayer();
    running.cloud.playlists = [freshPlaylist];
    let upTo = 0;
    running.cloud.files.set("fresh", (request, response, usual) => {
      upTo += megabyte;
      if (upTo < 3 * megabyte)
        sendBeginning(request, response, fresh.bytes as Buffer, upTo, "cut");
      else usual();
    });
    expect(await rest(running)).toMatchObject({ isInSync: true });
    expect(running.cloud.fileRequests("fresh").at(-1)?.headers.range).toBe(
      `bytes=${2 * megabyte}-`,
    );
  });

  it("[fault 31] starts over, correctly, where its server ignores ranges", async () => {
    const running = await startSyncedPlayer();
    running.cloud.playlists = [freshPlaylist];
    const bytes = fresh.bytes as Buffer;
    let times = 0;
    running.cloud.files.set("fresh", (request, response) => {
      times += 1;
      if (times === 1) sendBeginning(request, response, bytes, megabyte, "cut");
      else
        response.writeHead(200, { "Content-Length": bytes.length }).end(bytes);
    });
    expect(await rest(running)).toMatchObject({ isInSync: true });
    expect(running.cloud.fileRequests("fresh").length).toBe(2);
  });

  it("[fault 32] is rejected with fewer or more bytes than announced", async () => {
    for (const change of [-1, +1]) {
      const running = await startSyncedPlayer();
      running.cloud.playlists = [freshPlaylist];
      const bytes = fresh.bytes as Buffer;
      const wrong =
        change < 0
          ? bytes.subarray(0, change)
          : Buffer.concat([bytes, Buffer.from("x")]);
      running.cloud.files.set(
        "fresh",
        (_request, response) => void response.end(wrong),
      );
      const status = await rest(running);
      expect(status.itemFailures).toMatchObject([
        { name: "fresh", isGivenUp: true },
      ]);
      expect(running.cloud.fileRequests("fresh").length).toBe(3);
      await running.assertUndisturbed();
      expect(await running.seen()).toEqual(["old"]);
    }
  });

  it("[fault 33] is reported as damaged at its source after three tries, with both hashes", async () => {
    const running = await startSyncedPlayer();
    running.cloud.playlists = [freshPlaylist];
    const wrong = Buffer.alloc(3 * megabyte, 7);
    running.cloud.files.set("fresh", (request, response) =>
      sendFile(request, response, wrong),
    );
    const [failure] = (await rest(running)).itemFailures;
    expect(failure?.reason).toContain("damaged at its source");
    expect(failure?.reason).toContain(md5Of(wrong));
    expect(failure?.reason).toContain(md5Of(fresh.bytes as Buffer));
    expect(running.cloud.fileRequests("fresh").length).toBe(3);
    await running.assertUndisturbed();
    // It is not retried then.
    await rest(running);
    expect(running.cloud.fileRequests("fresh").length).toBe(3);
  });

  it("[V2-425][V2-507] is downloaded again when it was damaged on this disk", async () => {
    const running = await startSyncedPlayer({ player: { clock: hurried } });
    const bytes = old.bytes as Buffer;
    const hash = createHash("sha256").update(bytes).digest("hex");
    const file = running.player.fileFor(hash)?.path ?? "";
    const problem = () => running.player.assets()[0]?.problem ?? null;
    const requests = running.cloud.fileRequests("old").length;
    await truncate(file, 60);
    running.player.suspectFile(hash);
    const countRequests = () => running.cloud.fileRequests("old").length;
    await expect.poll(countRequests).toBe(requests + 1);
    await expect.poll(problem).toBeNull();
    expect(await rest(running)).toMatchObject({
      isInSync: true,
      itemFailures: [],
    });
    expect(countRequests()).toBe(requests + 1);
    expect(await readFile(file)).toEqual(bytes);
    await expect.poll(() => running.stage.visible()?.name).toBe("old");
  });

  it("[fault 34] starts over when it changed on its server between two parts", async () => {
    const running = await startSyncedPlayer();
    running.cloud.playlists = [freshPlaylist];
    const bytes = fresh.bytes as Buffer;
    const before = Buffer.alloc(bytes.length, 3);
    let times = 0;
    running.cloud.files.set("fresh", (request, response, usual) => {
      times += 1;
      if (times === 1)
        sendBeginning(request, response, before, megabyte, "cut");
      else usual();
    });
    expect(await rest(running)).toMatchObject({
      isInSync: true,
      itemFailures: [],
    });
    expect(
      running.cloud
        .fileRequests("fresh")
        .map(({ headers }) => headers["if-range"]),
    ).toEqual([undefined, `"${md5Of(before)}"`]);
  });

  // The content service of Vitrine answers 401 (V4-343), others 403.
  it.each([401, 403])(
    "[V2-213] is requested under a new address when the old one is denied with %i",
    async (status) => {
      const running = await startSyncedPlayer();
      running.cloud.playlists = [freshPlaylist];
      let times = 0;
      running.cloud.files.set("fresh", (_request, response, usual) => {
        times += 1;
        if (times === 1) sendJson(response, { detail: "expired" }, status);
        else usual();
      });
      const first = await rest(running);
      expect(first).toMatchObject({ isInSync: false });
      expect(first.itemFailures[0]?.reason).toContain(String(status));
      expect(await rest(running)).toMatchObject({
        isInSync: true,
        itemFailures: [],
      });
    },
  );

  it("[V2-213] keeps its earlier version while its service can no longer process it", async () => {
    const running = await startSyncedPlayer();
    const failed = { ...old, row: { status: "error" } };
    running.cloud.playlists = [{ id: "P1", assets: [failed, fresh] }];
    const status = await rest(running);
    expect(status).toMatchObject({
      ...{ isInSync: false, hold: null },
      items: { wanted: 2, here: 1, failed: 1 },
      itemFailures: [{ name: "old", isGivenUp: true }],
    });
    expect(await running.seen()).toEqual(["old", "fresh"]);
    await running.assertUndisturbed();
    // A deleted asset is another matter.
    running.cloud.playlists = [{ id: "P1", assets: [fresh] }];
    await rest(running);
    expect(await running.seen()).toEqual(["fresh"]);
  });
});

describe("[V2-680] a file whose server breaks off", () => {
  it("waits and is named, while all others are downloaded and lists are polled as usual", async () => {
    const running = await startSyncedPlayer();
    const { cloud } = running;
    const others = Array.from({ length: 40 }, (_, number) =>
      cloudImage(`other-${number}`, [number, 1, 1]),
    );
    cloud.playlists = [freshPlaylist, { id: "P2", assets: others }];
    cloud.files.set("fresh", broken);
    for (let attempts = 0; attempts < 4; attempts += 1) {
      const { nextPollAt, ...status } = await rest(running);
      expect(status).toMatchObject({
        ...{ phase: "idle", isInSync: false, problem: null },
        itemFailures: [{ name: "fresh", isGivenUp: false }],
      });
      expect((nextPollAt ?? 0) - Date.now()).toBeGreaterThan(3_600_000);
      expect(await running.seen()).toHaveLength(41);
    }
    cloud.files.clear();
    expect(await rest(running)).toMatchObject({
      isInSync: true,
      itemFailures: [],
    });
  });

  it("is requested again soon only while more of it arrives than before, or three times", async () => {
    const running = await startSyncedPlayer();
    const small = cloudImage("small", [4, 4, 4]);
    const bytes = small.bytes as Buffer;
    running.cloud.playlists = [{ id: "P1", assets: [old, small] }];
    running.cloud.files.set("small", (request, response) =>
      sendBeginning(request, response, bytes, bytes.length >> 1, "cut"),
    );
    await rest(running);
    await running.until(
      ({ phase, nextPollAt }) =>
        phase === "idle" && (nextPollAt ?? 0) - Date.now() > 3_600_000,
    );
    // Three polls of three tries each.
    expect(running.cloud.fileRequests("small")).toHaveLength(9);
  });

  it("does not count as its server being down, but two in a row do, and files elsewhere are downloaded", async () => {
    const running = await startSyncedPlayer();
    const { cloud } = running;
    const elsewhere = await serveFaultyCloud();
    const far = cloudImage("far", [3, 3, 3]);
    elsewhere.playlists = [{ id: "P", assets: [far] }];
    const near = Array.from({ length: 60 }, (_, number) =>
      cloudImage(`near-${number}`, [number, 2, 2]),
    );
    const row = { asset_url: `${elsewhere.address}/files/far` };
    cloud.playlists = [
      { id: "P1", assets: [old] },
      { id: "P2", assets: near },
      { id: "P3", assets: [{ ...far, row }] },
    ];
    for (const { id } of near) cloud.files.set(id, broken);
    expect(await rest(running)).toMatchObject({
      ...{ isInSync: false, problem: { code: "unavailable" } },
    });
    expect(await running.seen()).toEqual(["old", "far"]);
    const requests = near.filter(({ id }) => cloud.fileRequests(id).length > 0);
    expect(requests.length).toBeLessThan(near.length);
    await running.until(
      ({ phase, nextPollAt }) =>
        phase === "failing" && (nextPollAt ?? 0) - Date.now() > 3_600_000,
    );
    cloud.files.clear();
    expect(await rest(running)).toMatchObject({
      isInSync: true,
      problem: null,
    });
  });
});

describe("[V2-681] a file whose server announces no length", () => {
  const bytes = fresh.bytes as Buffer;
  const half = bytes.subarray(0, megabyte);

  it.each([
    ["with the size known", fresh],
    ["with the size unknown", { ...fresh, row: { source_size: null } }],
  ])("is retried when it was cut short, %s", async (_how, asset) => {
    const running = await startSyncedPlayer();
    running.cloud.playlists = [{ id: "P1", assets: [old, asset] }];
    running.cloud.files.set("fresh", untoldEnd(half));
    const status = await rest(running);
    expect(status).toMatchObject({
      ...{ isInSync: false, problem: null },
      itemFailures: [{ name: "fresh", isGivenUp: false }],
    });
    expect(status.itemFailures[0]?.reason).toMatch(
      /^The file is incomplete or/,
    );
    await running.assertUndisturbed();
    running.cloud.files.set("fresh", untoldEnd(bytes));
    expect(await rest(running)).toMatchObject({
      isInSync: true,
      itemFailures: [],
    });
  });

  it("is given up after three polls, and at once where it already has its full length", async () => {
    const running = await startSyncedPlayer();
    running.cloud.playlists = [freshPlaylist];
    running.cloud.files.set("fresh", untoldEnd(half));
    const given: unknown[] = [];
    for (let attempts = 0; attempts < 3; attempts += 1)
      given.push((await rest(running)).itemFailures[0]?.isGivenUp);
    expect(given).toEqual([false, false, true]);
    const other = await startSyncedPlayer();
    other.cloud.playlists = [freshPlaylist];
    other.cloud.files.set("fresh", untoldEnd(Buffer.alloc(bytes.length, 7)));
    expect(await rest(other)).toMatchObject({
      itemFailures: [{ name: "fresh", isGivenUp: true }],
    });
  });
});
