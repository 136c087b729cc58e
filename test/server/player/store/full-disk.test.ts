// Starting on a full disk: everything plays, the interface is up, and once there is space all works as usual.

import { rm } from "node:fs/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createLog } from "../../../../server/platform/log.ts";
import { openStoreAnywhere } from "../../../../server/player/store/read-only.ts";
import { flushPromises } from "../../../support/clock.ts";
import { startPlayer } from "../../../support/player/start-player.ts";
import {
  fillUp,
  mayMount,
  smallDisk,
} from "../../../support/machine/volume.ts";

const names = ["One", "Two", "Three"];

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
      const fire = { text: "Fire" };
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
    const opened = await openStoreAnywhere(
      {
        ...{ dataDir, binding: undefined, now: Date.now },
        log: createLog({ toStandardOutput: false }),
      },
      () => [dataDir],
    );
    onTestFinished(() => void opened.database.close());
    expect(opened).toMatchObject({ dir: dataDir, isAlone: true });
    expect(opened.readOnly).toContain("cannot be written to");
    expect(
      opened.database
        .prepare("SELECT name FROM assets ORDER BY play_order")
        .pluck()
        .all(),
    ).toEqual(names);
  });
});
