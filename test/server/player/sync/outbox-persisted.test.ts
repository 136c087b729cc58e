// Values that a version cannot store as given, or that were left to the service: compared, sent and counted as the service stores
// them.

import { describe, expect, it } from "vitest";
import { openFaultyPath } from "../../../support/http/faulty-path.ts";
import { clip } from "../../../support/media/media.ts";
import { oneService } from "../../../support/content/one-service.ts";
import { startFullSync } from "../../../support/sync/start-full-sync.ts";
import type { Row } from "../../../support/content/start-content.ts";
import { connect, kept } from "../../../support/sync/outbox.ts";

const startService = oneService();
const playlists = { collection: "playlists" };

describe.each(["v4.1", "v4"] as const)("through version %s", (version) => {
  it("[V2-354] a priority above 1 is stored as 1, and does not conflict with itself", async () => {
    const service = await startService();
    const { id } = (await service.v3.make("/playlists/", {
      title: "Shop",
      predicate: "TRUE",
    })) as Row;
    const path = await openFaultyPath(service.address);
    const running = await startFullSync();
    const up = await connect(running, service, path.address, version);
    const [base] = (await up.read("playlists")).rows;
    let isContacted = false;
    path.decide(({ method }) => {
      if (method !== "PATCH" || isContacted) return "arrives";
      isContacted = true;
      return "unheard";
    });
    const change = { ...playlists, action: "change", id, base };
    await up.add({ ...change, fields: { priority: 50 } });
    expect(await up.rest()).toMatchObject([{ state: "done", attempts: 2 }]);
    expect((await kept(service)).playlists).toMatchObject([{ priority: 1 }]);
    // As the client that wrote it would have read it.
    const mine = { ...base, priority: 50 };
    await up.add({ ...change, base: mine, fields: { title: "Store" } });
    await up.add({ ...change, base: mine, fields: { priority: 20 } });
    await up.add({ ...change, base: mine, fields: { priority: 0 } });
    for (const { state, reason } of await up.rest())
      expect([state, reason]).toEqual(["done", null]);
    expect((await kept(service)).playlists).toMatchObject([
      { title: "Store", priority: 0 },
    ]);
  });
});

describe.each(["v4.1", "v4", "v3"] as const)(
  "through version %s",
  (version) => {
    it("[V2-354] an item that plays its own length is sent with that length", async () => {
      const service = await startService();
      const answer = await service.upload(
        await clip({ colour: [9, 9, 9], seconds: 2 }),
        { title: "Film" },
      );
      const [film] = (await answer.json()) as Row[];
      const page = (await service.v3.make("/assets/", {
        ...{ source_url: "https://example.org/", title: "Page" },
        disable_verification: true,
      })) as Row;
      await expect
        .poll(async () =>
          (await service.rows("/v4.1/assets?select=id,status")).every(
            ({ status }) => status === "finished",
          ),
        )
        .toBe(true);
      const [measured] = await service.rows(
        `/v4.1/assets?id=eq.${film?.id}&select=duration`,
      );
      const seconds = Number(measured?.["duration"]);
      expect(seconds).toBeGreaterThan(0);
      const ids = [film?.id, page.id];
      const { id } = (await service.v3.make("/playlists/", {
        ...{ title: "Shop", predicate: "TRUE" },
        assets: ids.map((one) => ({ id: one, duration: 60 })),
      })) as Row;
      const running = await startFullSync();
      const up = await connect(running, service, service.address, version);
      const [base] = (await up.read("playlists")).rows;
      await up.add({
        ...{ ...playlists, action: "change", id, base },
        fields: {
          items: ids.map((asset_id) => ({ asset_id, duration: null })),
        },
      });
      expect(await up.rest()).toMatchObject([{ state: "done" }]);
      expect((await kept(service)).playlists).toMatchObject([
        {
          assets: [
            { id: film?.id, duration: seconds },
            { id: page.id, duration: 10 },
          ],
        },
      ]);
    });
  },
);
