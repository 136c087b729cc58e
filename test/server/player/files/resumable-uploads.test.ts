// Resumable uploads: pieces in any order and size, and nothing left of one that fails.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
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
