// Two instances on one database and one folder: a change through one is visible at the other.

import { describe, expect, it, vi } from "vitest";
import { eachContent } from "../../support/content/each-content.ts";
import { png } from "../../support/media/media.ts";
import { clientV3, type ClientV3 } from "../../support/content/each-v3.ts";
import {
  claimedPlayer,
  stableRevision,
} from "../../support/content/linked-player.ts";
import {
  contentKey,
  startContent,
  type Row,
} from "../../support/content/start-content.ts";

describe("two instances", () => {
  // SQLite supports several processes too; PostgreSQL is what it is meant for.
  eachContent(({ ground }) => {
    it("[V4-209] serve the same state: rows, files, addresses and removals", async () => {
      const { dataDir, databaseUrl } = await ground();
      const [one, other] = await Promise.all([
        startContent(dataDir, { databaseUrl }),
        startContent(dataDir, { databaseUrl }),
      ]);
      expect(one.address).not.toBe(other.address);
      const bytes = png([6, 6, 6]);
      const answer = await one.upload(bytes, { title: "Poster" });
      const [{ id } = { id: "" }] = (await answer.json()) as Row[];
      const row = await vi.waitUntil(
        async () => {
          const filter = `/v4/assets?id=eq.${id}&status=eq.finished`;
          return (await other.rows(filter))[0];
        },
        { interval: 20 },
      );
      const url = String(row["asset_url"]);
      expect(url.startsWith(other.address)).toBe(true);
      for (const { address } of [one, other]) {
        const file = await fetch(url.replace(other.address, address));
        expect(Buffer.from(await file.arrayBuffer())).toEqual(bytes);
      }
      const path = `/v4/assets?id=eq.${id}`;
      await other.request(path, {
        ...{ method: "PATCH", body: '{"title":"Changed"}' },
        headers: { "Content-Type": "application/json" },
      });
      expect(await one.rows(`${path}&select=title`)).toEqual([
        { title: "Changed" },
      ]);
      await one.request(path, { method: "DELETE" });
      expect(await other.rows("/v4/assets")).toEqual([]);
      expect((await fetch(url)).status).toBe(404);
    });

    it("[L-9] [L-10] [V4-209] a screen that waits at one is notified of writes through the other", async () => {
      const { dataDir, databaseUrl } = await ground();
      const one = await startContent(dataDir, { databaseUrl });
      const other = await startContent(dataDir, { databaseUrl });
      const [here, there] = [one, other].map(({ address }) =>
        clientV3(address, contentKey),
      ) as [ClientV3, ClientV3];
      const player = await claimedPlayer(here);
      await here.make("/groups/", { name: "Early" });
      const before = await stableRevision(player);
      const waiting = player.news(`revision=${before}&wait=30`);
      await there.make("/groups/", { name: "Late" });
      const { revision } = await waiting;
      expect(Number(revision)).toBeGreaterThan(Number(before));
    });
  });
});
