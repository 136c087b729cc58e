// Files without a row after a damaged database was rebuilt: none is lost, and none is downloaded twice.

import { copyFile, mkdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  cloudImage,
  serveFaultyCloud,
  type CloudAsset,
} from "../../../support/faulty-service/faulty-service.ts";
import { somePlayer, spoil } from "../../../support/player/damaged-store.ts";
import {
  startPlayer,
  type RunningPlayer,
} from "../../../support/player/start-player.ts";
import { startSync } from "../../../support/sync/start-sync.ts";

const infoOf = async (running: RunningPlayer): Promise<any> =>
  (await running.request("/info")).json();
const read = async (running: RunningPlayer, what: string): Promise<any> =>
  (await running.request(what)).json();

describe("a rebuilt database", () => {
  it("[V2-328] keeps files without a row in the trash, where nothing of the database can be read", async () => {
    const running = await somePlayer();
    const { dataDir } = running;
    await running.player.stop();
    await rm(path.join(dataDir, "spare"), { recursive: true });
    await spoil(path.join(dataDir, "vitrine.db"), () => true);
    const again = await startPlayer({ dataDir });
    expect(await again.list()).toEqual([]);
    expect(await infoOf(again)).toMatchObject({
      store_rebuilt: { from: "nothing" },
    });
    const trash = async (): Promise<{ id: string; name: string }[]> =>
      read(again, "/trash");
    await expect.poll(async () => (await trash()).length).toBe(2);
    const ids = (await trash()).map(({ id }) => id);
    const answer = await again.send("POST", "/trash/restore", {
      asset_ids: ids,
    });
    expect(answer.status).toBe(200);
    expect(await again.list()).toMatchObject([
      { name: "Recovered 1", is_enabled: false },
      { name: "Recovered 2", is_enabled: false },
    ]);
    const [asset] = await again.list();
    const content = await again.request(`/assets/${asset?.asset_id}/content`);
    expect(content.status).toBe(200);
  });

  it("[V2-328] loses no file because another one cannot be read", async () => {
    const { dataDir, player } = await somePlayer();
    await player.stop();
    await rm(path.join(dataDir, "spare"), { recursive: true });
    await spoil(path.join(dataDir, "vitrine.db"), () => true);
    // Some of them are visited before the images, in whatever order the disk lists them.
    for (const two of ["00", "55", "77", "aa", "ff"])
      await mkdir(path.join(dataDir, "files", "kept", two, two.repeat(32)), {
        recursive: true,
      });
    const again = await startPlayer({ dataDir });
    await expect.poll(async () => (await read(again, "/trash")).length).toBe(2);
  });

  it("[V2-328] does not make a sync download verified files again: an older copy, then the desired state", async () => {
    const cloud = await serveFaultyCloud();
    const [old, fresh, later] = ["old", "fresh", "later"].map((id, place) =>
      cloudImage(id, [place, 9, 9], 50_000),
    ) as [CloudAsset, CloudAsset, CloudAsset];
    cloud.playlists = [{ id: "P1", assets: [old] }];
    const running = await startSync();
    const { dataDir } = running;
    await running.connect({ baseUrl: cloud.address, version: "v4.1" });
    await running.stopSync();
    await running.player.stop();
    const copy = path.join(dataDir, "spare", "vitrine.db");
    await copyFile(copy, `${copy}.old`);

    const second = await startSync({ player: { dataDir } });
    cloud.playlists = [{ id: "P1", assets: [old, fresh] }];
    await second.syncNow();
    await second.stopSync();
    await second.player.stop();
    // The copy made before the second image was added, whose file is here already.
    await rename(`${copy}.old`, copy);
    await spoil(path.join(dataDir, "vitrine.db"), (page) => page === 1);
    cloud.playlists = [{ id: "P1", assets: [old, fresh, later] }];
    const requests = ["old", "fresh"].map(
      (id) => cloud.fileRequests(id).length,
    );
    const again = await startSync({ player: { dataDir } });
    expect(again.player.isPlaying()).toBe(true);
    await again.until(({ isInSync }) => isInSync === true);
    expect((await again.list()).map(({ name }) => name).sort()).toEqual([
      ...["fresh", "later", "old"],
    ]);
    expect(["old", "fresh"].map((id) => cloud.fileRequests(id).length)).toEqual(
      requests,
    );
    expect(cloud.fileRequests("later")).toHaveLength(1);
  });
});
