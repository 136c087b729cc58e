// API v2: order, content, settings and power.

import { rm } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { PowerAction } from "../../../../server/player/power.ts";
import { flushPromises } from "../../../support/clock.ts";
import { clip, png } from "../../../support/media/media.ts";
import {
  answerOf,
  startPlayer,
  completeBody,
} from "../../../support/player/start-player.ts";

describe("[V2-24] order", () => {
  it("puts the listed assets first and keeps the others behind, ignoring unknown and repeated ones", async () => {
    const { add, request, list } = await startPlayer();
    const ids: Record<string, string> = {};
    for (const name of ["A", "B", "C", "D"])
      ids[name] = (await add({ name })).asset_id;
    const answer = await request("/assets/order", {
      method: "POST",
      body: new URLSearchParams({
        ids: `${ids["C"]}, nobody,${ids["A"]},,${ids["C"]}`,
      }),
    });
    expect([answer.status, await answer.text()]).toEqual([200, ""]);
    expect(
      (await list()).map(({ name, play_order }) => `${name}${play_order}`),
    ).toEqual(["C0", "A1", "B2", "D3"]);
  });

  it("[V2-700] gives out the numbers that the assets have: what is taken back after it stands where it stood, out of the trash too", async () => {
    const { add, send, list } = await startPlayer();
    const ids: Record<string, string> = {};
    for (const name of ["A", "B", "C", "D"])
      ids[name] = (await add({ name })).asset_id;
    const order = (names: string) =>
      send("POST", "/assets/order", {
        ids: [...names].map((name) => ids[name]),
      });
    const numbered = async () =>
      (await list()).map(({ name, play_order }) => `${name}${play_order}`);
    await order("DCBA");
    expect(await numbered()).toEqual(["D0", "C1", "B2", "A3"]);
    const body = { asset_ids: [ids["C"]] };
    expect((await send("POST", "/trash", body)).status).toBe(200);
    await order("BDA");
    expect(await numbered()).toEqual(["B0", "D2", "A3"]);
    await order("DBA");
    expect((await send("POST", "/trash/restore", body)).status).toBe(200);
    expect(await numbered()).toEqual(["D0", "C1", "B2", "A3"]);
  });

  it("[V2-700] makes two numbers that are the same two", async () => {
    const { add, send, list } = await startPlayer();
    const ids: string[] = [];
    for (const name of ["A", "B", "C"])
      ids.push((await add({ name })).asset_id);
    const trash = { asset_ids: [ids[2]] };
    await send("POST", "/trash", trash);
    const latest = await add({ name: "D" });
    await send("POST", "/trash/restore", trash);
    const same = (await list()).map(({ play_order }) => play_order);
    expect(same).toEqual([0, 1, 2, 2]);
    await send("POST", "/assets/order", { ids: [latest.asset_id] });
    expect(
      (await list()).map(({ name, play_order }) => `${name}${play_order}`),
    ).toEqual(["D0", "A1", "B2", "C3"]);
  });

  it("takes JSON text and arrays, and changes nothing when nothing is listed", async () => {
    const { add, send, request, list } = await startPlayer();
    const first = await add({ name: "A", play_order: 7 });
    const second = await add({ name: "B", play_order: 9 });
    for (const body of [{}, { ids: "" }])
      expect((await send("POST", "/assets/order", body)).status).toBe(200);
    expect((await request("/assets/order", { method: "POST" })).status).toBe(
      200,
    );
    expect((await list()).map(({ play_order }) => play_order)).toEqual([7, 9]);
    await send("POST", "/assets/order", {
      ids: [second.asset_id, first.asset_id],
    });
    expect((await list()).map(({ name }) => name)).toEqual(["B", "A"]);
    for (const ids of [null, 7, [7]])
      expect((await send("POST", "/assets/order", { ids })).status).toBe(400);
  });

  it("lets one of two simultaneous orders win completely, and the screen follows", async () => {
    const { add, send, list, stage, clock } = await startPlayer();
    const ids: string[] = [];
    for (const name of ["A", "B", "C", "D"])
      ids.push((await add({ name })).asset_id);
    await Promise.all([
      send("POST", "/assets/order", { ids }),
      send("POST", "/assets/order", { ids: [...ids].reverse() }),
    ]);
    const names = (await list()).map(({ name }) => name).join("");
    expect(["ABCD", "DCBA"]).toContain(names);
    await flushPromises();
    await clock.advance(10_000);
    expect(stage.visible()?.name).toBe(names === "ABCD" ? "B" : "D");
  });
});

