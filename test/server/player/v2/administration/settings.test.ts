// API v2: settings, and that each of them takes effect.

import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createLog } from "../../../../../server/platform/log.ts";
import { openSqlite } from "../../../../../server/platform/sqlite/sqlite.ts";
import type { Settings } from "../../../../../server/contract/v2/v2-settings.ts";
import { afterThisTest } from "../../../../support/after-this-test.ts";
import {
  testCertificate,
  testKey,
} from "../../../../support/http/certificate.ts";
import { temporaryFolder } from "../../../../support/folder.ts";
import { clip, png, tone } from "../../../../support/media/media.ts";
import { pdf } from "../../../../support/media/pdfs.ts";
import type { AssetV2 } from "../../../../../server/contract/v2/v2.ts";
import {
  startPlayer,
  completeBody,
  type RunningPlayer,
} from "../../../../support/player/start-player.ts";

const set = async ({ send, clock }: RunningPlayer, body: object) => {
  expect((await send("PATCH", "/device_settings", body)).status).toBe(200);
  await clock.advance(1);
};

const contentOf = async ({ stage, clock }: RunningPlayer) => {
  await clock.advance(1);
  return stage.visible()?.content;
};

/** An hour of the clock, so that every timer has fired. */
const hourMs = 3_600_000;

describe("presentation of showings", () => {
  it("[V2-120] uses image_fit where the asset has no value", async () => {
    const running = await startPlayer();
    const { asset_id: id } = await running.add({ name: "A" });
    expect(await contentOf(running)).toMatchObject({ fit: "fit" });
    await set(running, { image_fit: "fill" });
    await running.clock.advance(hourMs);
    expect(await contentOf(running)).toMatchObject({ fit: "fill" });
    await running.send("PATCH", `/assets/${id}`, { fit: "natural" });
    expect(await contentOf(running)).toMatchObject({ fit: "natural" });
    const answer = await running.send("PATCH", "/device_settings", {
      image_fit: null,
    });
    expect(Object.keys(answer.body)).toEqual(["image_fit"]);
  });

  it("[V2-121] uses transition where the playlist has no value", async () => {
    const running = await startPlayer();
    const { stage } = running;
    const { asset_id: id } = await running.add({ name: "A" });
    await set(running, { transition: "cross-fade" });
    await running.add({ name: "B" });
    await running.clock.advance(15_000);
    expect(stage.visible()).toMatchObject({
      ...{ name: "B", transition: "cross-fade" },
    });
    await running.send("POST", "/playlists", {
      ...{ name: "X", priority: 1, transition: "cut" },
      items: [{ asset_id: id }],
    });
    await running.clock.advance(1);
    expect(stage.visible()).toMatchObject({ name: "A", transition: "cut" });
  });

  it("[V2-122] [V2-264] an asset's volume is a share of the player's, and either can mute it", async () => {
    const running = await startPlayer();
    const film = await clip({ colour: [4, 4, 4], seconds: 1 });
    const { asset_id: id } = await running.add(
      { name: "Film", mimetype: "video", volume: 50 },
      film,
    );
    // Of the visible showing, at once.
    const audio = () => contentOf(running);
    expect(await audio()).toMatchObject({
      audio: { volume: 0.5, isMuted: false },
    });
    await set(running, { volume: 50 });
    expect(await audio()).toMatchObject({ audio: { volume: 0.25 } });
    await set(running, { muted: true });
    expect(await audio()).toMatchObject({ audio: { isMuted: true } });
    await set(running, { muted: false, volume: 100 });
    await running.send("PATCH", `/assets/${id}`, { muted: true });
    expect(await audio()).toMatchObject({
      audio: { volume: 0.5, isMuted: true },
    });
    // It was the same showing all the time.
    expect(running.stage.shown.filter((name) => name === "Film")).toHaveLength(
      1,
    );
  });

  it("[V2-106] [V2-107] is passed to the stage as the asset sets it", async () => {
    const running = await startPlayer();
    await running.send("POST", "/assets", {
      ...completeBody,
      ...{ custom_headers: { Cookie: "a=b" }, refresh_interval_s: 60 },
      ...{ user_agent: "Signage", zoom_level: 80, js_injection: "go()" },
      ...{ send_metadata: true, player_side_render: false },
      ...{ screenshot_cache_seconds: 9, skip_ssl_verify: true },
    });
    expect(await contentOf(running)).toMatchObject({
      kind: "webpage",
      web: {
        ...{ headers: { Cookie: "a=b" }, refreshSeconds: 60 },
        ...{ userAgent: "Signage", zoomPercent: 80, script: "go()" },
        ...{ isMetadataSent: true, isRenderedHere: false },
        ...{ screenshotCacheSeconds: 9, isCertificateSkipped: true },
      },
    });
  });
});

