// The list is kept between changes, and yet always tells this moment.

import { describe, expect, it } from "vitest";
import { startPlayer, wholeBody } from "../../../support/start-player.ts";

const hourMs = 3_600_000;

describe("the list of assets", () => {
  it("[V2-11] tells of each date when it comes, and again when the clock is set back", async () => {
    const { clock, list, send } = await startPlayer();
    const start = new Date(clock.now() + hourMs).toISOString();
    const end = new Date(clock.now() + 2 * hourMs).toISOString();
    await send("POST", "/assets", {
      ...{ ...wholeBody, start_date: start, end_date: end },
    });
    const isActive = async () => (await list())[0]?.is_active;
    expect(await isActive()).toBe("false");
    await clock.advance(hourMs - 1);
    expect(await isActive()).toBe("false");
    await clock.advance(1);
    expect(await isActive()).toBe("true");
    await clock.advance(hourMs);
    expect(await isActive()).toBe("false");
    clock.jumpTo(clock.now() - hourMs);
    expect(await isActive()).toBe("true");
  });

  it("tells of every kind of change at once, as does each asset", async () => {
    const { add, ask, list, send } = await startPlayer();
    const a = await add({ name: "A" });
    const b = await add({ name: "B" });
    const names = async () => {
      const assets = await list();
      for (const asset of assets) {
        const alone = await ask(`/assets/${asset.asset_id}`);
        expect(await alone.json()).toEqual(asset);
      }
      return assets.map(({ name, play_order: place }) => `${name} ${place}`);
    };
    expect(await names()).toEqual(["A 0", "B 1"]);
    await send("PATCH", `/assets/${a.asset_id}`, { name: "Z" });
    expect(await names()).toEqual(["Z 0", "B 1"]);
    await send("POST", "/assets/order", { ids: b.asset_id });
    expect(await names()).toEqual(["B 0", "Z 1"]);
    await add({ name: "C", play_order: 0 });
    expect(await names()).toEqual(["C 0", "B 1", "Z 2"]);
    await send("PATCH", `/assets/${a.asset_id}`, { play_order: 1 });
    expect(await names()).toEqual(["C 0", "Z 1", "B 2"]);
    await ask(`/assets/${b.asset_id}`, { method: "DELETE" });
    expect(await names()).toEqual(["C 0", "Z 1"]);
    await add({ name: "D" });
    expect(await names()).toEqual(["C 0", "Z 1", "D 2"]);
    await send("PATCH", "/device_settings", { is_active_as: "boolean" });
    expect((await list())[0]?.is_active).toBe(true);
  });

  it("has the length of its bytes, for HEAD too", async () => {
    const { add, ask } = await startPlayer();
    await add({ name: "Foyer שלום" });
    const whole = Buffer.from(await (await ask("/assets")).arrayBuffer());
    const head = await ask("/assets", { method: "HEAD" });
    expect(head.headers.get("content-length")).toBe(String(whole.length));
    expect(head.headers.get("content-type")).toMatch(/^application\/json/);
    expect(await head.text()).toBe("");
  });
});
