// A connection that brings nothing says what its service has and why none of it comes; all assets come if that is set.

import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../support/folder.ts";
import { png } from "../../../support/media/media.ts";
import {
  startContent,
  type Row,
  type StartedContent,
} from "../../../support/content/start-content.ts";
import {
  startSync,
  type RunningSync,
} from "../../../support/sync/start-sync.ts";
import type { SyncConnectionInput } from "../../../../server/core/sync-plan/sync-state.ts";

const versions = ["v4.1", "v4", "v3"] as const;

interface Service extends StartedContent {
  /** The identifiers of its images. */
  readonly images: readonly string[];
  /** Adds a playlist for a label and returns its identifier. */
  list(
    label: string,
    assetIds: readonly string[],
    more?: Readonly<Record<string, unknown>>,
  ): Promise<string>;
  allScreens(): Promise<string>;
}

async function startService(images = 2): Promise<Service> {
  const content = await startContent(await temporaryFolder());
  const ids: string[] = [];
  for (let number = 0; number < images; number += 1) {
    const answer = await content.upload(png([number * 90, 9, 9]), {
      title: `Image ${number}`,
    });
    const [row] = (await answer.json()) as Row[];
    ids.push(row?.id ?? "");
  }
  await expect
    .poll(() => content.rows("/v4.1/assets?status=neq.finished"))
    .toEqual([]);
  return {
    ...content,
    images: ids,
    list: async (label, assetIds, more = {}) => {
      const [list] = await content.add("/v4.1/playlists", {
        ...{ title: "List", predicate: "TRUE", ...more },
      });
      for (const asset_id of assetIds)
        await content.add("/v4.1/playlist-items", {
          ...{ playlist_id: list?.id, asset_id, duration: 5 },
        });
      await content.add("/v4.1/labels/playlists", {
        ...{ playlist_id: list?.id, label_id: label },
      });
      return list?.id ?? "";
    },
    allScreens: async () => {
      const [row] = await content.rows("/v4.1/labels?type=eq.all-screens");
      return row?.id ?? "";
    },
  };
}

const unusedIn = ({ sync }: RunningSync) => sync.status()[0]?.unused;
const namesOf = async ({ list }: RunningSync): Promise<unknown[]> =>
  (await list()).map(({ name }) => name).sort();

describe("[V2-741] a connection that brings nothing", () => {
  it("[V2-742] counts what the service has, and says that it has no playlist, in every version", async () => {
    const service = await startService();
    for (const version of versions) {
      const running = await startSync();
      await running.connect({ baseUrl: service.address, version });
      await expect
        .poll(() => unusedIn(running))
        .toEqual({
          ...{ reason: "no-playlists", assets: 2, processing: 0 },
          ...{ playlists: 0, labels: [] },
        });
    }
  });

  it("[V2-742] names the labels that have playlists, until one is chosen", async () => {
    const service = await startService();
    const [lobby] = await service.add("/v4.1/labels", { name: "Lobby" });
    await service.add("/v4.1/labels", { name: "Without a playlist" });
    await service.list(lobby?.id ?? "", service.images);
    for (const version of versions) {
      const running = await startSync();
      const id = await running.connect({ baseUrl: service.address, version });
      await expect
        .poll(() => unusedIn(running))
        .toEqual({
          ...{ reason: "other-labels", assets: 2, processing: 0 },
          ...{ playlists: 1, labels: ["Lobby"] },
        });
      await running.sync.changeConnection(id, { labels: ["Lobby"] });
      await expect.poll(() => namesOf(running)).toEqual(["Image 0", "Image 1"]);
      expect(unusedIn(running)).toBeNull();
    }
  });

  it("[V2-742] distinguishes empty playlists, other groups and an empty service", async () => {
    const assertReason = async (
      expected: string,
      service: Service,
      connection: Partial<SyncConnectionInput> = {},
    ): Promise<void> => {
      for (const version of versions) {
        const running = await startSync();
        const baseUrl = service.address;
        await running.connect({ baseUrl, version, ...connection });
        await expect
          .poll(() => `${version} ${unusedIn(running)?.reason}`)
          .toBe(`${version} ${expected}`);
      }
    };
    await assertReason("no-assets", await startService(0));
    const service = await startService();
    await service.list(await service.allScreens(), []);
    await assertReason("empty-playlists", service);
    await assertReason("other-groups", service, { assetGroups: ["Menus"] });
  });

  it("counts again at each poll, and keeps the counts while the service cannot be reached", async () => {
    const service = await startService(1);
    const running = await startSync();
    await running.connect({ baseUrl: service.address });
    await expect.poll(() => unusedIn(running)?.assets).toBe(1);
    await service.upload(png([1, 2, 3]), { title: "Another" });
    running.sync.run();
    await expect.poll(() => unusedIn(running)?.assets).toBe(2);
    await service.stop();
    running.sync.run();
    await running.until(({ problem }) => problem !== null);
    expect(unusedIn(running)?.assets).toBe(2);
  });

  it("is part of GET /sync, and null while something comes", async () => {
    const service = await startService(1);
    const running = await startSync();
    await running.connect({ baseUrl: service.address });
    const read = async (): Promise<unknown> => {
      const answer = await running.request("/sync");
      const { accounts } = (await answer.json()) as {
        accounts: { unused_content: unknown }[];
      };
      return accounts[0]?.unused_content;
    };
    await expect
      .poll(read)
      .toMatchObject({ reason: "no-playlists", assets: 1 });
    await service.list(await service.allScreens(), service.images);
    running.sync.run();
    await expect.poll(read).toBeNull();
  });
});

