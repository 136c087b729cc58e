// Version of a service: downgraded only where the service itself says so, and a newer one is found again.

import { describe, expect, it } from "vitest";
import { systemClock } from "../../../../server/platform/clock.ts";
import {
  openFaultyPath,
  type Answered,
} from "../../../support/http/faulty-path.ts";
import { png } from "../../../support/media/media.ts";
import { oneService } from "../../../support/content/one-service.ts";
import type { Row } from "../../../support/content/start-content.ts";
import { startSync } from "../../../support/sync/start-sync.ts";

const startService = oneService();

const own: Answered = {
  ...{ status: 404, type: "application/json" },
  body: '{"detail":"Not found."}',
};
const gateway: Answered = {
  ...{ status: 404, type: "text/plain", body: "404 page not found" },
};

describe("[V2-204] [V2-542] the version of a service", () => {
  it("falls back to the next older one when it is gone, and returns an hour after it is back", async () => {
    const service = await startService();
    const answer = await service.upload(png([1, 2, 3]), { title: "One" });
    const [row] = (await answer.json()) as Row[];
    const { id } = (await service.v3.make("/playlists/", {
      ...{ title: "Shop", predicate: "TRUE" },
      assets: [{ id: row?.id, duration: 5 }],
      groups: [{ id: "all-screens" }],
    })) as Row;
    await expect
      .poll(() => service.rows("/v4.1/assets?status=neq.finished"))
      .toEqual([]);
    const path = await openFaultyPath(service.address);
    let offsetMs = 0;
    const running = await startSync({
      sync: { clock: { ...systemClock, now: () => Date.now() + offsetMs } },
    });
    await running.connect({ baseUrl: path.address }, service.key);
    const rename = (title: string): Promise<unknown> =>
      service.v3.call("PATCH", `/playlists/${id}/`, { title });
    const seen = async (): Promise<unknown> => {
      const all = await (await running.request("/playlists")).json();
      return (all as { name: string }[]).map(({ name }) => name);
    };
    expect(running.sync.status()).toMatchObject([{ version: "v4.1" }]);

    path.decide(({ url }) => (/\/v4(\.1)?\//.test(url) ? own : "arrives"));
    await rename("Two");
    expect(await running.syncNow()).toMatchObject({
      ...{ version: "v3", problem: null, isInSync: true },
    });
    expect(await seen()).toEqual(["Two"]);

    path.decide(() => "arrives");
    await rename("Three");
    expect(await running.syncNow()).toMatchObject({ version: "v3" });
    offsetMs += 3_600_000;
    // A gateway's answers say nothing about the service's versions.
    path.decide(({ url }) => (/\/v4(\.1)?\//.test(url) ? gateway : "arrives"));
    expect(await running.syncNow()).toMatchObject({
      ...{ version: "v3", problem: null },
    });
    path.decide(() => "arrives");
    offsetMs += 3_600_000;
    await rename("Four");
    expect(await running.syncNow()).toMatchObject({
      ...{ version: "v4.1", problem: null, isInSync: true },
    });
    expect(await seen()).toEqual(["Four"]);
  });

  it("is not downgraded because of one gateway's 404 during detection", async () => {
    const service = await startService();
    const path = await openFaultyPath(service.address);
    for (const newest of [/^\/v4\.1\//, /^\/(api\/)?v4(\.1)?\//]) {
      const met = new Set<string>();
      path.decide(({ url }) => {
        const at = url.split("?")[0] ?? "";
        if (!newest.test(url) || met.has(at)) return "arrives";
        met.add(at);
        return gateway;
      });
      const running = await startSync();
      await running.connect({ baseUrl: path.address }, service.key);
      expect(running.sync.status()).toMatchObject([
        { version: "v4.1", problem: null },
      ]);
    }
  });
});