describe("[V2-25] content", () => {
  it("returns the bytes of a file, with the name's usual extension and the type of the bytes", async () => {
    const { add, request } = await startPlayer();
    const bytes = await clip({ colour: [5, 5, 5], seconds: 1 });
    const { asset_id: id } = await add(
      { name: "Lobby", mimetype: "video" },
      bytes,
    );
    const answer = await request(`/assets/${id}/content`);
    const length = Number(answer.headers.get("content-length"));
    const text = await answer.text();
    expect(text.length).toBe(length);
    const { content, ...rest } = JSON.parse(text) as { content: string };
    expect(rest).toEqual({
      type: "file",
      filename: "Lobby.mp4",
      mimetype: "video/mp4",
    });
    expect(Buffer.from(content, "base64").equals(bytes)).toBe(true);
  });

  it("returns the address of a remote asset, and 404 without a path when the file is missing", async () => {
    const { add, request, send, player, dataDir } = await startPlayer();
    const { body: page } = await send("POST", "/assets", completeBody);
    expect(
      await (await request(`/assets/${page.asset_id}/content`)).json(),
    ).toEqual({ type: "url", url: completeBody.uri });
    const { asset_id: id, stored } = await add();
    const hash = stored.file?.sha256 ?? "";
    await rm(player.fileFor(hash)?.path ?? "");
    const { status, body } = await answerOf(
      await request(`/assets/${id}/content`),
    );
    expect(status).toBe(404);
    expect(JSON.stringify(body)).not.toContain(dataDir);
  });
});

describe("[V2-30] device_settings", () => {
  it("returns every setting and changes the given ones, at once", async () => {
    const { request, send, stage } = await startPlayer();
    const before = (await (await request("/device_settings")).json()) as Record<
      string,
      unknown
    >;
    expect(before).toMatchObject({
      player_name: "",
      default_duration: 10,
      is_active_as: "string",
      power_allowed: true,
    });
    const { body } = await send("PATCH", "/device_settings", {
      player_name: " Shop window ",
      default_duration: "15",
      unknown: 1,
    });
    expect(body).toEqual({ message: "Settings were successfully saved." });
    expect(await (await request("/device_settings")).json()).toEqual({
      ...before,
      player_name: "Shop window",
      default_duration: 15,
    });
    await flushPromises();
    expect(stage.visible()?.name).toBe("Shop window");
  });

  it("keeps every setting when one is rejected", async () => {
    const { request, send } = await startPlayer();
    const { status, body } = await send("PATCH", "/device_settings", {
      player_name: "X",
      timezone: "Mars/Base",
      screen_rotation: 45,
      verify_ssl: "maybe",
    });
    expect(status).toBe(400);
    expect(Object.keys(body).sort()).toEqual([
      "screen_rotation",
      "timezone",
      "verify_ssl",
    ]);
    expect(
      (
        (await (await request("/device_settings")).json()) as Record<
          string,
          unknown
        >
      )["player_name"],
    ).toBe("");
    for (const raw of [[], "text", 7])
      expect((await send("PATCH", "/device_settings", raw)).status).toBe(400);
  });

  it("[V2-9] returns is_active as a boolean when requested", async () => {
    const { add, send, list } = await startPlayer();
    await add();
    await send("PATCH", "/device_settings", { is_active_as: "boolean" });
    expect((await list())[0]?.is_active).toBe(true);
  });

  it("survives a restart", async () => {
    const first = await startPlayer();
    await first.send("PATCH", "/device_settings", { player_name: "Kept" });
    await first.player.stop();
    const again = await startPlayer({ dataDir: first.dataDir });
    const { body } = await answerOf(await again.request("/device_settings"));
    expect(body.player_name).toBe("Kept");
  });
});

describe("[V2-29] power", () => {
  it("is executed once for many requests, and only where the setting allows it", async () => {
    const actions: PowerAction[] = [];
    const { request, send, clock } = await startPlayer({
      power: (action) => actions.push(action),
    });
    const post = (action: PowerAction) =>
      request(`/${action}`, { method: "POST" });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post("reboot")),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(
      new Set([200]),
    );
    expect(await answers[0]?.text()).toBe("");
    await post("shutdown");
    expect(actions).toEqual(["reboot"]);
    await clock.advance(60_000);
    await post("shutdown");
    expect(actions).toEqual(["reboot", "shutdown"]);
    await send("PATCH", "/device_settings", { power_allowed: false });
    expect((await answerOf(await post("reboot"))).status).toBe(403);
    expect((await request("/reboot")).status).toBe(405);
  });

  it("is only logged where no power switch is configured", async () => {
    const { request } = await startPlayer();
    expect((await request("/shutdown", { method: "POST" })).status).toBe(200);
  });
});

it("[V2-18] an image of nothing but its header is still recognised by its bytes", async () => {
  const { upload } = await startPlayer();
  expect((await upload(png([1, 1, 1]).subarray(0, 8))).status).toBe(400);
});
