// Resumable uploads: pieces in any order and size, and nothing left of one that fails.

import { readdir, truncate } from "node:fs/promises";
import { connect } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AssetV2 } from "../../../../server/contract/v2/v2.ts";
import { withRange } from "../../../../server/player/files/resumable-uploads.ts";
import { png } from "../../../support/media/media.ts";
import {
  answerOf,
  startPlayer,
  type Answer,
  type RunningPlayer,
} from "../../../support/player/start-player.ts";

const bytes = png([10, 220, 130], 320, 180);

async function sendPiece(
  running: RunningPlayer,
  from: number,
  to: number,
  headers: Record<string, string> = {},
  part = bytes.subarray(from, to + 1),
): Promise<Answer> {
  const body = new FormData();
  body.set("file_upload", new Blob([new Uint8Array(part)]), "a.png");
  return answerOf(
    await running.request("/file_asset", {
      method: "POST",
      body,
      headers: {
        "Content-Range": `bytes ${from}-${to}/${bytes.length}`,
        ...headers,
      },
    }),
  );
}

describe("[V2-31] a resumable upload", () => {
  it("is complete when every byte has arrived, in any order, duplicates included", async () => {
    const running = await startPlayer();
    const last = bytes.length - 1;
    const first = await sendPiece(running, 200, last);
    expect(first.body).toEqual({
      upload_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      received: last - 199,
    });
    const id = { "X-Upload-Id": first.body.upload_id as string };
    await sendPiece(running, 50, 150, id);
    await sendPiece(running, 50, 150, id);
    const { status, body } = await sendPiece(running, 0, 199, id);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      uri: expect.stringMatching(/^upload:/),
      ext: ".png",
    });
    expect((await sendPiece(running, 0, 199, id)).body).toHaveProperty(
      "X-Upload-Id",
    );
  });

  it.each([
    {
      title: "an invalid range",
      headers: { "Content-Range": "bytes a-b/c" },
      key: "Content-Range",
    },
    {
      title: "a range outside the file",
      headers: { "Content-Range": "bytes 0-9/5" },
      key: "Content-Range",
    },
    {
      title: "an unknown upload",
      headers: { "X-Upload-Id": "0".repeat(32) },
      key: "X-Upload-Id",
    },
    {
      title: "an invalid id",
      headers: { "X-Upload-Id": "../../etc" },
      key: "X-Upload-Id",
    },
  ])("is rejected for $title, naming that header", async ({ headers, key }) => {
    const running = await startPlayer();
    const { status, body } = await sendPiece(running, 0, 9, headers);
    expect(status).toBe(400);
    expect(Object.keys(body)).toEqual([key]);
  });

  it("is rejected when a piece is longer or shorter than announced; the piece may be sent again", async () => {
    const running = await startPlayer();
    const { body } = await sendPiece(running, 0, 99);
    const id = { "X-Upload-Id": body.upload_id as string };
    for (const part of [bytes.subarray(0, 10), bytes])
      expect(
        (await sendPiece(running, 100, 199, id, part)).body,
      ).toHaveProperty("Content-Range");
    const last = await sendPiece(running, 100, bytes.length - 1, id);
    expect(last.body).toHaveProperty("uri");
  });

  it("lacks the bytes that a rejected piece has overwritten until they are sent again", async () => {
    const running = await startPlayer();
    const end = bytes.length - 1;
    const { body } = await sendPiece(running, 0, 199);
    const id = { "X-Upload-Id": body.upload_id as string };
    const errorResponse = await sendPiece(
      running,
      50,
      99,
      id,
      Buffer.alloc(10, 7),
    );
    expect(errorResponse.body).toHaveProperty("Content-Range");
    const rest = await sendPiece(running, 200, end, id);
    expect(rest.body).toEqual({ ...body, received: bytes.length - 50 });
    const last = await sendPiece(running, 50, 99, id);
    expect(last.body).toMatchObject({ ext: ".png" });
  });
});

