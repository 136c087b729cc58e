// Two instances whose machine clocks differ: what one issues is valid at the other, since the database's clock counts.

import { utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { openFileStore } from "../../../server/platform/files/file-store.ts";
import { startDatabaseClock } from "../../../server/platform/database/database-clock.ts";
import { createLog } from "../../../server/platform/log.ts";
import { eachContent } from "../../support/content/each-content.ts";
import { clientV3, type ClientV3 } from "../../support/content/each-v3.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { registerPlayer } from "../../support/content/linked-player.ts";
import { png } from "../../support/media/media.ts";
import {
  contentKey,
  startContent,
} from "../../support/content/start-content.ts";

const hoursMs = 2 * 3_600_000;

describe("instances whose clocks differ by two hours", () => {
  eachContent(({ ground }) => {
    it("[V4-274] agree on PINs, commands, heartbeats and file addresses, and the one that is wrong reports it", async () => {
      const { dataDir, databaseUrl } = await ground();
      const warned: string[] = [];
      const log = createLog({ toStandardOutput: false });
      const right = await startContent(dataDir, { databaseUrl });
      const wrong = await startContent(dataDir, {
        ...{ databaseUrl, machineNow: () => Date.now() + hoursMs },
        log: { ...log, warn: (event) => void warned.push(event) },
      });
      expect(warned).toContain("clock.off");
      const healthOf = async ({ address }: { readonly address: string }) =>
        (await fetch(`${address}/health`)).json();
      expect(await healthOf(right)).toEqual({ status: "ok" });
      const { clock_ahead_seconds } = (await healthOf(wrong)) as {
        clock_ahead_seconds: number;
      };
      expect(Math.round(clock_ahead_seconds / 60)).toBe(120);

      const [here, there] = [right, wrong].map(({ address }) =>
        clientV3(address, contentKey),
      ) as [ClientV3, ClientV3];
      const player = await registerPlayer(there.address);
      const { id } = await here.make("/screens/", { pin: player.pin });
      const late = await registerPlayer(here.address);
      await there.make("/screens/", { pin: late.pin });
      await player.beat();
      // The other one also checks for silent screens at this moment.
      await there.make(`/screens/${id}/commands/`, { kind: "reboot" });
      const atOther = await fetch(`${here.address}/link/v1/news`, {
        headers: { Authorization: `Bearer ${player.credential}` },
      });
      expect(await atOther.json()).toMatchObject({
        commands: [{ kind: "reboot" }],
      });
      expect((await here.get(`/screens/${id}/`)).status).toBe("In Sync");

      await wrong.upload(png([3, 4, 5]), { title: "Poster" });
      const row = await vi.waitUntil(
        async () => (await wrong.rows("/v4/assets?status=eq.finished"))[0],
        { interval: 20 },
      );
      const url = String(row["asset_url"]);
      for (const { address } of [right, wrong]) {
        const file = await fetch(url.replace(wrong.address, address));
        expect(file.status).toBe(200);
      }
      const created = Date.parse(String(row["created_at"]));
      expect(Math.abs(created - Date.now())).toBeLessThan(hoursMs / 4);
    });
  });
});

describe("incoming files", () => {
  it("[V4-274] are deleted when they made no progress between two cleanups, whatever their date", async () => {
    const dir = await temporaryFolder();
    const store = await openFileStore(dir, { reserveBytes: 0 });
    const file = path.join(dir, "aside", "upload.part");
    const longAgo = new Date(Date.now() - hoursMs);
    await writeFile(file, "some");
    await utimes(file, longAgo, longAgo);
    expect(await store.sweepStill(60_000, 1_000)).toBe(0);
    await writeFile(file, "some more");
    await utimes(file, longAgo, longAgo);
    expect(await store.sweepStill(60_000, 61_000)).toBe(0);
    expect(await store.sweepStill(60_000, 120_999)).toBe(0);
    expect(await store.sweepStill(60_000, 121_000)).toBe(1);
  });
});

describe("the database's clock", () => {
  it("advances steadily while the machine's clock is set, and is then queried again", async () => {
    const reported = { database: 1_000_000, machine: 5_000_000, steady: 0 };
    let requests = 0;
    const clock = await startDatabaseClock({
      database: {
        kind: "sqlite",
        read: async () => {
          requests += 1;
          return [{ ms: reported.database }];
        },
      },
      machineNow: () => reported.machine,
      monotonic: () => reported.steady,
      onFailed: () => undefined,
    });
    expect([clock.now(), clock.machineAheadMs()]).toEqual([
      1_000_000, 4_000_000,
    ]);
    reported.steady += 250;
    reported.machine += 250;
    expect([clock.now(), requests]).toEqual([1_000_250, 1]);
    reported.machine += hoursMs;
    reported.database += 400;
    expect(clock.now()).toBe(1_000_250);
    await expect.poll(() => clock.now()).toBe(1_000_400);
    expect(requests).toBe(2);
    clock.stop();
  });
});
