// A connection that gets another token: everything that calls its service uses that one from then on.

import { describe, expect, it, vi } from "vitest";
import { manualClock } from "../../../support/clock.ts";
import { openFaultyPath } from "../../../support/http/faulty-path.ts";
import { oneService } from "../../../support/content/one-service.ts";
import { claimed, linksOf, pairingOf } from "../../../support/sync/pairing.ts";
import {
  startFullSync,
  type RunningFullSync,
} from "../../../support/sync/start-full-sync.ts";
import { connect, kept, pollOptions } from "../../../support/sync/outbox.ts";

const startService = oneService();

const label = {
  ...{ collection: "labels", action: "create" },
  fields: { name: "Lobby" },
};

const give = (running: RunningFullSync, connectionId: string, token: string) =>
  running.sync.changeConnection(connectionId, {}, token);

describe("an outbox", () => {
  it("[V2-341] reads and writes with the token that replaced another of its kind", async () => {
    const [one, other] = [await startService(), await startService()];
    await other.v3.make("/groups/", { name: "Theirs" });
    const running = await startFullSync();
    const up = await connect(running, one, one.address, "v4.1");
    expect((await up.read("labels")).rows).toHaveLength(1);
    await give(running, up.connectionId, other.key);
    expect((await up.read("labels")).rows).toHaveLength(2);
    await up.add(label);
    expect(await up.rest()).toMatchObject([{ state: "done" }]);
    expect((await kept(one)).groups).toEqual([]);
    expect((await kept(other)).groups).toMatchObject([
      { name: "Theirs" },
      { name: "Lobby" },
    ]);
  });

  it("[V2-341] continues at once with another token, where the service rejected the one before", async () => {
    const service = await startService();
    const running = await startFullSync({ clock: manualClock() });
    const up = await connect(running, service, service.address, "v4.1");
    await give(running, up.connectionId, "vitrine-none");
    await up.add(label);
    await vi.waitUntil(
      async () => (await up.changes())[0]?.reason?.includes("token") === true,
      pollOptions,
    );
    await give(running, up.connectionId, service.key);
    expect(await up.rest()).toMatchObject([{ state: "done" }]);
  });

  it("[V2-341] detects the version of its service again after a failed detection", async () => {
    const service = await startService();
    const path = await openFaultyPath(service.address);
    const running = await startFullSync();
    const up = await connect(running, service, path.address, "v4.1");
    await running.until(({ isInSync }) => isInSync === true);
    await up.read("labels");
    path.decide(() => "lost");
    const failed = await running.request(
      `/sync/accounts/${up.connectionId}/cloud/labels`,
    );
    expect(failed.status).toBe(503);
    const before = path.passed.length;
    path.decide(() => "arrives");
    await up.read("labels");
    // The sync itself may poll at any moment.
    const urls = path.passed.slice(before).map(({ url }) => url);
    expect(urls).toContainEqual(expect.stringContaining("select=id&limit=1"));
  });
});

describe("a link", () => {
  /** Claimed, and its service has received a heartbeat. */
  async function linked() {
    const service = await startService();
    const running = await startFullSync();
    const { connectionId } = await claimed(
      running,
      service.address,
      service.v3,
    );
    await vi.waitUntil(
      async () => (await linksOf(running))[0]?.is_connected === true,
      pollOptions,
    );
    return { service, running, connectionId: connectionId ?? "" };
  }

  it("[V2-341] [V2-307] sends the credential that replaced another, and ends where the service does not know it", async () => {
    const { running, connectionId } = await linked();
    await give(running, connectionId, "vitrine-screen-unknown");
    await vi.waitUntil(
      async () => (await pairingOf(running))?.state === "waiting",
      pollOptions,
    );
    expect(await pairingOf(running)).toMatchObject({
      account_id: connectionId,
    });
  });

  it("[V2-341] ends when a key replaces the credential", async () => {
    const { service, running, connectionId } = await linked();
    await give(running, connectionId, service.key);
    await vi.waitUntil(
      async () => (await linksOf(running)).length === 0,
      pollOptions,
    );
  });
});
