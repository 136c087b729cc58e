// Outbox faults: a service that fails for one change or for all of them, which changes wait, which continue, and when they are
// retried.

import { describe, expect, it, vi } from "vitest";
import { manualClock } from "../../../support/clock.ts";
import {
  openFaultyPath,
  type Delivery,
} from "../../../support/http/faulty-path.ts";
import { png } from "../../../support/media/media.ts";
import { oneService } from "../../../support/content/one-service.ts";
import { startFullSync } from "../../../support/sync/start-full-sync.ts";
import {
  connect,
  kept,
  pollOptions,
  type Up,
} from "../../../support/sync/outbox.ts";

const startService = oneService();

const label = (name: string, more: object = {}) => ({
  ...{ collection: "labels", action: "create", fields: { name } },
  ...more,
});

async function statesOf(up: Up): Promise<readonly string[]> {
  return (await up.changes()).map(({ state }) => state);
}

function becomes(up: Up, states: readonly string[]): Promise<unknown> {
  return vi.waitUntil(
    async () => (await statesOf(up)).join() === states.join(),
    pollOptions,
  );
}

/** Reads succeed, and writes fail for any request with this name in it. */
function failing(word: string, delivery: Delivery) {
  return ({ method, body }: { method: string; body: string }): Delivery =>
    method !== "GET" && body.includes(word) ? delivery : "arrives";
}

/** An intermediary that accepts everything. */
const empty: Delivery = { status: 200, type: "application/json", body: "" };
const broken: Delivery = { status: 500, type: "application/json", body: "{}" };
const busy: Delivery = { ...broken, status: 429 };
const tooLarge: Delivery = {
  status: 413,
  type: "text/html",
  body: "<html><title>413 Request Entity Too Large</title></html>",
};
const guard: Delivery = { ...tooLarge, status: 403 };

/** With a first change, to which its service has answered to retry later. */
async function startWithRetryPause() {
  const service = await startService();
  const clock = manualClock();
  const running = await startFullSync({ clock });
  const path = await openFaultyPath(service.address);
  const up = await connect(running, service, path.address, "v4.1");
  let writings = 0;
  path.decide(({ method }) => {
    if (method === "GET") return "arrives";
    writings += 1;
    return busy;
  });
  const first = await up.add(label("Lobby"));
  await vi.waitUntil(
    async () => (await up.changes())[0]?.reason !== null,
    pollOptions,
  );
  expect(await statesOf(up)).toEqual(["waiting"]);
  return { ...{ clock, running, path, up, first }, writings: () => writings };
}

describe("[V2-831] an empty response in place of the service's", () => {
  it.for(["v4.1", "v3"] as const)(
    "confirms no write in version %s: each change is sent again, and made once",
    async (version) => {
      const service = await startService();
      const clock = manualClock();
      const running = await startFullSync({ clock });
      const path = await openFaultyPath(service.address);
      const up = await connect(running, service, path.address, version);
      const [first, second] = await Promise.all(
        ["Lobby", "Attic"].map((name) => up.add(label(name))),
      );
      await becomes(up, ["done", "done"]);
      const { rows } = await up.read("labels");
      const rowOf = (name: string) => rows.find((row) => row["name"] === name);
      expect([first, second, rowOf("Lobby"), rowOf("Attic")]).not.toContain(
        undefined,
      );
      let swallowed = 0;
      path.decide(({ method }) => {
        if (method === "GET" || swallowed >= 3) return "arrives";
        swallowed += 1;
        return empty;
      });
      await up.add({
        ...{ collection: "labels", action: "change" },
        ...{ id: rowOf("Lobby")?.["id"], base: rowOf("Lobby") },
        fields: { name: "Hall" },
      });
      await up.add({
        ...{ collection: "labels", action: "delete" },
        ...{ id: rowOf("Attic")?.["id"], base: rowOf("Attic") },
      });
      await up.add(label("Yard"));
      await vi.waitUntil(async () => {
        await clock.advance(1000);
        return (await statesOf(up)).every((state) => state === "done");
      }, pollOptions);
      expect(swallowed).toBe(3);
      const { groups } = await kept(service);
      expect(groups.map(({ name }) => name).toSorted()).toEqual([
        "Hall",
        "Yard",
      ]);
    },
  );

  it("does not mean that what was asked for is gone", async () => {
    const service = await startService();
    const clock = manualClock();
    const running = await startFullSync({ clock });
    const path = await openFaultyPath(service.address);
    const up = await connect(running, service, path.address, "v3");
    await up.add(label("Lobby"));
    await becomes(up, ["done"]);
    const row = (await up.read("labels")).rows.find(
      ({ name }) => name === "Lobby",
    );
    let asked = 0;
    path.decide(({ method, url }) => {
      if (method !== "GET" || !url.endsWith(`/${String(row?.["id"])}/`))
        return "arrives";
      asked += 1;
      return asked === 1 ? empty : "arrives";
    });
    await up.add({
      ...{ collection: "labels", action: "delete" },
      ...{ id: row?.["id"], base: row },
    });
    await vi.waitUntil(async () => {
      await clock.advance(1000);
      return (await statesOf(up)).every((state) => state === "done");
    }, pollOptions);
    expect((await kept(service)).groups).toEqual([]);
  });
});