describe("[V2-123] default durations and order", () => {
  it("a stream with duration 0 stays for default_streaming_duration", async () => {
    const running = await startPlayer();
    await set(running, { default_streaming_duration: 42 });
    await running.send("POST", "/assets", {
      ...{ ...completeBody, mimetype: "streaming", duration: 0 },
      uri: "https://example.org/live.m3u8",
    });
    await contentOf(running);
    expect(running.stage.visible()).toMatchObject({
      ...{ content: { kind: "stream" }, durationSeconds: 42 },
    });
  });

  it("shuffle_playlist shuffles each round, and still shows everything once", async () => {
    const running = await startPlayer({ random: () => 0.3 });
    const names = ["A", "B", "C", "D", "E", "F", "G", "H"];
    for (const name of names) await running.add({ name, duration: 1 });
    await set(running, { shuffle_playlist: true });
    await running.clock.advance(hourMs / 6);
    const rounds = running.stage.shown.length;
    await running.clock.advance(names.length * 1000 * 4);
    const seen = running.stage.shown.slice(rounds, rounds + 4 * names.length);
    expect(new Set(seen)).toEqual(new Set(names));
    const inOrder = names.join("").repeat(8);
    expect(inOrder).not.toContain(seen.join(""));
  });

  it("an asset added in the manager stays for default_duration, or for its own length", async () => {
    const running = await startPlayer();
    await set(running, { default_duration: 17 });
    const { player } = running;
    const add = async (body: object) =>
      (await running.send("POST", "/assets/add", body)).body as AssetV2;
    const page = await add({ uri: "rtsp://camera.local/1" });
    expect(page.stored.duration).toBe(17);
    const folder = await temporaryFolder();
    const drop = async (name: string, bytes: Uint8Array) => {
      const file = path.join(folder, name);
      await writeFile(file, bytes);
      const { mimetype, stored } = await add(await player.uploadFile(file));
      return [stored.file?.media_type, mimetype, stored.duration];
    };
    const film = await clip({ colour: [5, 5, 5], seconds: 1 });
    const text = await pdf([{ colour: [9, 9, 9], words: "Menu" }]);
    expect([
      await drop("a.png", png([1, 1, 1])),
      await drop("b.mp4", film),
      await drop("c.mp3", await tone(1)),
      await drop("d.pdf", text),
    ]).toEqual([
      ["image/png", "image", 17],
      ["video/mp4", "video", 0],
      ["audio/x-m4a", "audio", 0],
      ["application/pdf", "application/pdf", 17],
    ]);
  });
});

it("[V2-124] debug_logging logs reads from the next request on, until switched off", async () => {
  const dir = await temporaryFolder();
  const log = createLog({ dir, toStandardOutput: false });
  const running = await startPlayer({ log });
  const { request, send, player } = running;
  await request("/assets?before");
  await send("PATCH", "/device_settings", { debug_logging: true });
  await request("/info");
  await send("PATCH", "/device_settings", { debug_logging: false });
  await request("/now");
  await player.stop();
  const text = await readFile(path.join(dir, "vitrine.log"), "utf8");
  const lines = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const reads = lines.filter(({ method }) => method === "GET");
  expect(reads).toMatchObject([
    { level: "debug", event: "v2.request-answered", path: "/api/v2/info" },
  ]);
});

it("[V2-125] default_assets is stored, and adds nothing", async () => {
  const running = await startPlayer();
  await set(running, { default_assets: true });
  const settings = await (await running.request("/device_settings")).json();
  expect(settings).toMatchObject({ default_assets: true });
  expect(await running.list()).toEqual([]);
  expect(await contentOf(running)).toMatchObject({ kind: "card" });
});

it("[V2-126] reports rotation and output to display listeners, at once and until they unsubscribe", async () => {
  const running = await startPlayer();
  const { player } = running;
  expect(player.settings()).toMatchObject({
    ...{ screenOrientation: 0, audioOutput: "hdmi" },
  });
  const received: Settings[] = [];
  const stop = player.onSettings((settings) => received.push(settings));
  await set(running, { screen_rotation: 270, audio_output: "local" });
  expect(received).toMatchObject([
    { screenOrientation: 270, audioOutput: "local" },
  ]);
  expect(player.settings()).toEqual(received[0]);
  stop();
  await set(running, { screen_rotation: 0 });
  expect(received).toHaveLength(1);
});