describe("[V2-743] all assets", () => {
  it("come into the library only, in every version, and leave it with the setting", async () => {
    const service = await startService();
    const [used] = service.images;
    await service.list(await service.allScreens(), [used ?? ""]);
    for (const version of versions) {
      const running = await startSync();
      const id = await running.connect({
        ...{ baseUrl: service.address, version, allAssets: "library" },
      });
      expect(await namesOf(running)).toEqual(["Image 0", "Image 1"]);
      const rows = await running.list();
      expect(rows.map((row) => row.playlist_only)).toEqual([true, true]);
      expect(running.sync.status()[0]).toMatchObject({ isInSync: true });

      await running.sync.changeConnection(id, { allAssets: "off" });
      await expect.poll(() => namesOf(running)).toEqual(["Image 0"]);
    }
  });

  it("[V2-744] join the rotation only if that is set, and only those in no playlist for this screen", async () => {
    const service = await startService();
    await service.list(await service.allScreens(), service.images.slice(0, 1));
    for (const version of versions) {
      const running = await startSync();
      await running.connect({
        ...{ baseUrl: service.address, version, allAssets: "rotation" },
      });
      const rows = await running.list();
      expect(
        Object.fromEntries(rows.map((row) => [row.name, row.playlist_only])),
      ).toEqual({ "Image 0": true, "Image 1": false });
    }
  });

  it("follow the service: a new asset arrives although no playlist changed, and a poll without changes applies nothing", async () => {
    const service = await startService(1);
    const running = await startSync();
    await running.connect({ baseUrl: service.address, allAssets: "library" });
    expect(await namesOf(running)).toEqual(["Image 0"]);
    expect(unusedIn(running)).toBeNull();
    const { lastAppliedAt } = await running.syncNow();
    await service.upload(png([1, 2, 3]), { title: "Another" });
    await expect
      .poll(() => service.rows("/v4.1/assets?status=neq.finished"))
      .toEqual([]);
    const status = await running.syncNow();
    expect(status.lastAppliedAt).toBeGreaterThan(lastAppliedAt ?? 0);
    expect(await namesOf(running)).toEqual(["Another", "Image 0"]);
    const again = await running.syncNow();
    expect(again.lastAppliedAt).toBe(status.lastAppliedAt);
  });

  it("have no effect on a connection with asset groups", async () => {
    const service = await startService(1);
    const running = await startSync();
    await running.connect({
      ...{ baseUrl: service.address, allAssets: "rotation" },
      assetGroups: ["Menus"],
    });
    expect(await namesOf(running)).toEqual([]);
  });
});
