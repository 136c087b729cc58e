// Offline bundles: exported and signed by one player, imported completely by another.

import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it, vi } from "vitest";
import type { SyncAccountV2 } from "../../../../server/contract/v2/v2-sync.ts";
import type { ImportedPlanV2 } from "../../../../server/contract/v2/v2-sync-outbox.ts";
import { planCommand } from "../../../../server/player/sync/command-line/bundle.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { oneService } from "../../../support/content/one-service.ts";
import {
  exported,
  imported,
  keysOf,
  membersOf,
  startShop,
} from "../../../support/sync/offline-bundles.ts";
import { runSync } from "../../../support/sync/serve-sync.ts";
import { startFullSync } from "../../../support/sync/start-full-sync.ts";
import { sweptMeanwhile } from "../../../support/sync/sweep-during-import.ts";
import { pollOptions } from "../../../support/sync/outbox.ts";

const startService = oneService();

describe("an offline bundle", () => {
  it("[V2-320] [V2-321] [V2-323] [V2-325] [V2-381] transfers content from one player to another that never had a network", async () => {
    const shop = await startShop(await startService());
    const archive = await exported(shop.running);
    const far = await startFullSync();
    const { own } = await keysOf(shop.running);
    expect(own).toMatch(/^[0-9a-f]{64}$/);
    expect(await imported(far, archive)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining(own) as string },
    });
    expect(await far.list()).toEqual([]);
    const taken = await imported(far, archive, `?trust=${own}`);
    expect(taken).toMatchObject({
      status: 200,
      body: { fingerprint: own, assets: 3, playlists: 1, files: 2 },
    });
    const { account_id: connectionId } = taken.body as ImportedPlanV2;
    expect(
      (await far.list()).map(({ name, mimetype }) => [name, mimetype]),
    ).toEqual(
      expect.arrayContaining([
        ["One", "image"],
        ["Two", "image"],
        ["Page", "webpage"],
      ]),
    );
    await vi.waitUntil(
      () => ["One", "Two"].includes(far.stage.shown.at(-1) ?? ""),
      pollOptions,
    );
    expect(await keysOf(far)).toMatchObject({
      trusted: [{ fingerprint: own, name: shop.running.player.forSync.name() }],
    });
    expect(far.sync.status()).toMatchObject([
      { connectionId, phase: "off", assets: 3, kept: [{ isCurrent: true }] },
    ]);
    // The next one replaces it, without asking again, and can be undone.
    await shop.v3.call("PATCH", `/playlists/${shop.playlistId}/`, {
      title: "Store",
    });
    await shop.running.syncNow();
    expect(await imported(far, await exported(shop.running))).toMatchObject({
      status: 200,
      body: { account_id: connectionId },
    });
    const names = async () =>
      (
        (await (await far.request("/playlists")).json()) as { name: string }[]
      ).map(({ name }) => name);
    expect(await names()).toEqual(["Store"]);
    expect(
      (await far.send("POST", "/sync/rollback", { account_id: connectionId }))
        .status,
    ).toBe(200);
    expect(await names()).toEqual(["Shop"]);
    expect(
      (await far.request(`/sync/keys/${own}`, { method: "DELETE" })).status,
    ).toBe(204);
    const reported = async (kind: string) => {
      const answer = await far.request(`/activity?kind=${kind}`);
      return ((await answer.json()) as { action: string }[]).map(
        ({ action }) => action,
      );
    };
    expect(await reported("access")).toEqual(["distrusted", "trusted"]);
    await expect
      .poll(() => reported("sync"), pollOptions)
      .toEqual(expect.arrayContaining(["imported", "added", "undone"]));
    expect(await imported(far, archive)).toMatchObject({ status: 409 });
    expect(
      (await far.request(`/sync/keys/${own}`, { method: "DELETE" })).status,
    ).toBe(404);
  });

  it("[V2-385] is a connection of its own kind: nothing is polled, reported or detected, even when it is switched on", async () => {
    const shop = await startShop(await startService());
    const far = await startFullSync();
    const { own } = await keysOf(shop.running);
    await imported(far, await exported(shop.running), `?trust=${own}`);
    const read = async (at: string) => (await far.request(at)).json();
    const [connection] = (await read("/sync/accounts")) as SyncAccountV2[];
    expect(connection).toMatchObject({ kind: "plan", is_enabled: false });
    const at = `/sync/accounts/${connection?.account_id}`;
    expect(await far.send("PATCH", at, { is_enabled: true })).toMatchObject({
      status: 400,
      body: { is_enabled: [expect.any(String)] },
    });
    expect((await far.send("PATCH", at, { name: "Fair" })).status).toBe(200);
    expect(
      await far.send("POST", `${at}/changes`, {
        collection: "labels",
        action: "create",
        fields: { name: "Lobby" },
      }),
    ).toMatchObject({ status: 409 });
    expect(await read("/sync")).toMatchObject({
      accounts: [{ kind: "plan", phase: "off", changes_waiting: 0 }],
    });
  });

  it("[V2-320] contains the desired state, its signature and its files, and no token", async () => {
    const { running, service } = await startShop(await startService());
    const members = await membersOf(await exported(running));
    expect([...members.keys()].slice(0, 2)).toEqual(["plan.json", "plan.sig"]);
    expect(members.size).toBe(4);
    for (const bytes of members.values())
      expect(bytes.includes(service.key)).toBe(false);
  });

  it("[V2-322] is imported from a folder, and from a folder with the archive in it", async () => {
    const { running } = await startShop(await startService());
    const archive = await exported(running);
    const { own } = await keysOf(running);
    const far = await startFullSync();
    const usbStick = await temporaryFolder();
    await writeFile(path.join(usbStick, "shop-plan.tar.gz"), archive);
    await expect(
      far.extensions.offlineBundles.importFrom(usbStick, {}),
    ).rejects.toMatchObject({ code: "conflict" });
    const one = await far.extensions.offlineBundles.importFrom(usbStick, {
      trust: own,
    });
    const folder = await temporaryFolder();
    await mkdir(path.join(folder, "files"));
    for (const [name, bytes] of await membersOf(archive))
      await writeFile(path.join(folder, name), bytes);
    expect(await far.extensions.offlineBundles.importFrom(folder, {})).toEqual(
      one,
    );
    expect(await far.list()).toHaveLength(3);
    for (const place of [path.join(folder, "none"), await temporaryFolder()])
      await expect(
        far.extensions.offlineBundles.importFrom(place, {}),
      ).rejects.toMatchObject({ code: "not-found" });
  });

  it.runIf(process.platform === "linux")(
    "[V2-322] [V2-373] is imported from a folder in which its name is not UTF-8, and from a folder named so",
    async () => {
      const { running } = await startShop(await startService());
      const { own } = await keysOf(running);
      const usbStick = await temporaryFolder();
      const named = (name: string): Buffer =>
        Buffer.concat([
          Buffer.from(`${usbStick}/`),
          Buffer.from(name, "latin1"),
        ]);
      await mkdir(named("Pl\xe4ne"));
      await writeFile(
        named("Pl\xe4ne/B\xfcro-plan.tar.gz"),
        await exported(running),
      );
      const far = await startFullSync();
      const place = path.join(usbStick, "Pl\ufffdne");
      const { offlineBundles } = far.extensions;
      expect(
        await offlineBundles.importFrom(place, { trust: own }),
      ).toMatchObject({
        assets: 3,
      });
      const file = path.join(place, "B\ufffdro-plan.tar.gz");
      expect(await offlineBundles.importFrom(file, {})).toMatchObject({
        assets: 3,
      });
    },
  );

  it("[V2-320] [V2-323] is exported and imported on the command line", async () => {
    const { running } = await startShop(await startService());
    const { own } = await keysOf(running);
    await running.stopAll();
    const file = path.join(await temporaryFolder(), "shop-plan.tar.gz");
    const dir = ["--data-dir", running.dataDir];
    const done = await runSync(["export", file, ...dir]);
    expect([done.complained, done.code]).toEqual(["", 0]);
    expect(done.output).toBe(`${file}\nsigned by ${own}\n`);
    const far = ["--data-dir", "elsewhere"];
    const take = planCommand([
      "import",
      path.dirname(file),
      ...far,
      "--trust",
      own,
    ]);
    const { extensions, list } = await startFullSync();
    await take?.(async () => ({
      offlineBundles: extensions.offlineBundles,
      end: async () => undefined,
    }));
    expect(await list()).toHaveLength(3);
    for (const words of [
      ["import", ...far],
      ["export", ...far],
      ["keys", "x", ...far],
      ["keys"],
    ])
      expect(() => planCommand(words)).toThrow(/Usage/);
  });

  it("[V2-322] loses nothing to another connection that releases its files during the import", async () => {
    const shop = await startShop(await startService());
    const archive = await exported(shop.running);
    const { own } = await keysOf(shop.running);
    const far = await startFullSync();
    const { offlineBundles, isSwept } = await sweptMeanwhile(far, "admit");
    const taken = await offlineBundles.importPlan(
      Readable.from([archive]),
      { trust: own },
      Promise.resolve(),
    );
    expect([isSwept(), taken.files]).toEqual([true, 2]);
    await vi.waitUntil(
      () => ["One", "Two"].includes(far.stage.shown.at(-1) ?? ""),
      pollOptions,
    );
    expect(far.player.forSync.library.files().size).toBe(2);
  });

  it("[V2-324] keeps its files until it is sent, though the service has removed them meanwhile", async () => {
    const { running } = await startShop(await startService());
    const [connection] = running.sync.connections();
    const filesFolder = path.join(running.dataDir, "files", "kept");
    const files = async () =>
      (await readdir(filesFolder, { recursive: true })).filter(
        (name) => path.basename(name).length === 64,
      );
    expect(await files()).toHaveLength(2);
    const { content } = await running.extensions.offlineBundles.exportPlan();
    await running.request(`/sync/accounts/${connection?.id}`, {
      method: "DELETE",
    });
    expect(await running.list()).toEqual([]);
    const archive = Buffer.concat(await content.toArray());
    expect((await membersOf(archive)).size).toBe(4);
    await vi.waitUntil(async () => (await files()).length === 0, pollOptions);
  });

  it("[V2-324] is aborted when a file is lost on the way, rather than look complete; what was lost before is reported", async () => {
    const { running } = await startShop(await startService());
    const filesFolder = path.join(running.dataDir, "files", "kept");
    const { content } = await running.extensions.offlineBundles.exportPlan();
    for (const name of await readdir(filesFolder, { recursive: true }))
      if (path.basename(name).length === 64)
        await rm(path.join(filesFolder, name));
    await expect(content.toArray()).rejects.toThrow(/ENOENT/);
    expect(await running.send("POST", "/sync/export", {})).toMatchObject({
      status: 409,
      body: {
        detail: expect.stringContaining(
          "is missing from this player",
        ) as string,
      },
    });
  });

  it("[V2-320] is rejected where nothing is applied, or there is no such connection", async () => {
    const far = await startFullSync();
    expect(await far.send("POST", "/sync/export", {})).toMatchObject({
      status: 409,
    });
    expect(
      await far.send("POST", "/sync/export", { account_id: "00000000" }),
    ).toMatchObject({ status: 404 });
  });
});
