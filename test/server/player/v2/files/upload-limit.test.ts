// Concurrent upload limit: the next upload is told to retry later, and an abandoned slot is free.

import { describe, expect, it } from "vitest";
import { flushPromises } from "../../../../support/clock.ts";
import { png } from "../../../../support/media/media.ts";
import { openConnection } from "../../../../support/http/raw-request.ts";
import { startPlayer } from "../../../../support/player/start-player.ts";

const halfAnUpload = [
  "POST /api/v2/file_asset HTTP/1.1",
  "Host: localhost",
  "Content-Type: multipart/form-data; boundary=b",
  "Content-Length: 100000",
  "",
  '--b\r\nContent-Disposition: form-data; name="file_upload"; filename="a"\r\n\r\nhalf',
].join("\r\n");

describe("uploads", () => {
  it("[V2-69] are limited to eight at once; the ninth is to retry later", async () => {
    const { player, request, upload } = await startPlayer();
    const underWay = async () =>
      /vitrine_uploads_under_way (\d+)/.exec(
        await (await request("/metrics")).text(),
      )?.[1];
    const sockets = await Promise.all(
      Array.from({ length: 8 }, () =>
        openConnection(player.apiAddress, halfAnUpload),
      ),
    );
    while ((await underWay()) !== "8") await flushPromises();
    const errorResponse = await upload(png([1, 2, 3]));
    expect(errorResponse.status).toBe(503);
    expect(errorResponse.headers.get("retry-after")).toBe("5");
    expect(errorResponse.body).toHaveProperty("detail");
    sockets[0]?.destroy();
    while ((await underWay()) !== "7") await flushPromises();
    expect((await upload(png([1, 2, 3]))).status).toBe(200);
  });
});