describe("[V2-838] a row that is gone when it is written", () => {
  const noRow: Delivery = { status: 204, type: "text/plain", body: "" };

  /** Its row was deleted after it was read: the service's response to that is repeated once. */
  async function startWithDeleted(version: "v4.1" | "v3") {
    const service = await startService();
    const clock = manualClock();
    const running = await startFullSync({ clock });
    const path = await openFaultyPath(service.address);
    const up = await connect(running, service, path.address, version);
    await up.add(label("Lobby"));
    await becomes(up, ["done"]);
    const row = (await up.read("labels")).rows.find(
      ({ name }) => name === "Lobby",
    );
    const id = String(row?.["id"]);
    await service.v3.call("DELETE", `/groups/${id}/`);
    const read = { id, name: "Lobby", type: "manual", screens: [] };
    const isOfRow = ({ url }: { url: string }): boolean => url.includes(id);
    return { up, path, id, row, read, isOfRow };
  }

  it.for([
    ["v4.1", "says what was changed"],
    ["v4.1", "confirms any write without saying what was changed"],
    ["v3", "answers 404"],
  ] as const)(
    "is a conflict where a service of version %s %s",
    async ([version, how]) => {
      const { up, path, id, row, read, isOfRow } =
        await startWithDeleted(version);
      let reads = 0;
      path.decide((request) => {
        if (!isOfRow(request)) return "arrives";
        if (request.method === "PATCH")
          return how.startsWith("confirms") ? noRow : "arrives";
        reads += 1;
        if (reads > 1) return "arrives";
        const body = JSON.stringify(version === "v3" ? read : [read]);
        return { status: 200, type: "application/json", body };
      });
      await up.add({
        ...{ collection: "labels", action: "change", id, base: row },
        fields: { name: "Hall" },
      });
      await becomes(up, ["done", "conflict"]);
      const [, change] = await up.changes();
      expect(change).toMatchObject({ theirs: null, conflicts: [] });
      expect(change?.reason).toBe("It was deleted in the content service.");
    },
  );

  it("is created again where its creation is chosen nevertheless", async () => {
    const service = await startService();
    const running = await startFullSync({ clock: manualClock() });
    const path = await openFaultyPath(service.address);
    const up = await connect(running, service, path.address, "v4.1");
    const { body: upload } = await running.upload(png([7, 8, 9]));
    let writes = 0;
    path.decide(({ method }) => {
      if (method !== "PATCH") return "arrives";
      writes += 1;
      return writes > 1
        ? "arrives"
        : { status: 200, type: "application/json", body: "[]" };
    });
    const { change_id: id } = await up.add({
      ...{ collection: "assets", action: "create" },
      fields: {
        ...{ title: "Spring", file: upload.uri, metadata: { season: "1" } },
      },
    });
    await becomes(up, ["conflict"]);
    expect((await up.retry(id, { choose: "mine" })).status).toBe(200);
    await becomes(up, ["done"]);
    const { rows } = await up.read("assets");
    expect(rows.map(({ metadata }) => metadata)).toContainEqual({
      season: "1",
    });
    expect(rows.length).toBe(2);
  });
});

