// File downloads: who may read the bytes behind an address, in which ranges, and what a browser may do with them.

import { get } from "node:http";
import { describe, expect, it, vi } from "vitest";
import { eachContent } from "../../../support/content/each-content.ts";
import { png } from "../../../support/media/media.ts";
import { clientAt, type Row } from "../../../support/content/start-content.ts";
import { withKeys } from "../../../../server/content/content.ts";
import {
  startContent,
  contentKey,
} from "../../../support/content/start-content.ts";
import { readContentConfig } from "../../../../server/content/config.ts";

describe("a file", () => {
  eachContent(({ ground }) => {
    it("[V4-230] [V4-232] [V4-347] is served to clients with its address or its team's key, completely or in ranges", async () => {
      const { dataDir, databaseUrl } = await ground();
      const content = await startContent(dataDir, { databaseUrl });
      const bytes = png([1, 2, 3]);
      const uploaded = await content.upload(bytes, { title: "a" });
      const [{ id } = { id: "" }] = (await uploaded.json()) as Row[];
      const row = await vi.waitUntil(
        async () => {
          const [found] = await content.rows(
            `/v4/assets?id=eq.${id}&status=eq.finished`,
          );
          return found;
        },
        { interval: 20 },
      );
      const url = String(row["asset_url"]);
      expect(url).toMatch(
        new RegExp(`^${content.address}/files/${id}\\?team=.*&signature=`),
      );

      const complete = await fetch(url);
      expect(complete.status).toBe(200);
      const headers = Object.fromEntries(complete.headers);
      expect(headers).toMatchObject({
        ...{ "content-type": "image/png", "accept-ranges": "bytes" },
        ...{ "x-content-type-options": "nosniff" },
        "content-length": String(bytes.length),
        etag: expect.stringMatching(/^"[0-9a-f]{64}"$/) as string,
        "content-security-policy": expect.stringContaining("sandbox") as string,
      });
      expect(Buffer.from(await complete.arrayBuffer())).toEqual(bytes);

      const etag = String(headers["etag"]);
      const requestWith = (requestHeaders: Record<string, string>) =>
        fetch(url, { headers: requestHeaders });
      const part = await requestWith({ Range: "bytes=4-7", "If-Range": etag });
      expect([part.status, part.headers.get("content-range")]).toEqual([
        ...[206, `bytes 4-7/${bytes.length}`],
      ]);
      expect(Buffer.from(await part.arrayBuffer())).toEqual(
        bytes.subarray(4, 8),
      );
      expect(await statusWith(url, { "If-None-Match": etag })).toBe(304);
      const beyond = await requestWith({ Range: "bytes=99999-" });
      expect([beyond.status, beyond.headers.get("content-range")]).toEqual([
        ...[416, `bytes */${bytes.length}`],
      ]);
      expect(await beyond.json()).toMatchObject({ code: "PGRST103" });
      const end = await requestWith({ Range: "bytes=-99999" });
      expect([end.status, end.headers.get("content-range")]).toEqual([
        ...[206, `bytes 0-${bytes.length - 1}/${bytes.length}`],
      ]);
      expect(Buffer.from(await end.arrayBuffer())).toEqual(bytes);
      const other = await requestWith({
        Range: "bytes=0-1",
        "If-Range": '"x"',
      });
      expect(other.status).toBe(200);
      await other.arrayBuffer();
      const unlike = await requestWith({ "If-Match": '"x"' });
      expect([unlike.status, await unlike.json()]).toMatchObject([
        ...[412, { code: "412" }],
      ]);

      const bare = url.replace(/\?.*/, "");
      expect((await fetch(bare)).status).toBe(401);
      expect((await fetch(url.replace(/.$/, "_"))).status).toBe(401);
      expect((await fetch(`${bare}/other`)).status).toBe(401);
      const byKey = await content.request(new URL(bare).pathname);
      expect(byKey.status).toBe(200);
      await byKey.arrayBuffer();

      const filter = `/v4/assets?asset_url=eq.${encodeURIComponent(url)}&select=id`;
      expect(await content.rows(filter)).toEqual([{ id }]);

      const words = ["--data-dir", dataDir];
      if (databaseUrl) words.push("--database-url", databaseUrl);
      const reading = readContentConfig(words, {});
      if (!reading.ok) throw new Error(reading.message);
      const secret = await withKeys(reading.value, (keys) =>
        keys.add({ name: "other", team: "Others" }),
      );
      const others = clientAt(content.address, secret);
      expect((await others.request(new URL(bare).pathname)).status).toBe(404);
      expect(await others.rows("/v4/assets")).toEqual([]);
      expect(secret).not.toBe(contentKey);
    });
  });
});

/** With a plain client: fetch bypasses caches when it is given a condition. */
function statusWith(
  url: string,
  headers: Record<string, string>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    }).on("error", reject);
  });
}
