// API v2: recovery from archives of the peer, of several of its releases, valid and damaged.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { tarGz } from "../../../../support/player/archives.ts";
import { clip, png, servePages } from "../../../../support/media/media.ts";
import {
  end,
  folder,
  id,
  newTable,
  oldTable,
  peerDatabase,
  recover,
  row,
  settingsFile,
  start,
} from "../../../../support/player/peer-archive.ts";
import {
  answerOf,
  startPlayer,
  completeBody,
} from "../../../../support/player/start-player.ts";

describe("recovery from the peer", () => {
  it("[V2-56] imports assets in their order, files, addresses and settings", async () => {
    const running = await startPlayer();
    await running.add({ name: "goes" });
    await running.send("PATCH", "/device_settings", { backups_kept: 3 });
    const images = { a: png([1, 1, 1]), b: png([2, 2, 2]) };
    const video = await clip({
      colour: [3, 3, 3],
      seconds: 2,
      width: 64,
      height: 36,
    });
    const { main } = await peerDatabase(newTable, [
      row("b", { play_order: 2, name: "second", is_enabled: 0 }),
      row("a", { play_order: 1, name: "first", duration: 7, nocache: 1 }),
      row("c", { play_order: 3, name: "film", mimetype: "video", duration: 2 }),
      row("d", {
        play_order: 4,
        name: "page",
        mimetype: "webpage",
        uri: "https://example.org/?a=1&amp;q=&#x27;x&#x27;",
      }),
      row("e", {
        play_order: 5,
        name: "camera",
        mimetype: "streaming",
        uri: "rtsp://camera.local/1",
        end_date: null,
      }),
    ]);
    const archive = tarGz([
      folder(".anthias/"),
      { path: ".anthias/anthias.conf", content: settingsFile },
      { path: ".anthias/anthias.db", content: main },
      { path: ".anthias/default_assets.yml", content: "assets: []" },
      { path: ".anthias/backups/old.db", content: "SQLite" },
      folder("anthias_assets/"),
      { path: `anthias_assets/${id("a")}.png`, content: images.a },
      { path: `anthias_assets/${id("b")}.png`, content: images.b },
      { path: `anthias_assets/${id("c")}.png`, content: video },
      { path: `anthias_assets/${id("f")}.tmp`, content: "unfinished" },
      { path: "anthias_assets/nobody.png", content: png([9, 9, 9]) },
    ]);
    expect(await recover(running, archive)).toMatchObject({
      status: 200,
      body: "Recovery successful.",
    });
    const assets = await running.list();
    expect(
      assets.map(({ asset_id, name, play_order, duration }) => ({
        asset_id,
        name,
        play_order,
        duration,
      })),
    ).toEqual([
      { asset_id: id("a"), name: "first", play_order: 0, duration: 7 },
      { asset_id: id("b"), name: "second", play_order: 1, duration: 10 },
      // Its own length, which the peer wrote in whole seconds.
      { asset_id: id("c"), name: "film", play_order: 2, duration: 2 },
      { asset_id: id("d"), name: "page", play_order: 3, duration: 10 },
      { asset_id: id("e"), name: "camera", play_order: 4, duration: 10 },
    ]);
    expect(assets[0]).toMatchObject({
      start_date: "2020-01-01T00:00:00Z",
      end_date: "2030-06-01T12:30:00.250Z",
      is_active: "true",
      nocache: true,
      metadata: {},
    });
    expect(assets[1]).toMatchObject({ is_enabled: false, is_active: "false" });
    expect(assets[3]?.uri).toBe("https://example.org/?a=1&q='x'");
    expect(assets[4]).toMatchObject({ end_date: null, is_active: "false" });
    const { body: content } = await answerOf(
      await running.request(`/assets/${id("c")}/content`),
    );
    expect(content).toMatchObject({ type: "file", mimetype: "video/mp4" });
    expect(Buffer.from(content.content as string, "base64")).toEqual(video);
    const settings = await (await running.request("/device_settings")).json();
    expect(settings).toMatchObject({
      player_name: "Café 100% שלום",
      default_duration: 25,
      shuffle_playlist: true,
      screen_rotation: 90,
      date_format: "dd.mm.yyyy",
      use_24_hour_clock: true,
      audio_output: "hdmi",
      backups_kept: 3,
    });
    const kept = await readFile(path.join(running.dataDir, "vitrine.db-wal"));
    expect(kept.includes("PEER-SECRET")).toBe(false);
  });

  it("[V2-56] reads an older release, its folders and its fewer columns", async () => {
    const running = await startPlayer();
    const { main } = await peerDatabase(oldTable, [
      {
        asset_id: id("a"),
        name: "old",
        uri: `/home/pi/screenly_assets/${id("a")}`,
        start_date: start,
        end_date: end,
        duration: "12",
        mimetype: "image",
      },
    ]);
    const archive = tarGz([
      folder("./.screenly"),
      { path: "./.screenly/screenly.db", content: main },
      folder("./screenly_assets"),
      { path: `./screenly_assets/${id("a")}`, content: png([1, 2, 3]) },
    ]);
    expect((await recover(running, archive)).status).toBe(200);
    expect(await running.list()).toMatchObject([
      { name: "old", duration: 12, is_enabled: true, is_active: "true" },
    ]);
  });

  it("[V2-56] applies rows that a running peer had not checkpointed yet", async () => {
    const running = await startPlayer();
    const { main, wal, shm } = await peerDatabase(
      newTable,
      [row("a", { uri: "https://example.org/", mimetype: "webpage" })],
      true,
    );
    expect(main.includes(id("a"))).toBe(false);
    const members = [
      { path: ".anthias/anthias.db", content: main },
      { path: ".anthias/anthias.db-shm", content: shm ?? "" },
      { path: ".anthias/anthias.db-wal", content: wal ?? "" },
    ];
    expect((await recover(running, tarGz(members))).status).toBe(200);
    expect(await running.list()).toMatchObject([{ asset_id: id("a") }]);
  });

  it("[V2-57] imports an asset whose file is missing or damaged, with the reason", async () => {
    const running = await startPlayer();
    // Not due, so that the director sets no reasons of its own.
    const off = { is_enabled: 0 };
    const { main } = await peerDatabase(newTable, [
      row("a", { ...off, play_order: 1 }),
      row("b", { ...off, play_order: 2 }),
      row("c", { ...off, play_order: 3, uri: "rtmp://example.org/live" }),
      row("d", { ...off, play_order: 4, uri: "file:///etc/passwd" }),
      row("e", { ...off, play_order: 5, uri: null, name: null, duration: -3 }),
      row("f", { ...off, play_order: 6, uri: "/etc/passwd" }),
    ]);
    const archive = tarGz([
      { path: ".anthias/anthias.db", content: main },
      { path: `anthias_assets/${id("b")}.png`, content: "no image" },
    ]);
    expect((await recover(running, archive)).status).toBe(200);
    const assets = await running.list();
    expect(assets).toHaveLength(6);
    for (const { asset_id: assetId, uri, metadata } of assets) {
      expect(uri).toMatch(/^upload:/);
      expect(metadata.error_message).toEqual(expect.any(String));
      const content = await running.request(`/assets/${assetId}/content`);
      expect(content.status).toBe(200);
      expect(await content.text()).not.toMatch(/passwd"|root:/);
    }
    expect(assets[0]?.metadata.error_message).toMatch(
      /missing from the archive/,
    );
    expect(assets[1]?.metadata.error_message).toMatch(
      /not a supported image, video, audio or PDF/,
    );
    expect(assets[2]?.metadata.error_message).toMatch(/rtmp:/);
    // An import like this can be backed up and recovered again.
    const again = await running.request("/backup?stream=1", { method: "POST" });
    const packed = Buffer.from(await again.arrayBuffer());
    expect((await recover(running, packed)).status).toBe(200);
    expect(await running.list()).toEqual(assets);
  });

  it("[V2-57] downloads a remote image in the background, and one whose file was lost but not its source", async () => {
    const pages = await servePages({ "/a.png": 503 });
    const running = await startPlayer();
    const source = `${pages.address}/a.png`;
    const { main } = await peerDatabase(newTable, [
      row("a", { play_order: 1, uri: source }),
      row("b", {
        play_order: 2,
        metadata: JSON.stringify({ source_url: source }),
      }),
    ]);
    const archive = tarGz([{ path: ".anthias/anthias.db", content: main }]);
    expect((await recover(running, archive)).status).toBe(200);
    expect(await running.list()).toMatchObject([
      { uri: source, is_processing: true },
      { uri: source, is_processing: true },
    ]);
    await pages.stop();
  });

  it("[V2-57] downloads those whose ids are names, too", async () => {
    const running = await startPlayer();
    const pages = await servePages({
      "/a.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
    });
    onTestFinished(() => pages.stop());
    const uri = `${pages.address}/a.svg`;
    const { main } = await peerDatabase(newTable, [
      { ...row("a", { uri }), asset_id: "my-logo" },
      {
        ...row("b", { uri }),
        asset_id: "0b0c7ba0-9d3e-4f9e-8c5b-2a3f7c9f1d11",
      },
      row("c", { uri }),
    ]);
    const archive = tarGz([{ path: ".anthias/anthias.db", content: main }]);
    expect((await recover(running, archive)).status).toBe(200);
    await expect
      .poll(async () =>
        (await running.list()).map(({ is_processing }) => is_processing),
      )
      .toEqual([false, false, false]);
  });

  const good = () => peerDatabase(newTable, [row("a", {})]);
  const cases: Record<string, () => Promise<Buffer>> = {
    "no database": async () =>
      tarGz([folder(".anthias"), folder("anthias_assets")]),
    "a file that is not a database": async () =>
      tarGz([{ path: ".anthias/anthias.db", content: "x".repeat(5000) }]),
    "a truncated database": async () => {
      const { main } = await good();
      const content = main.subarray(0, main.length - 5000);
      return tarGz([{ path: ".anthias/anthias.db", content }]);
    },
    "a database without assets": async () => {
      const { main } = await peerDatabase("CREATE TABLE assets (x)", []);
      return tarGz([{ path: ".anthias/anthias.db", content: main }]);
    },
    "assets that are a view": async () => {
      const { main } = await peerDatabase(
        "CREATE VIEW assets AS SELECT 'a' AS asset_id, 'x' AS uri",
        [],
      );
      return tarGz([{ path: ".anthias/anthias.db", content: main }]);
    },
    "a generated column": async () => {
      const { main } = await peerDatabase(
        "CREATE TABLE assets (asset_id, uri, name AS (hex(uri)))",
        [{ asset_id: "a", uri: "https://example.org" }],
      );
      return tarGz([{ path: ".anthias/anthias.db", content: main }]);
    },
  };
  const paths = [
    ".anthias/../../evil",
    "anthias_assets/../../evil.png",
    "anthias_assets//etc/passwd",
    "anthias_assets/..\\evil.png",
    "/anthias_assets/evil.png",
    "elsewhere/evil.png",
    "evil.png",
  ];
  for (const evil of paths)
    cases[`the path ${evil}`] = async () => {
      const { main } = await good();
      return tarGz([
        { path: ".anthias/anthias.db", content: main },
        { path: evil, content: png([6, 6, 6]) },
      ]);
    };
  for (const type of ["SymbolicLink", "Link", "BlockDevice"] as const)
    cases[`a member of type ${type}`] = async () => {
      const { main } = await good();
      const linkpath = "/etc/passwd";
      return tarGz([
        { path: ".anthias/anthias.db", content: main },
        { path: `anthias_assets/${id("a")}.png`, type, linkpath },
      ]);
    };
  cases["a member twice"] = async () => {
    const { main } = await good();
    const member = { path: ".anthias/anthias.db", content: main };
    return tarGz([member, member]);
  };

  it.each(Object.entries(cases))(
    "[V2-53] rejects %s and changes nothing",
    async (_title, make) => {
      const running = await startPlayer();
      await running.send("POST", "/assets", completeBody);
      const before = await running.list();
      const answer = await recover(running, await make());
      expect(answer.status).toBe(400);
      expect(answer.body.backup_upload).toEqual([expect.any(String)]);
      expect(await running.list()).toEqual(before);
    },
  );
});
