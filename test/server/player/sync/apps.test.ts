// Syncing apps: installed completely, configured for this screen, updated without downloading twice.

import path from "node:path";
import { describe, expect, it } from "vitest";
import type { SyncLibrary } from "../../../../server/player/sync/sync.ts";
import {
  appOf,
  files,
  follow,
  holding,
  manifest,
  page,
  secret,
  startBoard,
} from "../../../support/sync/synced-app.ts";
import {
  deploy,
  install,
  newApp,
  oneAppService,
  send,
  showEverywhere,
} from "../../../support/content/app-service.ts";
import {
  exported,
  imported,
  keysOf,
  membersOf,
} from "../../../support/sync/offline-bundles.ts";
import { backup, recover } from "../../../support/player/recover.ts";
import { startFullSync } from "../../../support/sync/start-full-sync.ts";
import { startSync } from "../../../support/sync/start-sync.ts";

const startService = oneAppService();

describe("an installed app", () => {
  it("[V2-331] [V2-333] is downloaded completely to a paired player, with its settings, and works without the service", async () => {
    const { service } = await startBoard(await startService());
    const running = await startSync();
    await follow(service, running);
    expect(running.sync.status()).toMatchObject([
      { isInSync: true, itemFailures: [], problem: null, assets: 1 },
    ]);
    await expect.poll(() => running.stage.visible()?.name).toBe("Board");
    expect(running.stage.visible()?.content.kind).toBe("app");
    // Identical bytes under two names were downloaded once.
    expect(service.fileRequests()).toHaveLength(3);
    service.path.decide(() => "lost");
    await running.stopSync();
    await running.player.stop();
    const { dataDir } = running;
    const again = await startSync({ player: { dataDir } });
    const app = await appOf(again);
    expect(app).toMatchObject({
      entry: { kind: "file", path: "index.html" },
      waitsForSignal: true,
      settings: {
        ...{ greeting: "hi", place: "here", word: secret },
        screenly_oauth_tokens_url: `${service.path.address}/api/v3/edge-apps/oauth/tokens/`,
        screenly_app_auth_token: expect.stringMatching(/^vitrine-app-/),
      },
    });
    expect(app?.bytes).toEqual(
      Object.fromEntries(
        Object.entries(files).map(([at, content]) => [
          at,
          Buffer.from(content),
        ]),
      ),
    );
    await expect.poll(() => again.stage.visible()?.name).toBe("Board");
    // Only the page receives them: no interface, no row, no log.
    for (const requests of ["/assets", "/sync", "/sync/plan", "/activity"])
      expect(await (await again.request(requests)).text()).not.toContain(
        secret,
      );
    const kept = await holding(dataDir, secret);
    expect(kept.map((file) => path.dirname(file))).toEqual([
      path.join("sync", "apps"),
    ]);
  });
});

/** A library that records the calls it receives. */
function noting(library: SyncLibrary, called: string[]): SyncLibrary {
  const entries = Object.entries(library) as [
    string,
    (...args: never[]) => unknown,
  ][];
  return Object.fromEntries(
    entries.map(([name, act]) => [
      name,
      (...args: never[]) => {
        called.push(name);
        return act(...args);
      },
    ]),
  ) as unknown as SyncLibrary;
}

describe("an update of an app", () => {
  it("[V2-332] downloads only new files, a changed setting no file, and writes nothing when nothing is new", async () => {
    const { service, ...board } = await startBoard(await startService());
    const { client } = service;
    const called: string[] = [];
    const running = await startSync({
      breakLibrary: (library) => noting(library, called),
    });
    await follow(service, running);
    await expect.poll(() => running.stage.visible()?.name).toBe("Board");
    const before = running.stage.visible();
    service.fileRequests();

    expect(called).toContain("admitApp");
    called.length = 0;
    await running.syncNow();
    expect(service.questions().map((url) => url.split("?")[0])).toEqual([
      ...["/v4.1/labels/screens", "/v4.1/labels"],
      `/link/v1/apps/${board.installation}`,
    ]);
    // The disk is checked (V2-565), rows are read, and nothing is written.
    expect(new Set(called)).toEqual(new Set(["findLost", "heldSliced"]));

    await send(
      client,
      "PATCH",
      `/v4.1/edge-apps/settings/values?installation_id=eq.${board.installation}&name=eq.place`,
      { value: "there" },
    );
    expect(await running.syncNow()).toMatchObject({ isInSync: true });
    expect((await appOf(running))?.settings).toMatchObject({ place: "there" });
    expect(service.fileRequests()).toEqual([]);
    // It is shown again from its start, though only a setting changed.
    await expect.poll(() => running.stage.visible()?.id).not.toBe(before?.id);

    const next = { ...files, "index.html": `${page}<p>two</p>` };
    await deploy(client, board.appId, next, { ...manifest, user_version: "2" });
    expect(await running.syncNow()).toMatchObject({ isInSync: true });
    expect(service.fileRequests()).toHaveLength(1);
    const app = await appOf(running);
    expect(app?.bytes["index.html"]?.toString()).toContain("two");
    // The version before is one call away, with its own files and settings.
    await running.sync.back();
    const back = await appOf(running);
    expect(back?.bytes["index.html"]?.toString()).toBe(page);
    expect(back?.settings).toMatchObject({ place: "there", word: secret });
  });
});

