// Event stream: progress of resumable uploads and downloads.

import { describe, expect, it } from "vitest";
import { png } from "../../../../support/media/media.ts";
import { readEvents } from "../../../../support/http/event-reader.ts";
import { serveSources } from "../../../../support/http/sources.ts";
import {
  answerOf,
  startPlayer,
  completeBody,
} from "../../../../support/player/start-player.ts";

const bytes = Buffer.concat([png([7, 7, 7]), Buffer.alloc(50_000, 3)]);

describe("[V2-128] progress", () => {
  it("reports a resumable upload as a whole, after each piece", async () => {
    const { request } = await startPlayer();
    const reader = await readEvents(request("/events"));
    const total = bytes.length;
    const send = async (from: number, to: number, id?: string) => {
      const form = new FormData();
      form.set("file_upload", new Blob([bytes.subarray(from, to)]), "a.png");
      const headers = {
        "Content-Range": `bytes ${from}-${to - 1}/${total}`,
        ...(id !== undefined && { "X-Upload-Id": id }),
      };
      return answerOf(
        await request("/file_asset", { method: "POST", headers, body: form }),
      );
    };
    const complete = async () => {
      for (;;) {
        const progress = await reader.nextOf("progress");
        if (progress.upload_id !== null) return progress;
        // The requests are reported too, each by itself.
        expect(progress).toMatchObject({
          ...{ upload: expect.any(Number), asset_id: null },
        });
      }
    };
    const { body } = await send(0, 20_000);
    const id = body.upload_id as string;
    const plain = { upload: null, asset_id: null, upload_id: id };
    expect(await complete()).toEqual({
      ...{ ...plain, total_bytes: total },
      ...{ received_bytes: 20_000, is_done: false },
    });
    await send(20_000, total, id);
    expect(await complete()).toEqual({
      ...{ ...plain, total_bytes: total },
      ...{ received_bytes: total, is_done: true },
    });
    await reader.close();
  });

  it("reports a download once a second while it progresses, and once at its end", async () => {
    const { request, send, clock } = await startPlayer();
    const reader = await readEvents(request("/events"));
    let finish = (): void => undefined;
    const { address } = await serveSources({
      "/a.png": (_request, response) => {
        response.setHeader("Content-Length", bytes.length);
        response.write(bytes.subarray(0, 30_000));
        finish = () => response.end(bytes.subarray(30_000));
      },
    });
    const { body } = await send("POST", "/assets", {
      ...{ ...completeBody, uri: `${address}/a.png`, mimetype: "image" },
    });
    const reported: Record<string, unknown>[] = [];
    const reading = (async () => {
      for (;;) {
        const progress = await reader.nextOf("progress");
        reported.push(progress);
        if (progress.is_done) return;
      }
    })();
    await expect
      .poll(async () => {
        await clock.advance(1000);
        return reported.at(-1)?.["received_bytes"];
      })
      .toBe(30_000);
    const soFar = reported.length;
    // It stands still: there is nothing to report.
    await clock.advance(10_000);
    finish();
    await reading;
    expect(reported).toHaveLength(soFar + 1);
    const plain = { upload: null, upload_id: null, asset_id: body.asset_id };
    const total_bytes = bytes.length;
    expect(reported.slice(-2)).toEqual([
      { ...plain, total_bytes, received_bytes: 30_000, is_done: false },
      { ...plain, total_bytes, received_bytes: total_bytes, is_done: true },
    ]);
    await reader.close();
  });

  it("ends when the bytes cannot be shown", async () => {
    const { request, send } = await startPlayer();
    const reader = await readEvents(request("/events"));
    const { address } = await serveSources({ "/a.png": Buffer.from("text") });
    const { body } = await send("POST", "/assets", {
      ...{ ...completeBody, uri: `${address}/a.png`, mimetype: "image" },
    });
    expect(await reader.nextOf("progress")).toMatchObject({
      ...{ asset_id: body.asset_id, received_bytes: 4, is_done: true },
    });
    await reader.close();
  });
});
