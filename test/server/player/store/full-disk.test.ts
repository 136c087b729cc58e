// Starting on a full disk: everything plays, the interface is up, and once there is space all works as usual.

import { readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { InfoV2 } from "../../../../server/contract/v2/v2-monitoring.ts";
import { createLog } from "../../../../server/platform/log.ts";
import { openStoreAnywhere } from "../../../../server/player/store/read-only.ts";
import { flushPromises } from "../../../support/clock.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { spoil } from "../../../support/player/damaged-store.ts";
import { png } from "../../../support/media/media.ts";
import {
  completeBody,
  startPlayer,
} from "../../../support/player/start-player.ts";
import {
  fillUp,
  mayMount,
  remountReadOnly,
  smallDisk,
} from "../../../support/machine/volume.ts";

const fire = { text: "Fire" };
const names = ["One", "Two", "Three"];

/** The names of the assets in the store as it is opened where copies can be made in these places. */
async function openedIn(dataDir: string, places: readonly string[]) {
  const opened = await openStoreAnywhere(
    {
      ...{ dataDir, binding: undefined, now: Date.now },
      log: createLog({ toStandardOutput: false }),
    },
    () => places,
  );
  onTestFinished(async () => {
    opened.database.close();
    await opened.end();
  });
  const select = "SELECT name FROM assets ORDER BY play_order";
  return { ...opened, assets: opened.database.prepare(select).pluck().all() };
}

async function diskWithThree(): Promise<string> {
  const dataDir = await smallDisk(40);
  const before = await startPlayer({ dataDir });
  for (const name of names) await before.add({ name });
  await before.player.stop();
  return dataDir;
}

describe.skipIf(!mayMount)("a player on a full disk", () => {
  it.each([0, 4, 32, 60, 64, 68, 80, 96, 128, 256])(
    "[V2-330] plays everything and listens with %i KiB left",
    async (kib) => {
      const dataDir = await diskWithThree();
      await fillUp(dataDir, kib * 1024);
      const { list, stage, clock, send } = await startPlayer({ dataDir });
      expect((await list()).map(({ name }) => name)).toEqual(names);
      await clock.advance(25_000);
      expect([...new Set(stage.shown)].sort()).toEqual([...names].sort());
      const { status } = await send("POST", "/takeover", { text: "Fire" });
      expect(status).toBe(201);
      await flushPromises();
      expect(stage.visible()?.content).toMatchObject({ text: "Fire" });
    },
  );

  it.each([40, 60, 100, 400])(
    "[V2-677] started for the first time with %i KiB left has an empty store, then and once there is room, and none that was damaged",
    async (kib) => {
      const dataDir = await smallDisk(40);
      const filler = await fillUp(dataDir, kib * 1024);
      const first = await startPlayer({ dataDir });
      const infoOf = async ({ request }: typeof first): Promise<unknown> =>
        (await request("/info")).json();
      expect(await infoOf(first)).toMatchObject({ store_rebuilt: null });
      expect(await first.list()).toEqual([]);
      await first.player.stop();
      await rm(filler);
      const again = await startPlayer({ dataDir });
      const whole = { safe_mode: null, store_rebuilt: null };
      expect(await infoOf(again)).toMatchObject(whole);
      expect((await again.add({ name: "One" })).name).toBe("One");
    },
  );

  it.each([
    ["is full", "is full", true],
    ["is read-only", "cannot be written to", true],
    ["accepts nothing and has no folder for it", "cannot be written to", false],
  ] as const)(
    "[V2-753] started for the first time on a disk that %s shows the idle screen, rejects changes, and asks to be reopened once it accepts them",
    async (_what, reason, hasFolder) => {
      const disk = await smallDisk(4);
      const dataDir = hasFolder ? disk : path.join(disk, "data", "player");
      const isFull = reason === "is full";
      const filler = isFull ? await fillUp(disk, 0) : null;
      const remount = isFull ? undefined : remountReadOnly(disk);
      const restart = vi.fn<() => void>();
      const first = await startPlayer({ dataDir, restart });
      await flushPromises();
      expect(first.stage.visible()?.content.kind).toBe("card");
      const info = await first.request("/info");
      expect(((await info.json()) as InfoV2).safe_mode).toContain(reason);
      const page = { ...completeBody, name: "Page" };
      for (const { status, body } of [
        await first.send("POST", "/assets", page),
        await first.send("POST", "/playlists", { name: "Menu" }),
        await first.upload(png([1, 2, 3])),
        await first.send("POST", "/backup", {}),
      ])
        expect([status, body]).toEqual([
          507,
          { detail: expect.stringMatching(/disk/) },
        ]);
      expect(await first.list()).toEqual([]);
      expect((await first.send("POST", "/takeover", fire)).status).toBe(201);
      await first.clock.advance(60_000);
      expect(restart).not.toHaveBeenCalled();

      remount?.();
      if (filler !== null) await rm(filler);
      await first.clock.advance(30_000);
      expect(restart).toHaveBeenCalledOnce();
      await first.player.stop();
      const { request, list, add } = await startPlayer({ dataDir });
      expect(await (await request("/info")).json()).toMatchObject({
        ...{ safe_mode: null, store_rebuilt: null },
      });
      expect(await (await request("/takeover")).json()).toMatchObject(fire);
      await add({ name: "One" });
      expect((await list()).map(({ name }) => name)).toEqual(["One"]);
    },
  );

  it("[V2-753] has a store in memory where no other place accepts one, and its copy where the database is missing", async () => {
    const dataDir = await smallDisk(4);
    await fillUp(dataDir, 0);
    const whole = { isAlone: true, isFirst: true, assets: [] };
    expect(await openedIn(dataDir, [])).toMatchObject(whole);

    const other = await diskWithThree();
    for (const ending of ["", "-wal", "-shm"])
      await rm(path.join(other, `vitrine.db${ending}`), { force: true });
    await fillUp(other, 0);
    const place = await temporaryFolder();
    const copied = { isAlone: false, isFirst: false, assets: names };
    expect(await openedIn(other, [place])).toMatchObject(copied);
    // [V2-759] Where it has no place, it is read into memory.
    const inMemory = { ...copied, isAlone: true };
    expect(await openedIn(other, [])).toMatchObject(inMemory);
  });

  it.each([
    ["from its first byte on", () => true],
    ["in every second page", (page: number) => page % 2 === 0],
  ] as const)(
    "[V2-758] [V2-759] whose database is damaged %s shows what its copy has, elsewhere and in memory, and writes nothing",
    async (_what, isSpoilt) => {
      const dataDir = await diskWithThree();
      const file = path.join(dataDir, "vitrine.db");
      await spoil(file, isSpoilt);
      await fillUp(dataDir, 0);
      const before = await readFile(file);
      const rebuilt = { isFirst: false, assets: names };
      expect(await openedIn(dataDir, [await temporaryFolder()])).toMatchObject({
        ...rebuilt,
        isAlone: false,
      });
      expect(await openedIn(dataDir, [])).toMatchObject({
        ...{ ...rebuilt, isAlone: true },
      });
      expect(await readFile(file)).toEqual(before);
      expect(await readdir(dataDir)).not.toContain("damaged");
      const { list } = await startPlayer({ dataDir });
      expect((await list()).map(({ name }) => name)).toEqual(names);
    },
  );

  it("[V2-454] asks to be reopened once there is space, and then accepts changes", async () => {
    const dataDir = await diskWithThree();
    const filler = await fillUp(dataDir, 0);
    const restart = vi.fn<() => void>();
    const first = await startPlayer({ dataDir, restart });
    const change = { name: "Other" };
    const [asset] = await first.list();
    const path = `/assets/${asset?.asset_id}`;
    expect((await first.send("PATCH", path, change)).status).toBe(507);
    await first.clock.advance(120_000);
    expect(restart).not.toHaveBeenCalled();
    await rm(filler);
    await first.clock.advance(30_000);
    expect(restart).toHaveBeenCalledOnce();
    await first.player.stop();

    const { request, send } = await startPlayer({ dataDir });
    expect((await send("PATCH", path, change)).body.name).toBe("Other");
    const info = (await (await request("/info")).json()) as {
      safe_mode: unknown;
    };
    expect(info.safe_mode).toBeNull();
  });

  it.each(["begun", "ended"])(
    "[V2-752] has stored a takeover that was %s on it once its store is opened again",
    async (what) => {
      const dataDir = await diskWithThree();
      if (what === "ended") {
        const before = await startPlayer({ dataDir });
        await before.send("POST", "/takeover", fire);
        await before.player.stop();
      }
      const filler = await fillUp(dataDir, 0);
      const restart = vi.fn<() => void>();
      const first = await startPlayer({ dataDir, restart });
      const method = what === "ended" ? "DELETE" : "POST";
      await first.send(method, "/takeover", fire);
      await rm(filler);
      await first.clock.advance(30_000);
      expect(restart).toHaveBeenCalledOnce();
      await first.player.stop();
      const { request } = await startPlayer({ dataDir });
      const answer = await request("/takeover");
      if (what === "ended") expect(answer.status).toBe(404);
      else expect(await answer.json()).toMatchObject(fire);
    },
  );

  it("[V2-330] reads its database in place, when there is no space elsewhere for a copy", async () => {
    const dataDir = await diskWithThree();
    await fillUp(dataDir, 0);
    const opened = await openedIn(dataDir, [dataDir]);
    const whole = { dir: dataDir, isAlone: true, assets: names };
    expect(opened).toMatchObject(whole);
    expect(opened.readOnly).toContain("cannot be written to");
  });
});
