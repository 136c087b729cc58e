// A player killed during backups and recoveries restarts with the old or the new state.

import { describe, expect, it } from "vitest";
import type { AssetV2 } from "../../server/contract/v2/v2.ts";
import { temporaryFolder } from "../support/folder.ts";
import { png } from "../support/media/media.ts";
import { backup, leftAside } from "../support/player/recover.ts";
import { servePlayer } from "../support/player/serve-player.ts";
import { startPlayer } from "../support/player/start-player.ts";

/** A backup archive of 40 distinct images under this name. */
async function archiveOf(name: string, red: number): Promise<Buffer> {
  const donor = await startPlayer();
  for (let count = 0; count < 40; count += 1)
    await donor.add({ name: `${name} ${count}` }, png([red, count, 0]));
  await donor.send("PATCH", "/device_settings", { player_name: name });
  return backup(donor);
}

function recover(address: string, archive: Buffer): Promise<Response> {
  const body = new FormData();
  body.set("backup_upload", new Blob([new Uint8Array(archive)]), "b.tar.gz");
  return fetch(`${address}/api/v2/recover`, { method: "POST", body });
}

/** The name on which settings, assets and their files agree. */
async function nameOf(address: string): Promise<string> {
  const request = async <T>(what: string): Promise<T> =>
    (await fetch(`${address}/api/v2/${what}`)).json() as Promise<T>;
  const { player_name: name } = await request<{ player_name: string }>(
    "device_settings",
  );
  const assets = await request<AssetV2[]>("assets");
  expect(assets.map((asset) => asset.name)).toEqual(
    Array.from({ length: 40 }, (_, count) => `${name} ${count}`),
  );
  for (const { asset_id: id } of assets) {
    const content = await request<{ type: string }>(`assets/${id}/content`);
    expect(content.type).toBe("file");
  }
  return name;
}

describe("recover", () => {
  it(
    "[V2-58] leaves the old or the new state, never a mix, if it is killed at any moment",
    {
      timeout: 300_000,
    },
    async () => {
      const dataDir = await temporaryFolder();
      const archives = new Map([
        ["old", await archiveOf("old", 1)],
        ["new", await archiveOf("new", 2)],
      ]);
      const first = await servePlayer(dataDir);
      const startedAt = performance.now();
      await recover(first.address, archives.get("old") as Buffer);
      const totalMs = performance.now() - startedAt;
      let { process: player, address } = first;
      let name = "old";
      const outcomes = new Set<string>();
      // A freshly started player is slower than one that has done a recovery before.
      const shares = [0.2, 0.8, 1.4, 2, 2.6, 3.2, Infinity];
      const earlier = [0.05, 0.02, 0.005, 0.001];
      for (let at = 0; at < shares.length + earlier.length; at += 1) {
        // If the machine stalled during the first recovery, it took far too long: then every kill came too late.
        if (at >= shares.length && outcomes.has("before")) break;
        const share = [...shares, ...earlier][at] ?? 0;
        const other = name === "old" ? "new" : "old";
        const recovering = recover(address, archives.get(other) as Buffer).then(
          ({ status }) => status,
          () => null,
        );
        const packing = fetch(`${address}/api/v2/backup`, { method: "POST" });
        packing.catch(() => undefined);
        const moment = new Promise((resolve) => {
          if (share < Infinity) setTimeout(resolve, totalMs * share);
        });
        await Promise.race([recovering, moment]);
        player.kill("SIGKILL");
        const status = await recovering;
        ({ process: player, address } = await servePlayer(dataDir));
        const found = await nameOf(address);
        expect(["old", "new"]).toContain(found);
        // An acknowledged recovery holds.
        if (status === 200) expect(found).toBe(other);
        outcomes.add(found === name ? "before" : "after");
        name = found;
        expect(await leftAside(dataDir)).toEqual([]);
      }
      expect([...outcomes].sort()).toEqual(["after", "before"]);
    },
  );
});
