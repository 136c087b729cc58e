// A disk that fails under a running service: reads and writes are rejected then, and work again when the disk does.

import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { eachContent } from "../../support/content/each-content.ts";
import {
  failingDisk,
  mayFail,
  type FailingDisk,
} from "../../support/machine/failing-disk.ts";
import { png } from "../../support/media/media.ts";
import {
  serveContent,
  type Row,
  type ServedContent,
} from "../../support/content/start-content.ts";

/** More than one read of a file returns. */
const large = Buffer.concat([png([1, 2, 3]), Buffer.alloc(3_000_000, 7)]);

/** A response, and the headers it must not have when a file cannot be read. */
async function reported(answer: Response) {
  const text = await answer.text();
  return {
    status: answer.status,
    body: JSON.parse(text) as unknown,
    hasPause: answer.headers.has("Retry-After"),
    ofFile: ["ETag", "Cache-Control", "Content-Range", "Accept-Ranges"].filter(
      (name) => answer.headers.has(name),
    ),
    hasPath: /\/tmp\/|\/kept\/|\/aside\//.test(text),
  };
}

const unavailable = {
  status: 503,
  body: {
    code: "58030",
    message: "The service's files are not available right now.",
    ...{ details: null, hint: null },
  },
  ...{ hasPause: true, ofFile: [], hasPath: false },
};

describe.runIf(mayFail)("a failing disk", () => {
  eachContent(({ ground }) => {
    async function serve(): Promise<[ServedContent, FailingDisk]> {
      const { dataDir, databaseUrl } = await ground();
      const disk = await failingDisk(path.join(dataDir, "files"));
      const words = databaseUrl ? ["--database-url", databaseUrl] : [];
      return [await serveContent(dataDir, words, disk.env), disk];
    }

    it("[V4-321] during the read of a stored file is 503, without the file's headers; after them the connection is closed", async () => {
      const [content, disk] = await serve();
      const uploaded = await content.upload(large, { title: "a" });
      const [{ id } = { id: "" }] = (await uploaded.json()) as Row[];
      const url = await vi.waitUntil(
        async () => {
          const rows = await content.rows<{ asset_url: string }>(
            `/v4/assets?id=eq.${id}&status=eq.finished`,
          );
          return rows[0]?.asset_url;
        },
        { interval: 20 },
      );
      await disk.break("read");
      expect(await reported(await fetch(url))).toEqual(unavailable);
      const part = { Range: "bytes=100-199" };
      expect(await reported(await fetch(url, { headers: part }))).toEqual(
        unavailable,
      );
      await disk.repair("read");
      await disk.break("read-late");
      const begun = await fetch(url);
      expect(begun.status).toBe(200);
      await expect(begun.arrayBuffer()).rejects.toThrow();
      await disk.repair("read-late");
      const complete = await fetch(url);
      expect(Buffer.from(await complete.arrayBuffer())).toEqual(large);
    });

    it.each(["write", "flush"] as const)(
      "[V4-321] when an upload is to %s is 503, and leaves no asset",
      async (fault) => {
        const [content, disk] = await serve();
        await disk.break(fault);
        expect(
          await reported(await content.upload(large, { title: "a" })),
        ).toEqual(unavailable);
        expect(await content.rows("/v4/assets")).toEqual([]);
        await disk.repair(fault);
        expect((await content.upload(large, { title: "a" })).status).toBe(201);
      },
    );
  });
});
