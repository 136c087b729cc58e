// Ingest from a source to `finished`: which fields are filled in, and what a restart or a second instance does.

import type { ServerResponse } from "node:http";
import path from "node:path";
import { PDFDocument } from "@cantoo/pdf-lib";
import { describe, expect, it, vi } from "vitest";
import type { ContentTables } from "../../../../server/content/tables.ts";
import { openPostgres } from "../../../../server/platform/database/postgres.ts";
import { openSqliteDatabase } from "../../../../server/platform/sqlite/sqlite-database.ts";
import {
  addAsset,
  addAssetAndWait,
  md5,
  readAsset,
  waitUntilProcessed,
} from "../../../support/content/ingest-asset.ts";
import { eachContent } from "../../../support/content/each-content.ts";
import { clip, png } from "../../../support/media/media.ts";
import { breakingOff, serveSources } from "../../../support/http/sources.ts";
import {
  startContent,
  type Row,
} from "../../../support/content/start-content.ts";

async function bytesAt(url: unknown): Promise<Buffer> {
  const answer = await fetch(String(url));
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

describe("ingest", () => {
  eachContent(({ start, ground, kind }) => {
    it("[V4-210] [V4-215] processes an image, and leaves the client's fields as sent until then", async () => {
      const bytes = png([10, 20, 30]);
      const held: ServerResponse[] = [];
      const { address } = await serveSources({
        "/a.png": (_request, response) => held.push(response),
      });
      const content = await start();
      const sent = {
        ...{ title: "Lobby", source_url: `${address}/a.png` },
        ...{ metadata: { floor: 3 }, headers: { "X-A": "b" } },
      };
      const fresh = await addAsset(content, sent);
      const blank = {
        ...{ status: "none", asset_url: "", type: null, md5: null },
        ...{ thumbnail_uri: null, mimetype: null, width: null, height: null },
        ...{ processing_error: "", source_md5: null, source_size: null },
      };
      expect(fresh).toMatchObject({ ...sent, ...blank });
      await vi.waitUntil(() => held.length === 1);
      expect(await readAsset(content, fresh.id)).toMatchObject({
        ...{ ...sent, ...blank, status: "downloading" },
      });
      held[0]?.end(bytes);
      const row = await waitUntilProcessed(content, fresh.id);
      expect(row).toMatchObject({
        ...{
          ...sent,
          status: "finished",
          type: "image",
          mimetype: "image/png",
        },
        ...{ width: 64, height: 36, duration: null, processing_error: "" },
        ...{ md5: md5(bytes), source_md5: md5(bytes) },
        ...{ source_size: bytes.length },
      });
      expect(row["signature"]).toMatch(/^0a20[0-9a-f]+$/);
      expect(await bytesAt(row["asset_url"])).toEqual(bytes);
      const thumbnail = await bytesAt(row["thumbnail_uri"]);
      expect(thumbnail.subarray(8, 12).toString()).toBe("WEBP");
    });

    it("[V4-220] processes a video with its length, a page as it is, and leaves a stream untouched", async () => {
      const film = await clip({ colour: [1, 1, 1], seconds: 1 });
      const { address, requests } = await serveSources({
        "/film": film,
        "/page": "<!doctype html><title>p</title>",
        "/live.m3u8": (_request, response) => {
          response.setHeader("Content-Type", "application/vnd.apple.mpegurl");
          response.end("#EXTM3U\n");
        },
      });
      const content = await start();
      const ingest = (path: string) =>
        addAssetAndWait(content, { source_url: `${address}${path}` });
      expect(await ingest("/film")).toMatchObject({
        ...{ status: "finished", type: "video", mimetype: "video/mp4" },
        ...{ width: 640, height: 360, thumbnail_uri: null },
        duration: expect.closeTo(1, 1) as number,
      });
      const page = `${address}/page`;
      expect(await ingest("/page")).toMatchObject({
        ...{ status: "finished", type: "web", asset_url: page, title: page },
        ...{ md5: "skip_md5", source_md5: null, width: null },
      });
      expect(await ingest("/live.m3u8")).toMatchObject({
        ...{ status: "finished", type: "streaming" },
        asset_url: `${address}/live.m3u8`,
      });
      expect(requests("/live.m3u8")).toHaveLength(1);
    });

    it("[V4-223] creates an asset per page of a PDF, deleted with it", async () => {
      const complete = await PDFDocument.create();
      for (const width of [100, 200]) complete.addPage([width, 50]);
      const content = await start();
      const [group] = await content.add("/v4.1/asset-groups", { title: "G" });
      const uploaded = await content.upload(
        Buffer.from(await complete.save()),
        {
          ...{ title: "Menu", asset_group_id: group?.id ?? "" },
        },
      );
      expect(uploaded.status).toBe(201);
      const [{ id } = { id: "" }] = (await uploaded.json()) as Row[];
      expect(await waitUntilProcessed(content, id)).toMatchObject({
        ...{ status: "finished", type: "pdf", mimetype: "application/pdf" },
        processing_error: "",
      });
      const pages = await content.rows(
        `/v4.1/assets?pdf_asset_id=eq.${id}&order=pdf_page_number`,
      );
      expect(pages).toMatchObject(
        [1, 2].map((number) => ({
          ...{ type: "pdf-page", status: "finished", pdf_asset_id: id },
          ...{ pdf_page_number: number, pdf_page_enabled: true },
          ...{ pdf_page_rotation: 0, asset_group_id: group?.id },
          title: `Menu – ${number}`,
        })),
      );
      const second = await PDFDocument.load(
        await bytesAt(pages[1]?.["asset_url"]),
      );
      expect(second.getPageCount()).toBe(1);
      expect(second.getPage(0).getWidth()).toBe(200);
      await content.request(`/v4.1/assets?id=eq.${id}`, { method: "DELETE" });
      expect(await content.rows("/v4.1/assets")).toEqual([]);
    });

    it("[V4-213] resumes an interrupted download after a restart", async () => {
      const bytes = Buffer.concat([png([1, 9, 1]), Buffer.alloc(2_000_000)]);
      const held: ServerResponse[] = [];
      const resume = breakingOff(bytes, () => '"same"');
      const { address, requests } = await serveSources({
        "/a.png": (request, response) => {
          if (request.headers.range) {
            resume(request, response);
            return;
          }
          // Cut before a byte was on disk: then it starts from the beginning.
          if (held.length > 0) {
            response.end(bytes);
            return;
          }
          held.push(response);
          response.writeHead(200, {
            ...{ ETag: '"same"', "Content-Length": bytes.length },
          });
          response.write(bytes.subarray(0, 1_000_000));
        },
      });
      const { dataDir, databaseUrl } = await ground();
      const first = await startContent(dataDir, { databaseUrl });
      const { id } = await addAsset(first, { source_url: `${address}/a.png` });
      await vi.waitUntil(() => held.length === 1);
      await first.stop();
      const second = await startContent(dataDir, { databaseUrl });
      expect(await waitUntilProcessed(second, id)).toMatchObject({
        ...{ status: "finished", md5: md5(bytes) },
      });
      // Resumed once where it was cut, and the bytes that had arrived by then are not requested again.
      expect(requests("/a.png").length).toBeLessThanOrEqual(2);
    });

    it("[V4-213] does not run twice after a worker stood still for longer than its lease", async () => {
      const leaseMs = 300;
      const bytes = png([1, 9, 2]);
      const held: ServerResponse[] = [];
      const { address, requests } = await serveSources({
        "/a.png": (_request, response) => held.push(response),
      });
      const { dataDir, databaseUrl } = await ground();
      const content = await startContent(dataDir, { databaseUrl, leaseMs });
      const { id } = await addAsset(content, {
        source_url: `${address}/a.png`,
      });
      await vi.waitUntil(() => held.length === 1);
      for (let time = 0; time < 4; time += 1) {
        // A write triggers a check for due work, before or after the lease is renewed.
        await content.add("/v4/asset-groups", { title: `Group ${time}` });
        standStill(leaseMs * 1.3);
      }
      await content.add("/v4/asset-groups", { title: "The last one" });
      held.forEach((response) => response.end(bytes));
      expect(await waitUntilProcessed(content, id)).toMatchObject({
        ...{ status: "finished", md5: md5(bytes) },
      });
      expect(requests("/a.png")).toHaveLength(1);
    });

    it("[V4-213] gives up a file that ends its worker each time", async () => {
      const { address, requests } = await serveSources({
        "/a.png": (_request, response) => response.write("never more"),
      });
      const { dataDir, databaseUrl } = await ground();
      const first = await startContent(dataDir, { databaseUrl });
      const { id } = await addAsset(first, { source_url: `${address}/a.png` });
      await vi.waitUntil(() => requests("/a.png").length === 1);
      await first.stop();
      const database = databaseUrl
        ? openPostgres<ContentTables>(databaseUrl, { connections: 1 })
        : openSqliteDatabase<ContentTables>(path.join(dataDir, "content.db"));
      await database.kysely
        .updateTable("asset_intakes")
        .set({ tries: 20 })
        .where("asset_id", "=", id)
        .execute();
      await database.close();
      const second = await startContent(dataDir, { databaseUrl });
      expect(await waitUntilProcessed(second, id)).toMatchObject({
        status: "error",
        processing_error:
          "Processing was stopped: every attempt was interrupted.",
      });
    });

    it.runIf(kind === "postgres")(
      "[V4-213] processes each asset once, however many instances there are",
      async () => {
        const bytes = png([4, 4, 4]);
        const paths = Array.from({ length: 12 }, (_, index) => `/${index}.png`);
        const { address, requests } = await serveSources(
          Object.fromEntries(paths.map((path) => [path, bytes])),
        );
        const { dataDir, databaseUrl } = await ground();
        const both = await Promise.all([
          startContent(dataDir, { databaseUrl }),
          startContent(dataDir, { databaseUrl }),
        ]);
        const rows = await both[0].add(
          "/v4/assets",
          paths.map((path) => ({ source_url: `${address}${path}` })),
        );
        for (const { id } of rows)
          expect(await waitUntilProcessed(both[1], id)).toMatchObject({
            status: "finished",
          });
        for (const path of paths) expect(requests(path)).toHaveLength(1);
      },
    );
  });
});

/** Like a process without processor time, or on a sleeping machine. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
