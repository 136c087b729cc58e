// API v2: file_asset, with valid, invalid and missing files.

import { readdir } from "node:fs/promises";
import path from "node:path";
import { supportedMimeTypes } from "file-type";
import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { extensionOf } from "../../../../../server/player/v2/files/files.ts";
import { clip, png } from "../../../../support/media/media.ts";
import {
  answerOf,
  startPlayer,
  completeBody,
} from "../../../../support/player/start-player.ts";

async function filesIn(dataDir: string): Promise<string[]> {
  const entries = await readdir(path.join(dataDir, "files"), {
    recursive: true,
    withFileTypes: true,
  });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

describe("file_asset", () => {
  it("[V2-15] [V2-19] returns a token and the extension by content, whatever the name", async () => {
    const { upload } = await startPlayer();
    const { status, body } = await upload(png([1, 2, 3]), "../../evil.txt");
    expect(status).toBe(200);
    expect(body).toEqual({
      uri: expect.stringMatching(/^upload:[0-9a-f]{32}$/),
      ext: ".png",
    });
    const video = await upload(
      await clip({ colour: [1, 2, 3], seconds: 1 }),
      "x",
    );
    expect(video.body.ext).toBe(".mp4");
  });

  it("[V2-585] has the extension in the asset's uri, by which clients copy it to another player", async () => {
    const from = await startPlayer();
    const to = await startPlayer();
    const bytes = png([1, 2, 3]);
    const { body: sent } = await from.upload(bytes, "x");
    const uri = `${sent.uri as string}.png`;
    const { body: asset } = await from.send("POST", "/assets", {
      ...{ ...completeBody, name: "Lobby", mimetype: "image", uri },
    });
    expect(asset.uri).toBe(uri);
    const answer = await from.request(
      `/assets/${asset.asset_id as string}/content`,
    );
    const { filename, content } = (await answer.json()) as {
      filename: string;
      content: string;
    };
    expect(filename).toBe("Lobby.png");
    const copied = Buffer.from(content, "base64");
    const { body: again } = await to.upload(copied, filename);
    const { body: copy } = await to.send("POST", "/assets", {
      ...{ ...asset, uri: again.uri },
    });
    expect(copy).toMatchObject({
      ...{ name: "Lobby", uri: `${again.uri as string}.png` },
    });
    const bare = await to.send("POST", "/assets", { ...asset, uri });
    expect([bare.status, Object.keys(bare.body)]).toEqual([400, ["uri"]]);
  });

  it("[V2-14] [V2-19] returns an extension that a creation accepts, for every media type", () => {
    const types = [...supportedMimeTypes].filter((type) =>
      /^(?:image|video|audio)\/|pdf$/.test(type),
    );
    expect(types.length).toBeGreaterThan(50);
    const endings = types.map(extensionOf);
    expect(endings.filter((one) => !/^\.[a-z0-9]{2,5}$/.test(one))).toEqual([]);
    const usual = ["audio/mpeg", "video/mp2t", "image/x-adobe-dng"];
    expect(usual.map(extensionOf)).toEqual([".mp3", ".mts", ".dng"]);
  });

  it("[V2-18] returns the reason to a client that is still sending when the disk is full", async () => {
    const { player } = await startPlayer({ maxUploadBytes: 300_000 });
    const { hostname, port } = new URL(player.apiAddress);
    const head = `--b\r\nContent-Disposition: form-data; name="file_upload"; filename="a.png"\r\n\r\n`;
    const tail = "\r\n--b--\r\n";
    const size = 64 * 1024 * 1024;
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(
        {
          ...{ hostname, port, method: "POST", path: "/api/v2/file_asset" },
          headers: {
            "Content-Type": "multipart/form-data; boundary=b",
            "Content-Length": head.length + size + tail.length,
          },
        },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      );
      sent.on("error", reject);
      sent.write(head);
      sent.write(png([1, 2, 3]));
      sent.write(Buffer.alloc(size - png([1, 2, 3]).length));
      sent.end(tail);
    });
    expect(status).toBe(413);
  });

  it("[V2-14] accepts a well-formed extension without trusting it, and rejects any other", async () => {
    const { upload, send } = await startPlayer();
    const { body } = await upload(png([1, 2, 3]), "a.png");
    const fields = {
      ...{ name: "A", uri: body.uri, mimetype: "image", duration: 1 },
      ...{ start_date: "2020-01-01", end_date: "2100-01-01", is_enabled: true },
    };
    const errorResponse = await send("POST", "/assets", {
      ...fields,
      ext: "../x",
    });
    expect([errorResponse.status, Object.keys(errorResponse.body)]).toEqual([
      400,
      ["ext"],
    ]);
    const taken = await send("POST", "/assets", { ...fields, ext: ".mp4" });
    expect([taken.status, taken.body.mimetype]).toEqual([201, "image"]);
  });

  it("[V2-15] can be claimed by one asset only", async () => {
    const { upload, send, player } = await startPlayer();
    const { body } = await upload(png([1, 2, 3]));
    const fields = { ...completeBody, ...body, mimetype: "image" };
    const both = await Promise.all([
      send("POST", "/assets", fields),
      send("POST", "/assets", fields),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 400]);
    expect(player.assets()).toHaveLength(1);
  });

  it.each([
    { title: "no media", bytes: Buffer.from("hello") },
    { title: "empty", bytes: Buffer.alloc(0) },
    { title: "a page", bytes: Buffer.from("<!doctype html><p>hi") },
  ])(
    "[V2-18] rejects a file that is $title and stores nothing of it",
    async ({ bytes }) => {
      const { upload, dataDir } = await startPlayer();
      const { status, body } = await upload(bytes, "image.png");
      expect(status).toBe(400);
      expect(body.file_upload).toHaveLength(1);
      expect(await filesIn(dataDir)).toEqual([]);
    },
  );

  it("[V2-18] rejects a file over the limit with 413 and one over the disk's reserve with 507", async () => {
    const small = await startPlayer({ maxUploadBytes: 10 });
    expect((await small.upload(png([1, 2, 3]))).status).toBe(413);
    expect(await filesIn(small.dataDir)).toEqual([]);
    const full = await startPlayer({ reserveBytes: 2 ** 60 });
    expect((await full.upload(png([1, 2, 3]))).status).toBe(507);
    expect(await filesIn(full.dataDir)).toEqual([]);
  });

  it("rejects a body without the file, with a text in its place, and one that is not multipart", async () => {
    const { request } = await startPlayer();
    const post = async (init: RequestInit) =>
      answerOf(await request("/file_asset", { method: "POST", ...init }));
    const text = new FormData();
    text.set("file_upload", "just text");
    expect((await post({ body: text })).body).toHaveProperty("file_upload");
    expect((await post({ body: new FormData() })).status).toBe(400);
    expect((await post({})).status).toBe(415);
    expect(
      (
        await post({
          body: "{}",
          headers: { "Content-Type": "application/json" },
        })
      ).status,
    ).toBe(415);
    const headers = { "Content-Type": "multipart/form-data; boundary=x" };
    expect((await post({ body: "--x\r\nnonsense", headers })).status).toBe(400);
    expect(
      (
        await post({
          body: "--x",
          headers: { "Content-Type": "multipart/form-data" },
        })
      ).status,
    ).toBe(400);
  });

  it("[V2-18] leaves nothing of an upload that breaks off", async () => {
    const { request, dataDir } = await startPlayer();
    const head =
      "--x\r\nContent-Disposition: form-data; name=file_upload; filename=a.png\r\n\r\n";
    const headers = { "Content-Type": "multipart/form-data; boundary=x" };
    const cut = await answerOf(
      await request("/file_asset", {
        method: "POST",
        headers,
        body: head + "PNG PNG PNG",
      }),
    );
    expect(cut.status).toBe(400);
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode(head));
        controller.error(new Error("cable pulled"));
      },
    });
    const init = {
      method: "POST",
      headers,
      body,
      duplex: "half",
    } as RequestInit;
    await expect(request("/file_asset", init)).rejects.toThrow();
    await expect.poll(() => filesIn(dataDir)).toEqual([]);
  });
});