describe("an app over a key, or with a remote entry point", () => {
  it.each(["v4.1", "v4"] as const)(
    "[V2-336] is installed over %s with its settings, and without secrets",
    async (version) => {
      const { service } = await startBoard(await startService());
      const running = await startSync();
      const { address: baseUrl } = service.path;
      await running.connect({ baseUrl, version }, service.client.key);
      const app = await appOf(running);
      expect(app).toMatchObject({
        entry: { kind: "file", path: "index.html" },
        ...{
          waitsForSignal: true,
          settings: { greeting: "hi", place: "here" },
        },
      });
      expect(app?.settings).not.toHaveProperty("word");
      expect(await holding(running.dataDir, secret)).toEqual([]);
      service.questions();
      await running.syncNow();
      expect(service.questions().map((url) => url.split("?")[0])).toEqual([
        `/${version}/labels`,
        ...["installations", "channels", "versions", "settings"].map(
          (name) => `/${version}/edge-apps/${name}`,
        ),
      ]);
    },
  );

  it("[V2-336] that starts at an address is shown from there, with its settings", async () => {
    const service = await startService();
    const { client } = service;
    const appId = await newApp(client);
    const script = { "screenly_inject.js": "document.title = 'set';" };
    const entrypoint = { type: "remote-global", uri: "https://example.org/x" };
    await deploy(client, appId, script, { ...manifest, entrypoint });
    const { assetId } = await install(client, appId, "Board");
    await showEverywhere(client, [assetId]);
    const running = await startSync();
    await follow(service, running);
    expect(await appOf(running)).toMatchObject({
      entry: {
        ...{ kind: "remote", url: "https://example.org/x" },
        script: script["screenly_inject.js"],
      },
      settings: { greeting: "hi" },
    });
  });
});

describe("secrets of apps", () => {
  it("[V2-333] [V2-320] are in neither an offline bundle nor a backup, which hold the app; it is complete on another player", async () => {
    const { service } = await startBoard(await startService());
    const running = await startFullSync();
    await follow(service, running);
    const archive = await exported(running);
    const members = await membersOf(archive);
    expect(
      [...members.keys()].filter((name) => name.startsWith("files/")),
    ).toHaveLength(3);
    const bytes = await backup(running);
    for (const [, member] of [...members, ...(await membersOf(bytes))])
      expect(member.includes(secret)).toBe(false);

    const far = await startFullSync();
    const { own } = await keysOf(running);
    const taken = await imported(far, archive, `?trust=${own}`);
    expect(taken).toMatchObject({ status: 200, body: { assets: 1, files: 3 } });
    const app = await appOf(far);
    expect(app?.files.size).toBe(4);
    expect(app?.settings).toMatchObject({ greeting: "hi", place: "here" });
    expect(app?.settings).not.toHaveProperty("word");
    const recovered = await startSync();
    expect((await recover(recovered, bytes)).status).toBeLessThan(300);
    const same = await appOf(recovered);
    expect(same?.bytes).toEqual(app?.bytes);
    expect(same?.settings).toEqual(app?.settings);
  });

  it("[V2-333] [V2-203] are removed with the connection and its apps; an app that is kept plays on without them", async () => {
    const { service } = await startBoard(await startService());
    for (const isKept of [true, false]) {
      const running = await startSync();
      await follow(service, running);
      const [connection] = running.sync.connections();
      await running.sync.removeConnection(connection?.id ?? "", isKept);
      expect(await holding(running.dataDir, secret)).toEqual([]);
      const app = await appOf(running);
      expect(app?.files.size).toBe(isKept ? 4 : undefined);
      const left = await holding(path.join(running.dataDir, "files"), page);
      expect(left).toHaveLength(isKept ? 1 : 0);
    }
  });
});
