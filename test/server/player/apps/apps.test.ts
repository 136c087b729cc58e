// Installing and removing apps: an archive of web files becomes one asset, and its files are added and deleted with it.

import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { kindOf } from "../../../../server/core/asset.ts";
import { describe, expect, it } from "vitest";
import type { AssetV2 } from "../../../../server/contract/v2/v2.ts";
import {
  tar,
  tarGz,
  tarNamed,
  type TarMember,
} from "../../../support/player/archives.ts";
import { zip, type ZipMember } from "../../../support/player/zips.ts";
import { png } from "../../../support/media/media.ts";
import {
  startPlayer,
  type RunningPlayer,
} from "../../../support/player/start-player.ts";
import { gzipSync } from "node:zlib";

const page = "<!doctype html><title>app</title>Hello";
const files: readonly ZipMember[] = [
  { path: "index.html", content: page },
  { path: "css/look.css", content: "body{color:red}" },
  { path: "data.bin", content: Buffer.alloc(5000, 7) },
];

async function keptIn(dataDir: string): Promise<readonly string[]> {
  const filesFolder = path.join(dataDir, "files", "kept");
  const folders = await readdir(filesFolder);
  const names = await Promise.all(
    folders.map((folder) => readdir(path.join(filesFolder, folder))),
  );
  return names.flat();
}

async function asideIn(dataDir: string): Promise<readonly string[]> {
  return readdir(path.join(dataDir, "files", "aside"));
}

async function addApp(
  running: RunningPlayer,
  bytes: Buffer,
  overrides: Record<string, unknown> = {},
): Promise<AssetV2> {
  return running.add({ name: "App", mimetype: "appweb", ...overrides }, bytes);
}

