// Objects with the name of a change that belong to somebody else: never taken for the result of the change, nor written to.

import { describe, expect, it, vi } from "vitest";
import { manualClock } from "../../../support/clock.ts";
import {
  openFaultyPath,
  type Delivery,
} from "../../../support/http/faulty-path.ts";
import { oneService } from "../../../support/content/one-service.ts";
import { startFullSync } from "../../../support/sync/start-full-sync.ts";
import { connect, kept, pollOptions } from "../../../support/sync/outbox.ts";

const startService = oneService();
const versions = ["v4.1", "v4", "v3"] as const;

const shop = {
  ...{ collection: "playlists", action: "create" },
  fields: { title: "Shop", predicate: "TRUE" },
};
const theirs = { title: "Shop", predicate: "FALSE" };

const answers = (status: number): Delivery => ({
  ...{ status, type: "application/json", body: '{"detail":"No."}' },
});

describe.each(versions)("through version %s", (version) => {
  it.each([
    ["rejected", 400],
    ["rejected because of its token", 401],
  ])(
    "[V2-313] [V2-344] creates again what was %s, though another client created one of that name since",
    async (_, status) => {
      const service = await startService();
      const path = await openFaultyPath(service.address);
      const running = await startFullSync({ clock: manualClock() });
      const up = await connect(running, service, path.address, version);
      path.decide(({ method }) =>
        method === "POST" ? answers(status) : "arrives",
      );
      const { change_id: id } = await up.add(shop);
      await vi.waitUntil(async () => {
        const [one] = await up.changes();
        return one?.reason !== null && one?.state !== "sending";
      }, pollOptions);
      const stranger = (await service.v3.make("/playlists/", theirs)) as {
        id: string;
      };
      path.decide(() => "arrives");
      expect((await up.retry(id)).status).toBe(200);
      const [made] = await up.rest();
      expect(made?.state).toBe("done");
      expect(made?.id).not.toBe(stranger.id);
      const { playlists } = await kept(service);
      expect(playlists).toHaveLength(2);
      expect(playlists).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ id: stranger.id, predicate: "FALSE" }),
          expect.objectContaining({ id: made?.id, predicate: "TRUE" }),
        ]),
      );
    },
  );

  it("[V2-344] creates it in the service that the connection now points to, whatever has its name there and whatever the previous one did", async () => {
    const [before, after] = [await startService(), await startService()];
    const path = await openFaultyPath(before.address);
    const running = await startFullSync({ clock: manualClock() });
    const up = await connect(running, before, path.address, version);
    const stranger = (await after.v3.make("/playlists/", theirs)) as {
      id: string;
    };
    // The response to the first is lost, the second is half done.
    path.decide(({ method, body }) =>
      method === "GET"
        ? "arrives"
        : body.includes("Shop")
          ? answers(500)
          : "unheard",
    );
    await up.add(shop);
    await up.add({ ...shop, fields: { ...shop.fields, title: "Hall" } });
    await vi.waitUntil(
      async () =>
        (await up.changes()).every(
          ({ state, attempts }) => state === "waiting" && attempts > 0,
        ),
      pollOptions,
    );
    expect((await kept(before)).playlists).toMatchObject([{ title: "Hall" }]);
    await running.sync.changeConnection(
      up.connectionId,
      { baseUrl: after.address },
      after.key,
    );
    const [made] = await up.rest();
    expect(made?.id).not.toBe(stranger.id);
    const { playlists } = await kept(after);
    expect(playlists).toHaveLength(3);
    expect(playlists).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: stranger.id, predicate: "FALSE" }),
        expect.objectContaining({ id: made?.id, predicate: "TRUE" }),
        expect.objectContaining({ title: "Hall" }),
      ]),
    );
  });

  it("[V2-530] retries and completes what a gateway's 404 interrupted", async () => {
    const service = await startService();
    const path = await openFaultyPath(service.address);
    const running = await startFullSync();
    const up = await connect(running, service, path.address, version);
    const { id } = (await service.v3.make("/playlists/", theirs)) as {
      id: string;
    };
    const [base] = (await up.read("playlists")).rows;
    // Every request of it gets one, once.
    const met = new Set<string>();
    path.decide(({ method, url }) => {
      const one = `${method} ${url.split("?")[0]}`;
      if (!/playlists/.test(url) || met.has(one)) return "arrives";
      met.add(one);
      return {
        ...{ status: 404, type: "text/plain" },
        body: "404 page not found",
      };
    });
    await up.add({
      ...{ collection: "playlists", action: "change", id, base },
      fields: { title: "Hall" },
    });
    expect(await up.rest()).toMatchObject([{ state: "done", conflicts: [] }]);
    expect(met.size).toBeGreaterThan(1);
    expect((await kept(service)).playlists).toMatchObject([{ title: "Hall" }]);
  });

  it("[V2-341] continues what is half done, where only the token is another", async () => {
    const service = await startService();
    const path = await openFaultyPath(service.address);
    const running = await startFullSync({ clock: manualClock() });
    const up = await connect(running, service, path.address, version);
    path.decide(({ method }) => (method === "POST" ? "unheard" : "arrives"));
    await up.add(shop);
    await vi.waitUntil(
      async () => (await up.changes())[0]?.reason !== null,
      pollOptions,
    );
    path.decide(() => "arrives");
    await running.sync.changeConnection(up.connectionId, {}, service.key);
    expect(await up.rest()).toMatchObject([{ state: "done" }]);
    expect((await kept(service)).playlists).toHaveLength(1);
  });
});
