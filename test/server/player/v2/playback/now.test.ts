// now and info: what is on the screen and why, and the state of the machine.

import { describe, expect, it } from "vitest";
import { flushPromises } from "../../../../support/clock.ts";
import {
  startPlayer,
  type RunningPlayer,
} from "../../../../support/player/start-player.ts";

async function nowOf({ request }: RunningPlayer) {
  const answer = await request("/now");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  // The test checks what the API returns.
  return answer.json();
}

describe("now", () => {
  it("[V2-72] returns what is on the screen, since and until when, and what is next", async () => {
    const running = await startPlayer();
    await running.send("PATCH", "/device_settings", { player_name: "Lobby" });
    const a = await running.add({ name: "A" });
    const b = await running.add({ name: "B", duration: 5 });
    await flushPromises();
    await running.clock.advance(4_000);
    expect(await nowOf(running)).toEqual({
      time: "2026-01-01T00:00:04Z",
      player_name: "Lobby",
      paused_until: null,
      showing: {
        asset_id: a.asset_id,
        name: "A",
        kind: "image",
        reason: "schedule",
        explanation: "Scheduled in the local assets.",
        playlist: null,
        verdict: null,
        verdict_since: null,
        checked: null,
        since: "2026-01-01T00:00:00Z",
        until: "2026-01-01T00:00:10Z",
      },
      next: { asset_id: b.asset_id, name: "B" },
    });
    await running.clock.advance(6_000);
    expect(await nowOf(running)).toMatchObject({
      showing: { name: "B", until: "2026-01-01T00:00:15Z" },
      next: { name: "A" },
    });
  });

  it("[V2-147] explains in a sentence why it shows what it shows", async () => {
    const running = await startPlayer();
    const explanation = async (): Promise<string> => {
      await flushPromises();
      return (await nowOf(running)).showing.explanation;
    };
    expect(await explanation()).toBe("There is no content yet.");
    await running.add({ name: "off", is_enabled: false });
    await running.add({ name: "old", end_date: "2021-01-01" });
    await running.add({ name: "new", start_date: "2029-01-01" });
    expect(await explanation()).toBe(
      "Nothing is scheduled: 2 outside their dates, 1 disabled.",
    );
    const { asset_id: id } = await running.add({
      ...{ name: "A", playlist_only: true },
    });
    await running.send("POST", "/playlists", {
      ...{ name: "Menu", items: [{ asset_id: id }] },
    });
    expect(await explanation()).toBe("Scheduled in the playlist Menu.");
    expect((await nowOf(running)).showing.playlist).toEqual({
      ...{ playlist_id: expect.any(String), name: "Menu" },
    });
    await running.request(`/assets/control/asset&${id}`);
    expect(await explanation()).toBe(
      "Started by a command; the schedule continues afterwards.",
    );
    await running.send("POST", "/takeover", {
      ...{ text: "Out", seconds: 60, reason: "Fire drill." },
    });
    expect(await explanation()).toBe(
      "A takeover is on the screen until 2026-01-01T00:01:00Z. Fire drill.",
    );
  });

  it("[V2-148] returns the last screen verdict of the showing, and reports one that gets worse as events", async () => {
    const running = await startPlayer();
    await running.add({ name: "A" });
    await running.add({ name: "B" });
    await flushPromises();
    running.stage.see("verified", running.clock.now());
    expect((await nowOf(running)).showing).toMatchObject({
      ...{ verdict: "verified", checked: "2026-01-01T00:00:00Z" },
    });
    running.stage.see("blank", running.clock.now() + 5000);
    expect((await nowOf(running)).showing).toMatchObject({
      ...{ verdict: "blank", checked: "2026-01-01T00:00:05Z" },
      verdict_since: "2026-01-01T00:00:05Z",
    });
    await running.clock.advance(10_000);
    expect((await nowOf(running)).showing).toMatchObject({
      ...{ name: "B", verdict: null, checked: null },
    });
  });

  it("[V2-72] gives the cause: a command, nothing due, or nothing ready", async () => {
    const running = await startPlayer();
    await flushPromises();
    expect((await nowOf(running)).showing).toMatchObject({
      asset_id: null,
      kind: "card",
      reason: "nothing-due",
      until: null,
    });
    running.stage.fail("Broken", "its image is torn");
    await running.add({ name: "Broken" });
    await flushPromises();
    expect((await nowOf(running)).showing.reason).toBe("not-ready");
    await running.add({ name: "A" });
    const { asset_id: id } = await running.add({ name: "B" });
    await flushPromises();
    expect((await nowOf(running)).showing.reason).toBe("schedule");
    await running.request(`/assets/control/asset&${id}`);
    await flushPromises();
    expect((await nowOf(running)).showing).toMatchObject({
      name: "B",
      reason: "command",
    });
  });
});

describe("info", () => {
  it("[V2-582] reports no fleet for the player", async () => {
    const { request } = await startPlayer();
    const answer = await request("/integrations");
    expect([answer.status, await answer.json()]).toEqual([
      ...[200, { is_balena: false }],
    ]);
  });

  it("[V2-73] [V2-582] reports the state of player and machine, under the peer's names", async () => {
    const { request } = await startPlayer({ version: "1.2.3" });
    const info = (await (await request("/info")).json()) as Record<
      string,
      unknown
    >;
    expect(info).toMatchObject({
      viewlog: expect.any(String),
      loadavg: expect.any(Number),
      free_space: expect.stringMatching(/^\d+[BKMGTP]$/),
      version: "1.2.3",
      device_model: expect.any(String),
      uptime: { days: expect.any(Number), hours: expect.any(Number) },
      ip_addresses: expect.any(Array),
      mac_address: expect.any(String),
      up_to_date: true,
      anthias_version: "2.0.0",
      clock: {
        time: "2026-01-01T00:00:00Z",
        timezone: expect.any(String),
        utc_offset_minutes: expect.any(Number),
      },
    });
    const memory = info.memory as Record<string, number>;
    expect(Object.keys(memory)).toEqual([
      ...["total", "used", "free", "shared", "buff", "available"],
    ]);
    expect(memory.total).toBeGreaterThan(memory.available ?? 0);
    expect(info.total_space_bytes).toBeGreaterThan(
      info.free_space_bytes as number,
    );
  });
});
