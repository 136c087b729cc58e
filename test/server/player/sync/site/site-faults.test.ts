// What players of a site do wrong, and what it costs the others: bounded time, and never a wrong file.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { describe, expect, it, vi } from "vitest";
import {
  cloudImage,
  type CloudAsset,
} from "../../../../support/faulty-service/faulty-service.ts";
import {
  startFakeSitePlayer,
  type FakeSitePlayer,
} from "../../../../support/sync/fake-site-player.ts";
import { pollOptions } from "../../../../support/sync/outbox.ts";
import {
  newSiteKey,
  siteNetwork,
  startSiteService,
  startSitePlayer,
  type SiteNetwork,
  type SitePlayerOptions,
} from "../../../../support/sync/site-players.ts";

const mebibyte = 1024 * 1024;
const film = cloudImage("film", [1, 2, 3], 2 * mebibyte);
const filmBytes = film.bytes ?? Buffer.alloc(0);

/** A real player, and one that a test controls; both know each other. */
async function startPair(
  assets: readonly CloudAsset[],
  options: SitePlayerOptions & { readonly network?: SiteNetwork } = {},
) {
  const cloud = await startSiteService(assets);
  const network = options.network ?? (await siteNetwork());
  const key = newSiteKey();
  const fake = await startFakeSitePlayer(network, key);
  const player = await startSitePlayer(network, {
    ...options,
    site: { timeoutFactor: 1, ...options.site },
  });
  await player.join({ baseUrl: cloud.address }, [key]);
  await vi.waitUntil(() => player.counts()?.players === 1, pollOptions);
  return { cloud, fake, key, player };
}

/** Sharing that a test turns on and off. */
function switchable() {
  let isOn = true;
  let listeners: readonly (() => void)[] = [];
  return {
    isOn: () => isOn,
    onSwitched: (listener: () => void) => {
      listeners = [...listeners, listener];
      return () => undefined;
    },
    turn: (next: boolean): void => {
      isOn = next;
      for (const listener of listeners) listener();
    },
  };
}

/** It reports to have everything. */
function haveAll(fake: FakeSitePlayer, file: FakeSitePlayer["file"]): void {
  fake.report = { stage: "here", bytes: filmBytes.length };
  fake.file = file;
}

const trickle: FakeSitePlayer["file"] = (_request, response) => {
  response.writeHead(200, { "Content-Length": filmBytes.length });
  response.write(filmBytes.subarray(0, 100));
  let at = 100;
  const timer = setInterval(() => {
    response.write(filmBytes.subarray(at, (at += 1)));
  }, 20);
  response.on("close", () => clearInterval(timer));
};

function offsetOf({ headers }: IncomingMessage): number {
  const [, from] = /^bytes=(\d+)-$/.exec(headers.range ?? "") ?? [];
  return Number(from ?? 0);
}

function rangeFrom(from: number): string {
  return `bytes ${from}-${filmBytes.length - 1}/${filmBytes.length}`;
}

