// Activity log and playback log over the API.

import { describe, expect, it } from "vitest";
import type {
  ActivityV2,
  PlaybackDayV2,
  PlaybackV2,
} from "../../../../../server/contract/v2/v2-logs.ts";
import { flushPromises } from "../../../../support/clock.ts";
import { startPlayer } from "../../../../support/player/start-player.ts";

describe("the activity log", () => {
  it("[V2-284] records what was added, changed and removed, and the fields that changed", async () => {
    const { add, send, clock, request } = await startPlayer();
    const { asset_id: id } = await add({ name: "Lobby" });
    await clock.advance(1000);
    await send("PATCH", `/assets/${id}`, { name: "Hall", duration: 7 });
    await clock.advance(1000);
    await send("PATCH", "/device_settings", { player_name: "West" });
    await request(`/assets/${id}`, { method: "DELETE" });
    await clock.advance(1000);
    const { body } = await send("GET", "/activity", undefined);
    const reported = (body as ActivityV2[]).map(
      ({ kind, action, name, details }) =>
        `${kind} ${action} ${name} ${details}`,
    );
    expect(reported.map((line) => line.trim())).toEqual([
      "asset removed Hall",
      "settings changed playerName",
      "asset changed Hall name, duration",
      "asset added Lobby",
      "player started",
    ]);
  });

  it("[V2-440] names every field of an asset and of a playlist that decides whether or how it plays, and no value of a header", async () => {
    const { add, send, clock } = await startPlayer();
    const { asset_id: id } = await add({ name: "Lobby" });
    const { body: playlist } = await send("POST", "/playlists", {
      ...{ name: "Lunch", predicate: "TRUE", items: [id] },
    });
    const reported = async (kind: string): Promise<readonly string[]> => {
      await clock.advance(1000);
      const path = `/activity?kind=${kind}`;
      const { body } = await send("GET", path, undefined);
      return (body as ActivityV2[])
        .filter(({ action }) => action === "changed")
        .map(({ details }) => details);
    };
    expect(await reported("asset")).toEqual([]);
    const changes: readonly (readonly [object, string])[] = [
      [{ folder: "Menus" }, "folder"],
      [{ play_days: [1, 2] }, "play_days"],
      [
        { play_time_from: "20:00", play_time_to: "22:00" },
        "play_time_from, play_time_to",
      ],
      [{ playlist_only: true }, "playlist_only"],
      [{ fit: "fill" }, "fit"],
      [{ rotation: 90 }, "rotation"],
      [{ muted: true }, "muted"],
      [{ volume: 30 }, "volume"],
      [{ custom_headers: { A: "1", B: "2" } }, "custom_headers (A; B)"],
      [{ custom_headers: { A: "1", B: "3", C: "4" } }, "custom_headers (B; C)"],
      [{ custom_headers: { B: "3", C: "4" } }, "custom_headers (A)"],
      [{ js_injection: "1" }, "js_injection"],
      [{ zoom_level: 120 }, "zoom_level"],
      [{ skip_ssl_verify: true }, "skip_ssl_verify"],
      [{ nocache: true }, "nocache"],
    ];
    for (const [change, fields] of changes) {
      const { status } = await send("PATCH", `/assets/${id}`, change);
      expect(status, fields).toBe(200);
      expect((await reported("asset"))[0]).toBe(fields);
    }
    // Metadata that clients keep with it is not part of it.
    await send("PATCH", `/assets/${id}`, { metadata: { a: 1 } });
    expect(await reported("asset")).toHaveLength(changes.length);
    const change = { shuffle: true, transition: "cut" };
    await send("PATCH", `/playlists/${playlist.playlist_id}`, change);
    expect(await reported("playlist")).toEqual(["transition, shuffle"]);
  });

  it("[V2-380] records when another window begins to cover the screen and when it no longer does, whatever plays meanwhile", async () => {
    const { add, send, clock, stage } = await startPlayer();
    await add({ name: "A" });
    await add({ name: "B" });
    await flushPromises();
    for (let showings = 0; showings < 5; showings += 1) {
      stage.see("wrong", clock.now());
      await clock.advance(10_000);
    }
    for (let polls = 0; polls < 3; polls += 1)
      stage.see("verified", clock.now());
    const { body } = await send("GET", "/activity?kind=fault", undefined);
    expect(
      (body as ActivityV2[]).map(({ action, name }) => `${action} ${name}`),
    ).toEqual(["uncovered B", "covered A"]);
  });

  it("[V2-287] is paged, filtered and searched; invalid parameters are rejected by name", async () => {
    const { player, send } = await startPlayer();
    for (const name of ["Alpha", "Beta", "Gamma"])
      player.note({ kind: "fault", what: "failed", name, says: "Broken." });
    const page = await send("GET", "/activity?kind=fault&limit=2", undefined);
    expect(page.body.map(({ name }: ActivityV2) => name)).toEqual([
      ...["Gamma", "Beta"],
    ]);
    const last = page.body[1].activity_id;
    const next = await send(
      ...(["GET", `/activity?kind=fault&before=${last}`, undefined] as const),
    );
    expect(next.body.map(({ name }: ActivityV2) => name)).toEqual(["Alpha"]);
    const found = await send("GET", "/activity?search=bET", undefined);
    expect(found.body).toHaveLength(1);
    for (const wrong of ["kind=x", "limit=0", "from=soon", "before=-1"]) {
      const errorResponse = await send("GET", `/activity?${wrong}`, undefined);
      expect(errorResponse.status).toBe(400);
      expect(Object.keys(errorResponse.body)).toEqual([wrong.split("=")[0]]);
    }
  });

  it("[V2-287] as CSV contains nothing that a spreadsheet evaluates as a formula", async () => {
    const { player, request } = await startPlayer();
    const name = '=1+1, "quoted"';
    player.note({ kind: "fault", what: "failed", name, says: "a\nb" });
    const answer = await request("/activity?format=csv&kind=fault");
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const [head, line] = (await answer.text()).split("\r\n");
    expect(head).toBe(
      "activity_id,time,kind,action,name,asset_id,details,actor_kind,actor_name,actor_address,changes",
    );
    expect(line).toContain(`fault,failed,"'=1+1, ""quoted""",,"a\nb"`);
  });
});