describe("an unfinished upload", () => {
  const end = bytes.length - 1;
  const idOf = ({ body }: Answer) => body.upload_id as string;
  const stateOf = async ({ request }: RunningPlayer, id: string) =>
    answerOf(await request(`/file_asset/${id}`));
  const cancel = async ({ request }: RunningPlayer, id: string) =>
    (await request(`/file_asset/${id}`, { method: "DELETE" })).status;
  const unstored = ({ dataDir }: RunningPlayer) =>
    readdir(path.join(dataDir, "files", "aside"));

  it("[V2-800] continues after a restart, and is found complete when its last response was lost", async () => {
    const first = await startPlayer();
    const id = idOf(await sendPiece(first, 50, 149));
    await sendPiece(first, 200, 299, { "X-Upload-Id": id });
    await first.player.stop();
    const { dataDir } = first;
    const running = await startPlayer({ dataDir });
    expect((await stateOf(running, id)).body).toEqual({
      ...{ upload_id: id, total: bytes.length, received: 200 },
      missing: [
        { from: 0, to: 49 },
        { from: 150, to: 199 },
        { from: 300, to: end },
      ],
      ...{ uri: null, ext: null },
    });
    for (const [from, to] of [
      [0, 49],
      [150, 199],
      [300, end],
    ] as const)
      await sendPiece(running, from, to, { "X-Upload-Id": id });
    const uri = `upload:${id}`;
    expect((await stateOf(running, id)).body).toEqual({
      ...{ upload_id: id, total: bytes.length, received: bytes.length },
      ...{ missing: [], uri, ext: ".png" },
    });
    expect(await unstored(running)).toEqual([]);
    const claimed = await running.send("POST", "/assets/add", {
      ...{ uri, name: "a" },
    });
    expect(claimed.status).toBe(201);
    const { stored } = claimed.body as AssetV2;
    const file = await running.request(`/files/${stored.file?.sha256}`);
    expect(Buffer.from(await file.arrayBuffer())).toEqual(bytes);
    expect((await stateOf(running, id)).status).toBe(404);
  });

  it("[V2-800] lacks only the bytes that a power cut has taken after they were recorded", async () => {
    const first = await startPlayer();
    const id = idOf(await sendPiece(first, 0, 19));
    await sendPiece(first, 30, 99, { "X-Upload-Id": id });
    await sendPiece(first, 120, 149, { "X-Upload-Id": id });
    await first.player.stop();
    const [piece] = await unstored(first);
    await truncate(path.join(first.dataDir, "files", "aside", piece ?? ""), 50);
    const running = await startPlayer({ dataDir: first.dataDir });
    expect((await stateOf(running, id)).body).toMatchObject({
      received: 40,
      missing: [
        { from: 20, to: 29 },
        { from: 50, to: end },
      ],
    });
    const rest = { "X-Upload-Id": id };
    await sendPiece(running, 20, 29, rest);
    const whole = await sendPiece(running, 50, end, rest);
    expect(whole.body).toMatchObject({ uri: `upload:${id}` });
  });

  it("[V2-803] begins under an identifier of the client, once, and becomes the asset with that identifier", async () => {
    const running = await startPlayer();
    const id = "5".repeat(32);
    const begin = (total: number, under = id) =>
      running.send("PUT", `/file_asset/${under}`, { total });
    await begin(bytes.length);
    await sendPiece(running, 0, 9, { "X-Upload-Id": id });
    const again = await begin(bytes.length);
    expect(again.body).toMatchObject({
      ...{ received: 10, missing: [{ from: 10, to: end }], uri: null },
    });
    expect((await begin(7)).status).toBe(409);
    expect((await begin(2 ** 49, "6".repeat(32))).status).toBe(413);
    await sendPiece(running, 10, end, { "X-Upload-Id": id });
    const { uri } = (await begin(bytes.length)).body as { uri: string };
    const body = { uri, name: "Lobby" };
    const { status } = await running.send("POST", "/assets/add", body);
    expect(status).toBe(201);
    const asset = await answerOf(await running.request(`/assets/${id}`));
    expect(asset.body).toMatchObject({ asset_id: id, name: "Lobby" });
  });

  it("[V2-18] keeps nothing, and no place, where the disk has no space for it", async () => {
    const running = await startPlayer({ reserveBytes: 2 ** 60 });
    const id = "7".repeat(32);
    const total = bytes.length;
    await running.send("PUT", `/file_asset/${id}`, { total });
    const piece = await sendPiece(running, 0, 99, { "X-Upload-Id": id });
    expect(piece.status).toBe(507);
    expect((await stateOf(running, id)).status).toBe(404);
    expect(await unstored(running)).toEqual([]);
  });

  it("[V2-801] is kept for a day, and then discarded", async () => {
    const running = await startPlayer();
    const id = idOf(await sendPiece(running, 0, 99));
    await running.clock.advance(23 * 3_600_000);
    expect((await stateOf(running, id)).status).toBe(200);
    await running.clock.advance(2 * 3_600_000);
    await expect
      .poll(async () => {
        // One sweep at a time: those that are due while one runs are left out.
        await running.clock.advance(600_000);
        return unstored(running);
      })
      .toEqual([]);
    expect((await stateOf(running, id)).status).toBe(404);
  });

  it("[V2-802] leaves nothing behind when it is cancelled, while a piece arrives or before it is claimed", async () => {
    const running = await startPlayer();
    const id = idOf(await sendPiece(running, 0, 99));
    const { port } = new URL(running.player.apiAddress);
    // Its body never ends.
    const socket = connect(Number(port), "127.0.0.1");
    const answered = text(socket);
    socket.write(
      `POST /api/v2/file_asset HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n` +
        `X-Upload-Id: ${id}\r\nContent-Range: bytes 100-${end}/${bytes.length}\r\n` +
        "Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 9999\r\nConnection: close\r\n\r\n" +
        '--b\r\nContent-Disposition: form-data; name="file_upload"; filename="a"\r\n\r\nabc',
    );
    const isBusy = async () =>
      (await sendPiece(running, 100, 101, { "X-Upload-Id": id })).status;
    await expect.poll(isBusy).toBe(409);
    expect(await cancel(running, id)).toBe(204);
    expect(await answered).toMatch(/^HTTP\/1.1 409 /);
    expect(await unstored(running)).toEqual([]);
    expect(await cancel(running, id)).toBe(404);

    const whole = await sendPiece(running, 0, end);
    const stored = path.join(running.dataDir, "files", "kept");
    const files = () =>
      readdir(stored, { recursive: true, withFileTypes: true }).then(
        (entries) => entries.filter((entry) => entry.isFile()).length,
      );
    expect(await files()).toBe(1);
    expect(await cancel(running, idOf(whole))).toBe(204);
    expect(await files()).toBe(0);
    const claim = await running.send("POST", "/assets/add", {
      ...{ uri: whole.body.uri as string, name: "a" },
    });
    expect(claim.body).toHaveProperty("uri");
  });
});

it("merges ranges to the same set of bytes in any order", () => {
  const range = fc
    .tuple(fc.nat(40), fc.nat(10))
    .map(([from, more]) => [from, from + more] as const);
  fc.assert(
    fc.property(fc.array(range), (added) => {
      const joined = added.reduce<readonly (readonly [number, number])[]>(
        withRange,
        [],
      );
      const covered = (
        ranges: readonly (readonly [number, number])[],
      ): number[] =>
        Array.from({ length: 60 }, (_, at) => at).filter((at) =>
          ranges.some(([from, to]) => from <= at && at <= to),
        );
      expect(covered(joined)).toEqual(covered(added));
      joined
        .slice(1)
        .forEach(([from], at) =>
          expect(from).toBeGreaterThan((joined[at]?.[1] ?? 0) + 1),
        );
    }),
  );
});