describe("an app", () => {
  it.each([
    ["a zip with its files at the top", zip(files)],
    [
      "a zip with everything in one folder, and files added by operating systems",
      zip([
        { path: "board/", content: "" },
        ...files.map((file) => ({ ...file, path: `board/${file.path}` })),
        { path: "__MACOSX/board/._index.html", content: "x" },
        { path: "board/.DS_Store", content: "x" },
      ]),
    ],
    ["a .tar.gz", tarGz(files as readonly TarMember[])],
    [
      "a .tar.gz with ./ before each name",
      tarGz(files.map((file) => ({ ...file, path: `./${file.path}` }))),
    ],
  ])("[V2-184] is installed as %s", async (_what, bytes) => {
    const running = await startPlayer();
    const { asset_id: id } = await addApp(running, bytes);
    const app = await running.player.appOf(id);
    expect(app?.entry).toEqual({ kind: "file", path: "index.html" });
    expect(app?.waitsForSignal).toBe(false);
    expect([...(app?.files.keys() ?? [])].sort()).toEqual([
      "css/look.css",
      "data.bin",
      "index.html",
    ]);
    expect(app?.files.get("css/look.css")?.type).toBe(
      "text/css; charset=utf-8",
    );
    expect(
      await readFile(app?.files.get("index.html")?.path ?? "", "utf8"),
    ).toBe(page);
    expect(running.player.assets().map(kindOf)).toEqual(["app"]);
    expect(running.stage.visible()?.content).toMatchObject({
      kind: "app",
      url: `edge-app://${id}/`,
    });
    expect(await asideIn(running.dataDir)).toEqual([]);
  });

  it("[V2-373] has each of its files under its name, including names that are not UTF-8 in the archive", async () => {
    const running = await startPlayer();
    const named = tarNamed(
      ["index.html", "B~ro.png", "B!ro.png"].map((path) => ({
        ...{ path, content: page },
      })),
      { "~": 0xfc, "!": 0xe9 },
    );
    const { asset_id: id } = await addApp(running, gzipSync(named));
    const app = await running.player.appOf(id);
    expect([...(app?.files.keys() ?? [])].sort()).toEqual([
      ...["Béro.png", "Büro.png", "index.html"],
    ]);
  });

  it("[V2-187] [V2-188] takes entry point, ready signal and settings from its screenly.yml", async () => {
    const running = await startPlayer();
    const manifest = `
syntax: manifest_v1
entrypoint: { type: file, uri: start/here.html }
ready_signal: true
settings:
  colour: { type: string, title: Colour, default_value: "#fff", optional: true }
  rows: { type: string, default_value: 4 }
  token: { type: secret }
`;
    const { asset_id: id } = await addApp(
      running,
      zip([
        { path: "screenly.yml", content: manifest },
        { path: "start/here.html", content: page },
      ]),
      { metadata: { app_settings: { rows: "6", extra: true, no: null } } },
    );
    expect(await running.player.appOf(id)).toMatchObject({
      entry: { kind: "file", path: "start/here.html" },
      waitsForSignal: true,
      settings: { colour: "#fff", rows: "6", extra: "true" },
    });
  });

  it("[V2-187] may start at a remote address, with its own script injected there", async () => {
    const running = await startPlayer();
    const { asset_id: id } = await addApp(
      running,
      zip([
        {
          path: "screenly.yml",
          content:
            "entrypoint: {type: remote-global, uri: 'https://example.org/board'}",
        },
        { path: "screenly_inject.js", content: "document.title = 1" },
      ]),
    );
    expect((await running.player.appOf(id))?.entry).toEqual({
      ...{ kind: "remote", url: "https://example.org/board" },
      script: "document.title = 1",
    });
  });

  it.each([
    ["an archive of something else", zip([{ path: "a.txt", content: "a" }])],
    [
      "two folders at the top",
      zip([
        { path: "a/index.html", content: page },
        { path: "b/index.html", content: page },
      ]),
    ],
    [
      "a path outside the app",
      tarGz([
        { path: "index.html", content: page },
        { path: "../out.html", content: page },
      ]),
    ],
    [
      "a path outside the app in a zip",
      zip([...files, { path: "a/../../out.html", content: page }]),
    ],
    [
      "an absolute path",
      tarGz([
        { path: "index.html", content: page },
        { path: "/etc/out.html", content: page },
      ]),
    ],
    [
      "a link",
      tarGz([
        { path: "index.html", content: page },
        { path: "link.html", type: "SymbolicLink", linkpath: "/etc/passwd" },
      ]),
    ],
    [
      "a link in a zip",
      zip([...files, { path: "link", content: "/etc/passwd", mode: 0o120777 }]),
    ],
    ["a duplicate path", zip([...files, { path: "index.html", content: "2" }])],
    [
      "an entrypoint that is missing",
      zip([
        ...files,
        { path: "screenly.yml", content: "entrypoint: { type: file, uri: x }" },
      ]),
    ],
    [
      "a manifest that is not YAML",
      zip([...files, { path: "screenly.yml", content: "a: [1, }" }]),
    ],
    [
      "a manifest that expands without limit",
      zip([
        ...files,
        {
          path: "screenly.yml",
          content: `a: &a [x,x,x,x,x,x,x,x,x,x]\n${[..."bcdefgh"].map((name, at) => `${name}: &${name} [${Array(9).fill(`*${"abcdefgh"[at]}`).join()}]`).join("\n")}`,
        },
      ]),
    ],
    ["a truncated zip", zip(files).subarray(0, -40)],
    [
      "bytes that do not match the checksum",
      zip(files.map((file) => ({ ...file, crc: 1 }))),
    ],
    [
      "a member that expands beyond its declared size",
      zip([...files, { path: "b", content: Buffer.alloc(1024 ** 2), size: 9 }]),
    ],
    ["a gzip that is not a tar", gzipSync("hello")],
    ["a truncated tar.gz", tarGz(files as TarMember[]).subarray(0, 100)],
    [
      "too many members",
      gzipSync(
        tar(
          Array.from({ length: 5001 }, (_, at) => ({
            path: at === 0 ? "index.html" : `${at}`,
            ...(at > 0 && { type: "Directory" as const }),
          })),
        ),
      ),
    ],
  ])(
    "[V2-185] is rejected with a message and leaves nothing behind: %s",
    async (_what, bytes) => {
      const running = await startPlayer();
      const { status, body } = await running.upload(bytes, "app.zip");
      expect(status).toBe(400);
      expect(body.file_upload?.[0] ?? body.detail).toMatch(/^\S.+ .+/);
      expect(await asideIn(running.dataDir)).toEqual([]);
      expect(await keptIn(running.dataDir)).toEqual([]);
    },
  );

  it("[V2-185] is rejected with 413 before it expands beyond one gibibyte", async () => {
    const running = await startPlayer();
    const { status } = await running.upload(
      zip([...files, { path: "big", content: "x", size: 1024 ** 3 }]),
      "bomb.zip",
    );
    expect(status).toBe(413);
    expect(await asideIn(running.dataDir)).toEqual([]);
    expect(await keptIn(running.dataDir)).toEqual([]);
  });

  it("[V2-186] stores each file once and deletes all of them with its last asset", async () => {
    const running = await startPlayer();
    const logo = png([1, 2, 3]);
    const bytes = zip([...files, { path: "logo.png", content: logo }]);
    const { asset_id: first } = await addApp(running, bytes);
    const { asset_id: second } = await addApp(running, bytes);
    // The archive and its four files.
    expect(await keptIn(running.dataDir)).toHaveLength(5);
    // A file that came as part of an app is also an image asset of its own.
    const { asset_id: alone } = await running.add({ name: "Logo" }, logo);
    const logos = running.player.assets().filter(({ id }) => id === alone);
    expect(logos.map(kindOf)).toEqual(["image"]);
    expect(await keptIn(running.dataDir)).toHaveLength(5);
    await running.request(`/assets/${first}`, { method: "DELETE" });
    expect(await keptIn(running.dataDir)).toHaveLength(5);
    expect((await running.player.appOf(second))?.files.size).toBe(4);
    await running.request(`/assets/${second}`, { method: "DELETE" });
    await expect.poll(() => keptIn(running.dataDir)).toHaveLength(1);
  });

  it("[V2-186] is backed up completely", async () => {
    const running = await startPlayer();
    const { asset_id: id } = await addApp(running, zip(files));
    const { body: name } = await running.send("POST", "/backup", {});
    const archive = await readFile(
      path.join(running.dataDir, "backups", String(name)),
    );
    const other = await startPlayer();
    const { body: waiting } = await other.upload(
      zip([{ path: "index.html", content: "waiting" }]),
    );
    const form = new FormData();
    form.set("backup_upload", new Blob([new Uint8Array(archive)]), "b.tar.gz");
    const answer = await other.request("/recover", {
      method: "POST",
      body: form,
    });
    expect(answer.status).toBe(200);
    const app = await other.player.appOf(id);
    expect(app?.files.size).toBe(3);
    for (const { path: file } of app?.files.values() ?? [])
      expect((await readFile(file)).length).toBeGreaterThan(0);
    // An app that waits to be claimed here is still complete.
    const claimed = await other.send("POST", "/assets", {
      ...{ name: "Waiting", mimetype: "appweb", duration: 10, is_enabled: 1 },
      ...{ start_date: "2020-01-01", end_date: "2099-01-01", ...waiting },
    });
    expect((await other.player.appOf(claimed.body.asset_id))?.files.size).toBe(
      1,
    );
  });
});
