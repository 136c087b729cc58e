// Players of one site that download a file once and pass it on: real players, sockets and multicast DNS on loopback.

import { describe, expect, it, vi } from "vitest";
import { systemClock } from "../../../../../server/platform/clock.ts";
import { createLog } from "../../../../../server/platform/log.ts";
import {
  createSiteSharing,
  type SiteOptions,
} from "../../../../../server/player/sync/site/site-sharing.ts";
import {
  cloudImage,
  type FaultyCloud,
} from "../../../../support/faulty-service/faulty-service.ts";
import { afterThisTest } from "../../../../support/after-this-test.ts";
import { manualClock } from "../../../../support/clock.ts";
import { pollOptions } from "../../../../support/sync/outbox.ts";
import {
  newSiteKey,
  siteNetwork,
  startSiteService,
  startSitePlayer,
  type SiteNetwork,
  type SitePlayer,
} from "../../../../support/sync/site-players.ts";

const mebibyte = 1024 * 1024;

async function startPlayers(
  network: SiteNetwork,
  cloud: FaultyCloud,
  count: number,
): Promise<readonly SitePlayer[]> {
  const keys = [newSiteKey()];
  const players: SitePlayer[] = [];
  for (let n = 0; n < count; n += 1) {
    const player = await startSitePlayer(network);
    await player.join({ baseUrl: cloud.address }, keys);
    players.push(player);
  }
  await vi.waitUntil(
    () => players.every((one) => one.counts()?.players === count - 1),
    pollOptions,
  );
  return players;
}

const dayMs = 24 * 3_600_000;
const settleMs = 300;
const nothingOf = { md5: "0".repeat(32), bytes: 0, sizeBytes: 9, path: "" };

/** Sharing by a clock that a test moves, on no network unless it gives some. */
async function sharingAt({
  addresses = () => [],
  hasConnection = () => true,
  site,
}: {
  readonly addresses?: () => readonly string[];
  readonly hasConnection?: () => boolean;
  readonly site?: Partial<SiteOptions>;
}) {
  const clock = manualClock();
  const options = (await siteNetwork()).next();
  const sharing = createSiteSharing({
    ...{ ...options, settleMs, ...site, here: () => null, clock },
    ...{ network: { addresses, isNear: () => true }, hasConnection },
    log: createLog({ toStandardOutput: false }),
  });
  sharing.start();
  afterThisTest(sharing.stop);
  return { clock, sharing };
}

const film = cloudImage("film", [1, 2, 3], 5 * mebibyte);