describe("a player of the site", () => {
  it("[V2-825] that serves wrong bytes is refused by hash, and set aside: the next file is not requested there", async () => {
    const second = cloudImage("second", [3, 2, 1], 2 * mebibyte);
    const { cloud, fake, player } = await startPair([film]);
    haveAll(fake, (_request, response) => {
      response
        .writeHead(200, { "Content-Length": filmBytes.length })
        .end(Buffer.alloc(filmBytes.length, 7));
    });
    await player.syncAll();
    expect(fake.fileRequests).toHaveLength(1);
    expect(cloud.fileRequests("film")).toHaveLength(1);
    cloud.playlists = [{ id: "P1", assets: [film, second] }];
    expect((await player.syncNow()).isInSync).toBe(true);
    expect(fake.fileRequests).toHaveLength(1);
    expect(player.counts()?.players).toBe(0);
    const stored = player.player.forSync.library.storedFile(
      createHash("md5").update(filmBytes).digest("hex"),
    );
    expect(await readFile(stored?.path ?? "")).toEqual(filmBytes);
  });

  it("[V2-825] that declares another size isn't asked for this file again, and is set aside after three", async () => {
    const films = [1, 2, 3, 4].map((n) =>
      cloudImage(`film-${n}-`, [n, 2, 3], 300_000 + n),
    );
    const { cloud, fake, player } = await startPair([]);
    haveAll(fake, (_request, response) => {
      response.writeHead(200, { "Content-Length": 9 * mebibyte });
      response.write(filmBytes);
    });
    for (const [n, { id }] of films.entries()) {
      cloud.playlists = [{ id: "P1", assets: films.slice(0, n + 1) }];
      if (n === 0) await player.syncAll();
      else expect((await player.syncNow()).isInSync).toBe(true);
      expect(cloud.fileRequests(id)).toHaveLength(1);
      expect(fake.fileRequests).toHaveLength(Math.min(3, n + 1));
      expect(player.counts()?.players).toBe(n < 2 ? 1 : 0);
    }
  });

  it.each<readonly [string, number, (from: number) => OutgoingHttpHeaders]>([
    ["all of it again", 200, () => ({ "Content-Length": filmBytes.length })],
    ["a page", 200, () => ({ "Content-Type": "text/html" })],
    [
      ...(["another range", 206] as const),
      () => ({ "Content-Range": rangeFrom(0) }),
    ],
    [
      ...(["a file of another size", 206] as const),
      (from) => ({ "Content-Range": `bytes ${from}-${from}/${from + 1}` }),
    ],
    [
      ...(["its end at what is there", 416] as const),
      (from) => ({ "Content-Range": `bytes */${from}` }),
    ],
    [
      ...(["another version", 206] as const),
      (from) => ({ "Content-Range": rangeFrom(from), ETag: '"two"' }),
    ],
  ])(
    "[V2-825] that responds with %s leaves the bytes alone that have arrived from the service",
    async (_title, status, headersOf) => {
      const { cloud, fake, player } = await startPair([film]);
      const served: (string | undefined)[] = [];
      cloud.files.set("film", (request, response) => {
        served.push(request.headers.range);
        const from = offsetOf(request);
        response.writeHead(from > 0 ? 206 : 200, {
          ...{ ETag: '"one"', "Content-Length": filmBytes.length - from },
          ...(from > 0 && { "Content-Range": rangeFrom(from) }),
        });
        if (served.length > 1) {
          response.end(filmBytes.subarray(from));
          return;
        }
        haveAll(fake, (asked, answer) => {
          answer.writeHead(status, headersOf(offsetOf(asked)));
          answer.end(Buffer.alloc(1000, 7));
        });
        response.write(filmBytes.subarray(0, mebibyte), () =>
          response.destroy(),
        );
      });
      await player.syncAll();
      expect(fake.fileRequests).toHaveLength(1);
      expect(served).toEqual([
        undefined,
        expect.stringMatching(/^bytes=\d{5,}-$/),
      ]);
    },
  );

  it("[V2-826] that trickles is left after ten seconds, and the rest comes from the service", async () => {
    const { cloud, fake, player } = await startPair([film], {
      // A second is ten of them.
      site: { timeoutFactor: 0.1 },
    });
    haveAll(fake, trickle);
    await player.syncAll();
    expect(fake.fileRequests).toHaveLength(1);
    expect(cloud.fileRequests("film").length).toBeGreaterThan(0);
    expect(player.counts()?.filesFromPlayers).toBe(0);
  });

  it("[V2-826] that takes a request and never responds is left after ten seconds", async () => {
    const { cloud, fake, player } = await startPair([film], {
      // The connection itself would be waited for much longer.
      ...{ site: { timeoutFactor: 0.1 }, sync: { silenceMs: 3_600_000 } },
    });
    haveAll(fake, () => undefined);
    await player.syncAll();
    expect(fake.fileRequests).toHaveLength(1);
    expect(cloud.fileRequests("film")).toHaveLength(1);
  });

  it("[V2-826] that trickles is left for another one that has the file, which is not charged with it", async () => {
    const network = await siteNetwork();
    const { cloud, fake, key, player } = await startPair([film], {
      ...{ network, site: { timeoutFactor: 0.1 } },
    });
    const other = await startFakeSitePlayer(network, key);
    await vi.waitUntil(() => player.counts()?.players === 2, pollOptions);
    haveAll(fake, trickle);
    // The second choice.
    other.report = { stage: "fetching", bytes: filmBytes.length };
    other.file = (request, response) => {
      const from = offsetOf(request);
      response
        .writeHead(from > 0 ? 206 : 200, {
          "Content-Length": filmBytes.length - from,
          ...(from > 0 && {
            "Content-Range": rangeFrom(from),
            ETag: [request.headers["if-range"] ?? []].flat()[0],
          }),
        })
        .end(filmBytes.subarray(from));
    };
    await player.syncAll();
    expect(fake.fileRequests).toHaveLength(1);
    expect(other.fileRequests).toHaveLength(1);
    expect(cloud.fileRequests("film")).toHaveLength(0);
  });

  it("[V2-824] that dies in the middle is continued at the service, where it had arrived", async () => {
    const { cloud, fake, player } = await startPair([film]);
    const tag = `"${createHash("md5").update(filmBytes).digest("hex")}"`;
    haveAll(fake, (_request, response) => {
      response.writeHead(200, {
        ...{ ETag: tag, "Content-Length": filmBytes.length },
      });
      response.write(filmBytes.subarray(0, mebibyte), () => fake.die());
    });
    await player.syncAll();
    const ranges = cloud
      .fileRequests("film")
      .map(({ headers }) => headers.range);
    expect(ranges).toEqual([expect.stringMatching(/^bytes=\d{5,}-$/)]);
  });

  it("[V2-819] that reports a file and refuses it is asked for it twice, without a pause", async () => {
    const { cloud, fake, player } = await startPair([film], {
      // Any pause takes a quarter of an hour.
      site: { timeoutFactor: 1000 },
    });
    fake.report = { stage: "here", bytes: filmBytes.length };
    await player.syncAll();
    expect(cloud.fileRequests("film")).toHaveLength(1);
    expect(fake.fileRequests).toHaveLength(2);
  });

  it("[V2-826] that is always busy costs half a minute at most", async () => {
    const { cloud, fake, player } = await startPair([film], {
      site: { timeoutFactor: 0.1 },
    });
    haveAll(fake, (_request, response) => response.writeHead(503).end());
    await player.syncAll();
    expect(cloud.fileRequests("film")).toHaveLength(1);
    expect(fake.fileRequests.length).toBeLessThanOrEqual(40);
  });

  it("[V2-820] that is waited for isn't any more when sharing is turned off", async () => {
    const { turn, ...site } = switchable();
    const { cloud, fake, player } = await startPair([film], {
      // A quarter of an hour is waited for.
      site: { ...site, timeoutFactor: 1000 },
    });
    haveAll(fake, (_request, response) => response.writeHead(503).end());
    const all = player.syncAll();
    await vi.waitUntil(() => fake.fileRequests.length > 0, pollOptions);
    turn(false);
    await all;
    expect(cloud.fileRequests("film")).toHaveLength(1);
  });

  it("[V2-823] is found again before the next download when sharing is turned off and on", async () => {
    const { turn, ...site } = switchable();
    const { cloud, fake, player } = await startPair([film], {
      // As long as a real player waits.
      site: { ...site, settleMs: 2_500 },
    });
    haveAll(fake, (_request, response) => {
      response
        .writeHead(200, { "Content-Length": filmBytes.length })
        .end(filmBytes);
    });
    for (const isOn of [false, true]) turn(isOn);
    await player.syncAll();
    expect(cloud.fileRequests("film")).toHaveLength(0);
    expect(player.counts()?.filesFromPlayers).toBe(1);
  });

  it("[V2-822] that redirects elsewhere is not followed there", async () => {
    const { cloud, fake, player } = await startPair([film], {
      site: { timeoutFactor: 0.1 },
    });
    haveAll(fake, (_request, response) => {
      response.writeHead(302, { Location: `${cloud.address}/elsewhere` }).end();
    });
    await player.syncAll();
    expect(cloud.requests.map(({ url }) => url)).not.toContain("/elsewhere");
  });

  it("[V2-827] [V2-828] does not help when the disk is full: that is reported, and the rest comes later", async () => {
    let reserveBytes = 0;
    const { fake, player } = await startPair([film], {
      sync: { reserveBytes: () => reserveBytes },
    });
    haveAll(fake, (_request, response) => {
      response
        .writeHead(200, { "Content-Length": filmBytes.length })
        .end(filmBytes);
    });
    reserveBytes = 2 ** 50;
    const all = player.syncAll();
    const full = await player.until(({ problem }) => problem !== null);
    expect(full.problem?.code).toBe("no-space");
    reserveBytes = 0;
    player.sync.run();
    await all;
    expect(player.counts()?.filesFromPlayers).toBe(1);
  });
});