describe("the playback log", () => {
  it("[V2-286] has one entry per showing of an asset, with its seconds on the screen whatever the wall clock did", async () => {
    const { add, clock, send } = await startPlayer();
    await add({ name: "One", duration: 5 });
    await add({ name: "Two", duration: 5 });
    await flushPromises();
    await clock.advance(12_000);
    clock.jumpTo(clock.now() + 3_600_000);
    await clock.advance(10_000);
    const { body } = await send("GET", "/playbacks", undefined);
    const playbacks = body as PlaybackV2[];
    expect(playbacks.length).toBeGreaterThanOrEqual(3);
    for (const { started, ended, name } of playbacks) {
      expect(["One", "Two"]).toContain(name);
      const seconds = (Date.parse(ended) - Date.parse(started)) / 1000;
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(5.1);
    }
    expect(new Set(playbacks.map(({ playback_id: id }) => id)).size).toBe(
      playbacks.length,
    );
  });

  it("[V2-286] [V2-288] has an entry per day for a showing of several days, and a power cut loses ten minutes of it at most", async () => {
    const { add, clock, send } = await startPlayer();
    await add({ name: "Poster" });
    await flushPromises();
    await clock.advance(3_599_000);
    const { body: first } = await send("GET", "/playbacks", undefined);
    expect(first).toHaveLength(1);
    const [{ started, ended }] = first as PlaybackV2[] as [PlaybackV2];
    expect(Date.parse(ended) - Date.parse(started)).toBe(3_000_000);
    await clock.advance(36 * 3_600_000);
    const days = await send(
      ...(["GET", "/playbacks/report?from=2025-12-01", undefined] as const),
    );
    const reported = days.body as PlaybackDayV2[];
    expect(reported.length).toBeGreaterThanOrEqual(2);
    expect(reported.map(({ playbacks }) => playbacks)).toEqual(
      reported.map(() => 1),
    );
    const seconds = reported.reduce((sum, day) => sum + day.seconds, 0);
    expect(seconds).toBeGreaterThan(36 * 3600);
  });

  it("[V2-358] fault: a report over all years is rejected with a message, one over a year and more is not", async () => {
    const { send } = await startPlayer();
    const requests = async (days: string) =>
      send("GET", `/playbacks/report?${days}`, undefined);
    const year = await requests("from=2025-01-01&to=2026-02-04");
    expect(year).toMatchObject({ status: 200, body: [] });
    for (const days of ["from=2025-01-01&to=2026-02-05", "from=2000-01-01"])
      expect(await requests(days), days).toMatchObject({
        status: 400,
        body: { from: ["from must be at most 400 days before to."] },
      });
  });
});