describe("players of one site", () => {
  it("[V2-820] [V2-823] download a film from the service once, and pass it on while it arrives", async () => {
    const cloud = await startSiteService([film]);
    const players = await startPlayers(await siteNetwork(), cloud, 3);
    await Promise.all(players.map((one) => one.syncAll()));
    expect(cloud.fileRequests("film")).toHaveLength(1);
    const counts = players.map((one) => one.counts());
    expect(counts.map((one) => one?.filesFromPlayers).sort()).toEqual([
      0, 1, 1,
    ]);
    for (const one of players)
      expect((await one.list()).map(({ name }) => name)).toEqual(["film"]);
  });

  it("[V2-823] request each of many files once, whichever of them", async () => {
    const files = Array.from({ length: 30 }, (_, n) =>
      cloudImage(`file-${n}-`, [n, 2, 3], 300_000 + n),
    );
    const cloud = await startSiteService(files);
    const players = await startPlayers(await siteNetwork(), cloud, 3);
    await Promise.all(players.map((one) => one.syncAll()));
    expect(files.map(({ id }) => cloud.fileRequests(id).length)).toEqual(
      files.map(() => 1),
    );
    // One that comes later to each of them gets all of them from the others.
    const fetched = players.map((one) => {
      const { files: all = 0, filesFromPlayers = 0 } = one.counts() ?? {};
      return all - filesFromPlayers;
    });
    expect(fetched.reduce((sum, one) => sum + one)).toBe(30);
  });

  it("[V2-824] continue at the service where another one that was stopped had arrived", async () => {
    const cloud = await startSiteService([film]);
    const bytes = film.bytes ?? Buffer.alloc(0);
    const half = 2 * mebibyte;
    // The first player receives half of it, and then nothing more.
    const served: (string | undefined)[] = [];
    cloud.files.set("film", (request, response) => {
      served.push(request.headers.range);
      const range = /^bytes=(\d+)-$/.exec(request.headers.range ?? "");
      const from = Number(range?.[1] ?? 0);
      response.writeHead(range ? 206 : 200, {
        ...{ ETag: '"one"', "Content-Length": bytes.length - from },
        ...(range && {
          "Content-Range": `bytes ${from}-${bytes.length - 1}/${bytes.length}`,
        }),
      });
      if (served.length > 1) response.end(bytes.subarray(from));
      else response.write(bytes.subarray(0, half));
    });
    const players = await startPlayers(await siteNetwork(), cloud, 2);
    for (const one of players) void one.syncAll();
    const isHalfThere = (one: SitePlayer): boolean =>
      (one.sync.status()[0]?.progress.receivedBytes ?? 0) >= half - 65_536;
    await vi.waitUntil(() => players.every(isHalfThere), pollOptions);
    const [fetching] = players.filter(
      (one) => one.counts()?.bytesFromPlayers === 0,
    );
    await fetching?.stopSync();
    const last = players.find((one) => one !== fetching);
    await last?.until(({ isInSync }) => isInSync === true);
    expect(served[0]).toBeUndefined();
    const [, from] = /^bytes=(\d+)-$/.exec(served[1] ?? "") ?? [];
    expect(Number(from)).toBeGreaterThanOrEqual(half - 2 * 65_536);
    expect(served).toHaveLength(2);
  });

  it("[V2-823] wait for keys only where a content service may send some", async () => {
    const sharing = createSiteSharing({
      ...{ ...(await siteNetwork()).next(), here: () => null },
      hasConnection: () => true,
      // No time passes.
      clock: {
        ...systemClock,
        monotonic: () => 0,
        after: () => () => undefined,
      },
      log: createLog({ toStandardOutput: false }),
    });
    sharing.start();
    const { signal } = new AbortController();
    expect(await sharing.begin("cloud", nothingOf, signal, false)).toBeNull();
    const waiting = sharing.begin("screen", nothingOf, signal, true);
    const isDone = await Promise.race([
      waiting.then(() => true),
      new Promise((resolve) => setImmediate(() => resolve(false))),
    ]);
    expect(isDone).toBe(false);
    await sharing.stop();
  });

  it("[L-56] share nothing once their keys were not renewed for two days", async () => {
    const { clock, sharing } = await sharingAt({});
    sharing.setKeys("screen", [newSiteKey()]);
    await clock.advance(dayMs);
    sharing.setKeys("screen", [newSiteKey()]);
    await clock.advance(2 * dayMs - 60_000);
    expect(sharing.counts("screen")).not.toBeNull();
    await clock.advance(60_000);
    expect(sharing.counts("screen")).toBeNull();
  });

  it("[L-56] drop keys that arrive after their connection was removed", async () => {
    let isThere = true;
    const { sharing } = await sharingAt({ hasConnection: () => isThere });
    const keys = [newSiteKey()];
    sharing.setKeys("screen", keys);
    expect(sharing.counts("screen")).not.toBeNull();
    isThere = false;
    sharing.forget("screen");
    sharing.setKeys("screen", keys);
    expect(sharing.counts("screen")).toBeNull();
  });

  it("[V2-828] check their networks again after each time that they cannot be listed", async () => {
    const denied = Object.assign(new Error("not permitted"), { code: "EPERM" });
    const other = new Error("something else");
    const errors = [denied, other, denied, other, denied];
    let calls = 0;
    const { clock, sharing } = await sharingAt({
      addresses: () => {
        const error = errors[calls];
        calls += 1;
        if (error) throw error;
        return [];
      },
    });
    sharing.setKeys("screen", [newSiteKey()]);
    await clock.advance(0);
    const before = calls;
    await clock.advance(50_000);
    expect(calls).toBe(before + 5);
  });

  it("[V2-823] wait for each other again when sharing is turned off and on", async () => {
    let isOn = true;
    let onSwitched = (): void => undefined;
    const { clock, sharing } = await sharingAt({
      site: {
        isOn: () => isOn,
        onSwitched: (listener) => {
          onSwitched = listener;
          return () => undefined;
        },
      },
    });
    sharing.setKeys("screen", [newSiteKey()]);
    await clock.advance(60_000);
    for (isOn of [false, true]) onSwitched();
    let isDone = false;
    const { signal } = new AbortController();
    const begun = sharing
      .begin("screen", nothingOf, signal, true)
      .then(() => (isDone = true));
    await clock.advance(settleMs - 1);
    expect(isDone).toBe(false);
    await clock.advance(1);
    await begun;
  });

  it("[V2-823] begin anew when sharing is turned off and on, however quickly", async () => {
    let isOn = true;
    let onSwitched = (): void => undefined;
    let begun = 0;
    const log = createLog({ toStandardOutput: false });
    const sharing = createSiteSharing({
      ...(await siteNetwork()).next(),
      ...{ clock: systemClock, here: () => null, hasConnection: () => true },
      isOn: () => isOn,
      onSwitched: (listener) => {
        onSwitched = listener;
        return () => undefined;
      },
      log: {
        ...log,
        info: (event) => {
          if (event === "site.listening") begun += 1;
        },
      },
    });
    afterThisTest(sharing.stop);
    sharing.start();
    sharing.setKeys("screen", [newSiteKey()]);
    await vi.waitUntil(() => begun === 1, pollOptions);
    for (isOn of [false, true]) onSwitched();
    await vi.waitUntil(() => begun === 2, pollOptions);
  });

  it("[V2-820] each download for themselves while sharing is off", async () => {
    const cloud = await startSiteService([film]);
    const network = await siteNetwork();
    const key = newSiteKey();
    const players = await Promise.all(
      [true, false].map(async (isOn) => {
        const one = await startSitePlayer(network, {
          site: { isOn: () => isOn },
        });
        await one.join({ baseUrl: cloud.address }, [key]);
        return one;
      }),
    );
    await Promise.all(players.map((one) => one.syncAll()));
    expect(cloud.fileRequests("film")).toHaveLength(2);
    expect(players.map((one) => one.counts()?.players ?? null)).toEqual([
      0,
      null,
    ]);
  });
});