describe("a change that its service cannot take", () => {
  it("[V2-312] [V2-340] is rejected by an HTML page, as a proxy in front of the service answers a request that is too large", async () => {
    const service = await startService();
    const running = await startFullSync({ clock: manualClock() });
    const path = await openFaultyPath(service.address);
    const up = await connect(running, service, path.address, "v4.1");
    let uploads = 0;
    path.decide(({ method, url }) => {
      if (method !== "POST" || !url.endsWith("/assets")) return "arrives";
      uploads += 1;
      return tooLarge;
    });
    const { body: upload } = await running.upload(png([7, 8, 9]));
    await up.add({
      ...{ collection: "assets", action: "create" },
      fields: { title: "Film", file: upload.uri },
    });
    await up.add(label("Lobby"));
    expect(await up.rest()).toMatchObject([
      {
        state: "refused",
        reason: "The content service responded with status 413.",
      },
      { state: "done" },
    ]);
    expect(uploads).toBe(1);
  });

  it.each([
    ["answers 500 to", broken],
    ["answers an intermediary's page to", guard],
    ["loses", "lost"],
  ] as const)(
    "[V2-312] [V2-340] waits where the service %s it, lets independent changes pass, and is sent again on request or when due",
    async (_, delivery) => {
      const service = await startService();
      const clock = manualClock();
      const running = await startFullSync({ clock });
      const path = await openFaultyPath(service.address);
      const up = await connect(running, service, path.address, "v4.1");
      path.decide(failing("Cursed", delivery));
      const cursed = await up.add(label("Cursed"));
      await up.add({
        ...{ collection: "playlists", action: "create" },
        fields: { title: "Shop", labels: [`change:${cursed.change_id}`] },
      });
      await up.add(label("Lobby"));
      await up.add(label("Hall"));
      await becomes(up, ["waiting", "waiting", "done", "done"]);
      const [first, second] = await up.changes();
      expect(first).toMatchObject({ attempts: 1, reason: expect.any(String) });
      expect(second).toMatchObject({ attempts: 0, reason: null });
      expect((await up.retry(cursed.change_id)).status).toBe(200);
      await vi.waitUntil(
        async () => (await up.changes())[0]?.attempts === 2,
        pollOptions,
      );
      await becomes(up, ["waiting", "waiting", "done", "done"]);
      path.decide(() => "arrives");
      await clock.advance(2000);
      await up.rest();
      expect(await statesOf(up)).toEqual(["done", "done", "done", "done"]);
      expect((await kept(service)).playlists).toMatchObject([
        { title: "Shop", groups: [{ id: (await up.changes())[0]?.id }] },
      ]);
    },
  );

  it("[V2-340] is pending after a restart, whatever it was in the middle of", async () => {
    const service = await startService();
    const path = await openFaultyPath(service.address);
    const running = await startFullSync({ clock: manualClock() });
    const up = await connect(running, service, path.address, "v4.1");
    let arrived = (): void => undefined;
    const isSent = new Promise<void>((resolve) => (arrived = resolve));
    path.decide(({ method }) => {
      if (method === "GET") return "arrives";
      arrived();
      return "held";
    });
    await up.add(label("Lobby"));
    await isSent;
    expect(await statesOf(up)).toEqual(["sending"]);
    const { dataDir } = running;
    await running.stopAll();
    path.decide(({ method }) => (method === "GET" ? "lost" : "arrives"));
    const again = await startFullSync({
      ...{ player: { dataDir }, clock: manualClock() },
    });
    const changes = await again.request(
      `/sync/accounts/${up.connectionId}/changes`,
    );
    expect(await changes.json()).toMatchObject([
      { state: "waiting", attempts: 1 },
    ]);
  });
});

