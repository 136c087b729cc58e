// Outbox: survives restarts, reports rejections, and lets dependent changes wait.

import { describe, expect, it, vi } from "vitest";
import { manualClock } from "../../../support/clock.ts";
import { serveFaultyCloud } from "../../../support/faulty-service/faulty-service.ts";
import { openFaultyPath } from "../../../support/http/faulty-path.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { holdingBack } from "../../../support/faulty-service/held-response.ts";
import { oneService } from "../../../support/content/one-service.ts";
import { startFullSync } from "../../../support/sync/start-full-sync.ts";
import {
  connect,
  kept,
  pollOptions,
  shopWindow,
  upOf,
} from "../../../support/sync/outbox.ts";

const startService = oneService();

describe("an outbox", () => {
  it("[V2-310] survives a restart without the service, and is sent in order once it is back", async () => {
    const service = await startService();
    const path = await openFaultyPath(service.address);
    path.decide(() => "lost");
    const dataDir = await temporaryFolder();
    const first = await startFullSync({ player: { dataDir } });
    const up = await connect(first, service, path.address, "v4.1");
    await shopWindow(first, up);
    await vi.waitUntil(
      async () => (await up.changes())[0]?.reason !== null,
      pollOptions,
    );
    await first.stopAll();
    const again = await startFullSync({ player: { dataDir } });
    const upAgain = upOf(again, up.connectionId);
    expect(await upAgain.changes()).toMatchObject([
      { fields: { title: "Spring" } },
      { fields: { name: "Lobby" } },
      { fields: { title: "Shop" } },
    ]);
    path.decide(() => "arrives");
    expect((await upAgain.rest()).map(({ state }) => state)).toEqual([
      "done",
      "done",
      "done",
    ]);
    const created = path.passed
      .filter(({ method }) => method === "POST")
      .map(({ url }) => url);
    expect(created.slice(0, 3)).toEqual([
      "/v4.1/assets",
      "/v4.1/labels",
      "/v4.1/playlists",
    ]);
    // The next poll brings what was created.
    expect((await kept(service)).playlists).toHaveLength(1);
  });

  it("[V2-202] is sent to the connection's new address when that is set during version detection", async () => {
    const service = await startService();
    const running = await startFullSync();
    const before = await serveFaultyCloud();
    const up = await connect(running, service, before.address, "v4.1");
    await running.until(({ lastContactAt }) => lastContactAt !== null);
    const opening = holdingBack();
    before.opening = opening.answer;
    await up.add({
      ...{ collection: "labels", action: "create" },
      fields: { name: "Lobby" },
    });
    await opening.requested;
    const requests = before.requests.length;
    await running.sync.changeConnection(
      up.connectionId,
      { baseUrl: service.address },
      service.key,
    );
    opening.goOn();
    expect(await up.rest()).toMatchObject([{ state: "done", reason: null }]);
    expect((await kept(service)).groups).toMatchObject([{ name: "Lobby" }]);
    expect(before.requests.length).toBe(requests);
  });

  it("[V2-311] [V2-315] reports what the service rejects, lets dependent changes wait, and discards both", async () => {
    const service = await startService();
    const running = await startFullSync();
    const up = await connect(running, service, service.address, "v3");
    const folder = await up.add({
      collection: "groups",
      action: "create",
      fields: { title: "Summer" },
    });
    const asset = await up.add({
      collection: "assets",
      action: "create",
      fields: {
        title: "Page",
        source_url: "https://example.org/",
        group_id: `change:${folder.change_id}`,
      },
    });
    const label = await up.add({
      collection: "labels",
      action: "create",
      fields: { name: "Hall", screens: ["nobody"] },
    });
    await vi.waitUntil(
      async () => (await up.changes()).at(-1)?.state === "refused",
      pollOptions,
    );
    const [refused, waiting, unknown] = await up.changes();
    expect(refused).toMatchObject({
      state: "refused",
      reason: expect.stringContaining("Version 3") as string,
    });
    expect(waiting).toMatchObject({ state: "waiting", attempts: 0 });
    expect(unknown).toMatchObject({
      state: "refused",
      reason: expect.stringContaining("screens") as string,
    });
    expect((await kept(service)).groups).toEqual([]);
    const drop = (id: string) =>
      running.request(`/sync/accounts/${up.connectionId}/changes/${id}`, {
        method: "DELETE",
      });
    expect((await drop(folder.change_id)).status).toBe(409);
    for (const { change_id: id } of [asset, folder, label])
      expect((await drop(id)).status).toBe(204);
    expect(await up.changes()).toEqual([]);
  });

  it("[V2-315] keeps a completed change as long as another one needs its result", async () => {
    const service = await startService();
    const path = await openFaultyPath(service.address);
    const running = await startFullSync({ clock: manualClock() });
    const up = await connect(running, service, path.address, "v4.1");
    path.decide(({ method, url }) =>
      method === "POST" && url.endsWith("/playlists")
        ? { status: 400, type: "application/json", body: '{"detail":"No."}' }
        : "arrives",
    );
    const label = await up.add({
      ...{ collection: "labels", action: "create" },
      fields: { name: "Lobby" },
    });
    const playlist = await up.add({
      ...{ collection: "playlists", action: "create" },
      fields: { title: "Shop", labels: [`change:${label.change_id}`] },
    });
    expect((await up.rest()).map(({ state }) => state)).toEqual([
      "done",
      "refused",
    ]);
    const drop = (id: string) =>
      running.request(`/sync/accounts/${up.connectionId}/changes/${id}`, {
        method: "DELETE",
      });
    expect((await drop(label.change_id)).status).toBe(409);
    path.decide(() => "arrives");
    await up.retry(playlist.change_id);
    expect(await up.rest()).toMatchObject([
      { state: "done" },
      { state: "done" },
    ]);
    expect((await kept(service)).playlists).toMatchObject([
      { title: "Shop", groups: [{ name: "Lobby" }] },
    ]);
    expect((await drop(label.change_id)).status).toBe(204);
  });

  it("[V2-385] does not exist for a paired screen, which only reads", async () => {
    const service = await startService();
    const running = await startFullSync();
    const { body } = await running.send("POST", "/sync/pairing", {
      base_url: service.address,
    });
    await service.v3.make("/screens/", { pin: body.pin });
    await vi.waitUntil(
      () => running.sync.connections().length === 1,
      pollOptions,
    );
    const connectionId = running.sync.connections()[0]?.id ?? "";
    const up = upOf(running, connectionId);
    const at = `/sync/accounts/${connectionId}`;
    const change = {
      ...{ collection: "labels", action: "create" },
      fields: { name: "Lobby" },
    };
    expect(await running.send("POST", `${at}/changes`, change)).toMatchObject({
      status: 409,
    });
    expect(await up.rest()).toEqual([]);
    expect((await up.read("labels")).rows).toHaveLength(1);
  });
});