it("[V2-126] reports its appearance to the idle screen, at once", async () => {
  const running = await startPlayer();
  await set(running, {
    ...{
      show_splash: false,
      date_format: "yyyy-mm-dd",
      timezone: "Asia/Tokyo",
    },
    use_24_hour_clock: true,
  });
  expect(await contentOf(running)).toMatchObject({
    idleScreen: {
      ...{ isAddressShown: false, dateFormat: "yyyy-mm-dd", is24Hour: true },
      zone: "Asia/Tokyo",
    },
  });
});

it("[V2-104] skip_ssl_verify accepts any certificate of that asset's address, and of no other", async () => {
  const server = createServer(
    { key: testKey, cert: testCertificate },
    (_request, response) => {
      response.end("hello");
    },
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterThisTest(() => new Promise((resolve) => server.close(resolve)));
  const { port } = server.address() as AddressInfo;
  const { send, list } = await startPlayer();
  const body = {
    ...{ ...completeBody, skip_asset_check: false },
    uri: `https://127.0.0.1:${port}/`,
  };
  const errorResponse = await send("POST", "/assets", body);
  expect(errorResponse.body.uri[0]).toContain("certificate");
  const taken = await send("POST", "/assets", {
    ...{ ...body, skip_ssl_verify: true },
  });
  expect(taken.status).toBe(201);
  expect((await send("POST", "/assets", body)).status).toBe(400);
  expect(await list()).toHaveLength(1);
});

describe("unattended mode", () => {
  it("[V2-376] is rejected without a key to leave it, and so is removing that key", async () => {
    const running = await startPlayer();
    const patch = (body: object) =>
      running.send("PATCH", "/device_settings", body);
    await set(running, { exit_hotkey: "" });
    const errorResponse = await patch({ profile: "unattended" });
    expect(errorResponse.status).toBe(400);
    expect(errorResponse.body).toHaveProperty("profile");
    await set(running, { profile: "unattended", exit_hotkey: "Ctrl+Alt+F8" });
    const kept = await patch({ exit_hotkey: "", volume: 7 });
    expect(kept.status).toBe(400);
    expect(kept.body).toHaveProperty("exit_hotkey");
    const body: unknown = await (
      await running.request("/device_settings")
    ).json();
    expect(body).toMatchObject({
      ...{ profile: "unattended", exit_hotkey: "Ctrl+Alt+F8" },
    });
    expect(body).not.toMatchObject({ volume: 7 });
    await set(running, { profile: "desk", exit_hotkey: "" });
  });
});

describe("shortcuts of the machine", () => {
  it("[V2-378] are never keys for typing", async () => {
    const running = await startPlayer();
    const statusOf = async (takeover_hotkey: string) =>
      (await running.send("PATCH", "/device_settings", { takeover_hotkey }))
        .status;
    for (const key of ["E", "Shift+E", "Shift+4", "Shift+Space", "Space"])
      expect(await statusOf(key), key).toBe(400);
    for (const key of ["Shift+F4", "Shift+Ctrl+E", "Ctrl+Shift+4", "Super+E"])
      expect(await statusOf(key), key).toBe(200);
  });

  it("[V2-378] are never AltGr combinations on Windows, unless one was set before", async () => {
    const running = await startPlayer();
    const statusOf = async (takeover_hotkey: string) =>
      (await running.send("PATCH", "/device_settings", { takeover_hotkey }))
        .status;
    for (const key of ["Ctrl+Alt+Q", "Alt+Ctrl+7", "Ctrl+Alt+Ctrl+E"])
      expect(await statusOf(key), key).toBe(400);
    for (const key of ["Ctrl+Alt+Shift+Q", "Ctrl+Alt+Super+7", "Shift+Alt+E"])
      expect(await statusOf(key), key).toBe(200);
    for (const key of ["Ctrl+Alt+F7", "Ctrl+Alt+Left", "Ctrl+Alt+Space"])
      expect(await statusOf(key), key).toBe(200);
    const { dataDir } = running;
    await running.player.stop();
    const database = openSqlite(path.join(dataDir, "vitrine.db"));
    database
      .prepare("UPDATE settings SET value = ? WHERE name = 'takeoverHotkey'")
      .run('"Ctrl+Alt+Q"');
    database.close();
    const again = await startPlayer({ dataDir });
    const all = (await (
      await again.request("/device_settings")
    ).json()) as object;
    expect(all).toMatchObject({ takeover_hotkey: "Ctrl+Alt+Q" });
    // Sent back completely by a client that changes something else.
    const complete = { ...all, player_name: "Lobby" };
    const saved = await again.send("PATCH", "/device_settings", complete);
    expect(saved.status).toBe(200);
    expect(await (await again.request("/device_settings")).json()).toEqual(
      complete,
    );
  });
});