describe("a service that fails for everything", () => {
  it("[V2-310] [V2-340] is sent two different changes, then one more after each pause, until it is back", async () => {
    const service = await startService();
    const clock = manualClock();
    const running = await startFullSync({ clock });
    const path = await openFaultyPath(service.address);
    const up = await connect(running, service, path.address, "v4.1");
    let isWell = false;
    let writings = 0;
    path.decide(({ method }) => {
      if (method === "GET") return "arrives";
      writings += 1;
      return isWell ? "arrives" : broken;
    });
    // Added while it is switched off, so that adding triggers nothing.
    const setEnabled = (isEnabled: boolean) =>
      running.sync.changeConnection(up.connectionId, { isEnabled }, undefined);
    await setEnabled(false);
    for (const name of ["A", "B", "C", "D"]) await up.add(label(name));
    await setEnabled(true);
    const attempts = async () =>
      (await up.changes()).map((one) => one.attempts);
    const whenTried = (expectedTries: readonly number[]) =>
      vi.waitUntil(
        async () =>
          (await attempts()).join() === expectedTries.join() &&
          (await statesOf(up)).every((state) => state === "waiting"),
        pollOptions,
      );
    await whenTried([1, 1, 0, 0]);
    expect(writings).toBe(2);
    await clock.advance(1000);
    // Those that never failed come first: one of them may succeed.
    await whenTried([1, 1, 1, 0]);
    await clock.advance(1999);
    expect(writings).toBe(3);
    await clock.advance(1);
    await whenTried([1, 1, 1, 1]);
    isWell = true;
    await clock.advance(4000);
    await up.rest();
    expect(await statesOf(up)).toEqual(["done", "done", "done", "done"]);
  });

  it("[V2-387] is sent what is pending as soon as it answers the sync, however long the pause had grown", async () => {
    const service = await startService();
    const clock = manualClock();
    const running = await startFullSync({ clock });
    const path = await openFaultyPath(service.address);
    const up = await connect(running, service, path.address, "v4.1");
    await running.until(({ isInSync }) => isInSync === true);
    let losses = 0;
    path.decide(() => {
      losses += 1;
      return "lost";
    });
    await up.add(label("Lobby"));
    const why = async () => (await up.changes())[0]?.reason ?? null;
    await vi.waitUntil(async () => (await why()) !== null, pollOptions);
    // Each pause begins when the try before it has failed, in real time.
    for (const ms of [1000, 2000, 4000, 8000]) {
      const before = losses;
      await vi.waitUntil(async () => {
        await clock.advance(ms);
        return losses > before;
      }, pollOptions);
    }
    await becomes(up, ["waiting"]);
    running.sync.run(up.connectionId);
    await running.until(({ problem }) => problem !== null);
    expect(await statesOf(up)).toEqual(["waiting"]);
    path.decide(() => "arrives");
    running.sync.run(up.connectionId);
    await up.rest();
    expect(await statesOf(up)).toEqual(["done"]);
    expect((await kept(service)).groups).toMatchObject([{ name: "Lobby" }]);
  });

  it("[V2-315] is not asked for a change that needs one discarded meanwhile: it is rejected at once", async () => {
    const service = await startService();
    const running = await startFullSync({ clock: manualClock() });
    const path = await openFaultyPath(service.address);
    const up = await connect(running, service, path.address, "v4.1");
    const setEnabled = (isEnabled: boolean) =>
      running.sync.changeConnection(up.connectionId, { isEnabled }, undefined);
    await setEnabled(false);
    await up.add(label("A"));
    await up.add(label("B"));
    const needed = await up.add(label("Lobby"));
    await up.add({
      ...{ collection: "playlists", action: "create" },
      fields: { title: "Shop", labels: [`change:${needed.change_id}`] },
    });
    path.decide(({ method }) => (method === "GET" ? "arrives" : broken));
    await setEnabled(true);
    await vi.waitUntil(
      async () => (await up.changes())[1]?.reason !== null,
      pollOptions,
    );
    const at = `/sync/accounts/${up.connectionId}/changes`;
    const folded = await running.send("POST", at, {
      ...{ collection: "labels", action: "delete", base: {} },
      id: `change:${needed.change_id}`,
    });
    expect(folded.body).toMatchObject({ state: "done" });
    await vi.waitUntil(
      async () => (await up.changes()).at(-1)?.state === "refused",
      pollOptions,
    );
    expect((await up.changes()).at(-1)).toMatchObject({
      ...{ attempts: 0, reason: "The change it depends on was never made." },
    });
  });

  it("[V2-310] [V2-340] is not called where it requests a pause, whatever is added, until a retry is requested", async () => {
    const { running, path, up, first, writings } = await startWithRetryPause();
    const second = await up.add(label("Hall"));
    await up.add(label("Stairs"));
    const at = `/sync/accounts/${up.connectionId}/changes`;
    const dropped = await running.request(`${at}/${second.change_id}`, {
      method: "DELETE",
    });
    expect(dropped.status).toBe(204);
    // Anything that reaches the service after them would come behind whatever they send.
    await up.read("labels");
    expect(writings()).toBe(1);
    expect(await statesOf(up)).toEqual(["waiting", "waiting"]);
    path.decide(() => "arrives");
    await up.retry(first.change_id);
    await up.rest();
    expect(await statesOf(up)).toEqual(["done", "done"]);
  });

  it("[V2-310] [V2-340] is not called where it requests a pause, whatever is pending", async () => {
    const { clock, path, up, writings } = await startWithRetryPause();
    expect(writings()).toBe(1);
    path.decide(() => "arrives");
    await clock.advance(1000);
    await up.rest();
    expect(await statesOf(up)).toEqual(["done"]);
  });
});
