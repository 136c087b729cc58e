// Ingest faults: broken connections, and sources that are missing, damaged or at forbidden addresses.

import { readFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import path from "node:path";
import { PDFDocument } from "@cantoo/pdf-lib";
import { describe, expect, it } from "vitest";
import {
  addAssetAndWait,
  md5,
  waitUntilProcessed,
} from "../../../support/content/ingest-asset.ts";
import { eachContent } from "../../../support/content/each-content.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { png, runFfmpeg } from "../../../support/media/media.ts";
import { pdf } from "../../../support/media/pdfs.ts";
import {
  breakingOff,
  serveSources,
  untoldEnd,
} from "../../../support/http/sources.ts";
import { clientAt } from "../../../support/content/start-content.ts";

/** A byte now and then, and never the complete file. */
const dripping: RequestListener = (_request, response) => {
  response.writeHead(200, { "Content-Type": "image/png" });
  const timer = setInterval(() => response.write("x"), 50);
  response.once("close", () => clearInterval(timer));
};

describe("ingest faults", () => {
  eachContent(({ start }) => {
    it("[V4-212] resumes a broken download, when it is still the same file", async () => {
      const bytes = Buffer.concat([png([1, 2, 3]), Buffer.alloc(3_000_000)]);
      const { address, requests } = await serveSources({
        "/a.png": breakingOff(bytes, () => '"one"'),
      });
      const row = await addAssetAndWait(await start(), {
        source_url: `${address}/a.png`,
      });
      expect(row).toMatchObject({ status: "finished", md5: md5(bytes) });
      const [, second] = requests("/a.png");
      expect(second?.headers["if-range"]).toBe('"one"');
      expect(second?.headers.range).toMatch(/^bytes=[1-9]\d*-$/);
      expect(requests("/a.png")).toHaveLength(2);
    });

    it("[V4-212] starts over when the file has changed", async () => {
      const bytes = Buffer.concat([png([3, 2, 1]), Buffer.alloc(3_000_000)]);
      const old = breakingOff(Buffer.alloc(bytes.length, 7), () => '"old"');
      let tries = 0;
      const source: RequestListener = (request, response) => {
        if ((tries += 1) === 1) old(request, response);
        else response.setHeader("ETag", '"new"').end(bytes);
      };
      const { address } = await serveSources({ "/a.png": source });
      const row = await addAssetAndWait(await start(), {
        source_url: `${address}/a.png`,
      });
      expect(row).toMatchObject({ status: "finished", md5: md5(bytes) });
    });

    it("[V4-250] [V4-251] marks as failed, with the reason, what no player can show", async () => {
      const created = async (
        name: string,
        ...args: string[]
      ): Promise<Buffer> => {
        const file = path.join(await temporaryFolder(), name);
        const source = "testsrc2=duration=2:size=320x180:rate=25";
        await runFfmpeg(["-f", "lavfi", "-i", source, ...args, file]);
        return readFile(file);
      };
      const webm = await created("a.webm", "-c:v", "libvpx", "-b:v", "1M");
      const document = await pdf([{ colour: [9, 9, 9] }]);
      const noPages = await PDFDocument.create();
      const files: Readonly<Record<string, readonly [Buffer, RegExp]>> = {
        "a PDF that breaks off": [
          document.subarray(0, document.length / 2),
          /PDF.*(damaged|breaks off)/,
        ],
        "a PDF without pages": [
          Buffer.from(await noPages.save({ addDefaultPage: false })),
          /PDF/,
        ],
        "a WebM that breaks off": [
          webm.subarray(0, webm.length / 2),
          /damaged or incomplete/,
        ],
        ProRes: [await created("a.mov", "-c:v", "prores_ks"), /not supported/],
        "a drawing of nothing": [
          Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>'),
          /./,
        ],
      };
      const content = await start();
      const seen: unknown[] = [];
      for (const [title, [bytes]] of Object.entries(files)) {
        const uploaded = await content.upload(bytes, { title });
        const [{ id }] = (await uploaded.json()) as [{ id: string }];
        const row = await waitUntilProcessed(content, id);
        seen.push([title, row["status"], row["processing_error"]]);
      }
      expect(seen).toEqual(
        Object.entries(files).map(([title, [, reason]]) => [
          ...[title, "error", expect.stringMatching(reason) as string],
        ]),
      );
    });

    it("[V4-278] gives up a source that only trickles", async () => {
      const { address, requests } = await serveSources({
        "/drip.png": dripping,
      });
      const content = await start({ slowMs: 200 });
      const row = await addAssetAndWait(content, {
        source_url: `${address}/drip.png`,
      });
      expect([row["status"], row["processing_error"]]).toEqual([
        ...[
          "error",
          "The source cannot be downloaded: its server is too slow.",
        ],
      ]);
      expect(requests("/drip.png")).toHaveLength(3);
    });

    it("[V4-302] gives up a source that keeps breaking off and starting over, over all its tries together", async () => {
      // Each time more than a new first try requires.
      const piece = Buffer.alloc(3_000_000, 7);
      const { address, requests } = await serveSources({
        "/endless.mp4": (request, response) => {
          const from = Number(
            /bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0,
          );
          const total = 2_000_000_000;
          response.writeHead(from === 0 ? 200 : 206, {
            ETag: '"one"',
            "Content-Length": total - from,
            "Content-Range": `bytes ${from}-${total - 1}/${total}`,
          });
          response.write(piece, () => response.socket?.end());
        },
      });
      const content = await start({ maxFetchMs: 3_000 });
      const row = await addAssetAndWait(content, {
        source_url: `${address}/endless.mp4`,
      });
      expect([row["status"], row["processing_error"]]).toEqual([
        "error",
        "The source cannot be downloaded: it took too long.",
      ]);
      expect(requests("/endless.mp4").length).toBeGreaterThan(1);
    });

    it("[V4-302] gives up a source that never ends, in its first try", async () => {
      const { address, requests } = await serveSources({
        "/drip.png": dripping,
      });
      const content = await start({ maxFetchMs: 300 });
      const row = await addAssetAndWait(content, {
        source_url: `${address}/drip.png`,
      });
      expect([row["status"], row["processing_error"]]).toEqual([
        "error",
        "The source cannot be downloaded: it took too long.",
      ]);
      expect(requests("/drip.png")).toHaveLength(1);
    });

    it("[V4-277] ingests the sources of one team while those of another only trickle, and bytes that are here at once", async () => {
      const { address, requests } = await serveSources({
        ...{ "/drip.png": dripping, "/good.png": png([7, 8, 9]) },
      });
      const content = await start();
      const source_url = `${address}/drip.png`;
      await content.add(
        "/v4/assets",
        Array.from({ length: 6 }, () => ({ source_url })),
      );
      await expect.poll(() => requests("/drip.png").length).toBe(4);
      const other = clientAt(
        content.address,
        await content.keys.add({ name: "other", team: "Other" }),
      );
      const uploaded = await content.upload(png([9, 8, 7]), { title: "U" });
      const [{ id }] = (await uploaded.json()) as [{ id: string }];
      const row = await addAssetAndWait(other, {
        source_url: `${address}/good.png`,
      });
      expect(row["status"]).toBe("finished");
      expect((await waitUntilProcessed(content, id))["status"]).toBe(
        "finished",
      );
    });

    it("[V4-217] [V4-275] makes a page, without verification, only of what may be one: not of a video, nor of a source that answers later", async () => {
      const late = (then: Buffer | string): RequestListener => {
        let tries = 0;
        return (_request, response) => {
          if ((tries += 1) < 3) response.writeHead(503).end();
          else if (typeof then === "string")
            response.setHeader("Content-Type", "text/html").end(then);
          else response.end(then);
        };
      };
      const { address } = await serveSources({
        ...{ "/late.png": late(png([5, 6, 5])), "/gone.mp4": 404 },
        ...{
          "/late": late(png([6, 5, 6])),
          "/board": late("<p>Board</p>"),
        },
        ...{ "/down": 503, "/inside": 401 },
      });
      const content = await start();
      const seen: unknown[] = [];
      for (const path of [
        ...["/late.png", "/gone.mp4", "/late", "/board", "/down", "/inside"],
      ]) {
        const row = await addAssetAndWait(content, {
          ...{ source_url: `${address}${path}`, disable_verification: true },
        });
        seen.push([path, row["status"], row["type"]]);
      }
      expect(seen).toEqual([
        ["/late.png", "finished", "image"],
        ["/gone.mp4", "error", null],
        ["/late", "finished", "image"],
        ["/board", "finished", "web"],
        ["/down", "finished", "web"],
        ["/inside", "finished", "web"],
      ]);
    });

    it("[V4-212] [V4-216] retries temporary failures, and explains permanent ones in plain words", async () => {
      let tries = 0;
      const { address, requests } = await serveSources({
        "/late.png": (_request, response) => {
          if ((tries += 1) < 3) response.writeHead(503).end();
          else response.end(png([5, 5, 5]));
        },
        "/never.png": 500,
        "/gone.png": 404,
        "/empty.png": Buffer.alloc(0),
        "/half.png": png([1, 1, 1], 300, 300).subarray(0, 150),
        "/other.bin": Buffer.alloc(1000, 3),
      });
      const content = await start();
      const reasonOf = async (path: string) => {
        const row = await addAssetAndWait(content, {
          source_url: `${address}${path}`,
        });
        return [row["status"], row["processing_error"]];
      };
      expect(await reasonOf("/late.png")).toEqual(["finished", ""]);
      expect(await reasonOf("/never.png")).toEqual([
        ...[
          "error",
          "The source cannot be downloaded: its server responded with status 500.",
        ],
      ]);
      expect(requests("/never.png")).toHaveLength(3);
      expect(await reasonOf("/gone.png")).toEqual([
        ...[
          "error",
          "The source cannot be downloaded: its server responded with status 404.",
        ],
      ]);
      expect(requests("/gone.png")).toHaveLength(1);
      expect(await reasonOf("/empty.png")).toEqual([
        ...["error", "The source is empty."],
      ]);
      expect(await reasonOf("/half.png")).toEqual([
        ...[
          "error",
          "This image/png image is damaged: it cannot be decoded completely.",
        ],
      ]);
      expect(await reasonOf("/other.bin")).toEqual([
        "error",
        "The file is not a supported image, video, audio or PDF file.",
      ]);
    });

    it("[V4-218] checks what the client announced of the source", async () => {
      const bytes = png([8, 8, 8]);
      const { address } = await serveSources({ "/a.png": bytes });
      const source_url = `${address}/a.png`;
      const content = await start();
      const right = { source_md5: md5(bytes), source_size: bytes.length };
      expect(
        await addAssetAndWait(content, { source_url, ...right }),
      ).toMatchObject({
        ...{ ...right, status: "finished" },
      });
      const wrong = { source_url, source_md5: "0".repeat(32) };
      expect(await addAssetAndWait(content, wrong)).toMatchObject({
        status: "error",
        processing_error: `The source's MD5 is ${md5(bytes)}; source_md5 is ${"0".repeat(32)}.`,
      });
      expect(
        await addAssetAndWait(content, { source_url, source_size: 3 }),
      ).toMatchObject({
        status: "error",
        processing_error: `The source has ${bytes.length} bytes; source_size is 3.`,
      });
      const upload = await content.upload(bytes, { source_size: "3" });
      expect(upload.status).toBe(400);
    });

    it("[V4-324] accepts a possibly truncated download when two were identical, when it is as announced, or at the last try", async () => {
      const bytes = Buffer.concat([png([7, 7, 7]), Buffer.alloc(1000)]);
      const cut = bytes.subarray(0, bytes.length / 2);
      const content = await start();
      const of = async (answers: readonly Buffer[], reported: object = {}) => {
        let at = 0;
        const { address, requests } = await serveSources({
          "/a.png": (request, response) =>
            untoldEnd(answers[at++] ?? bytes)(request, response),
        });
        const row = await addAssetAndWait(content, {
          ...{ source_url: `${address}/a.png`, ...reported },
        });
        const { status, processing_error: reason } = row;
        return [requests("/a.png").length, status, row["md5"] ?? reason];
      };
      const complete = ["finished", md5(bytes)];
      expect(await of([])).toEqual([2, ...complete]);
      expect(await of([cut])).toEqual([3, ...complete]);
      expect(await of([], { source_size: bytes.length })).toEqual([
        1,
        ...complete,
      ]);
      const source_md5 = md5(bytes);
      expect(await of([cut], { source_md5 })).toEqual([2, ...complete]);
      expect(await of([cut, cut], { source_md5 })).toEqual([
        ...[2, "error"],
        `The source's MD5 is ${md5(cut)}; source_md5 is ${source_md5}.`,
      ]);
      const others = [1, 2, 3].map((shade) => png([shade, 2, 2]));
      expect(await of(others)).toEqual([
        ...[3, "finished", md5(others[2] as Buffer)],
      ]);
    });

    it("[V4-212] downloads no more than allowed, announced or not", async () => {
      const chunk = Buffer.alloc(500_000);
      const { address } = await serveSources({
        "/told.mp4": Buffer.alloc(1_100_000),
        "/endless.mp4": (_request, response) => {
          const more = (): void => {
            response.write(chunk, (error) => error ?? more());
          };
          more();
        },
      });
      const content = await start({ maxFileMb: 1 });
      for (const path of ["/told.mp4", "/endless.mp4"])
        expect(
          await addAssetAndWait(content, { source_url: `${address}${path}` }),
        ).toMatchObject({
          status: "error",
          processing_error:
            "The source is larger than the limit of 1000000 bytes.",
        });
    });

    it("[V4-217] rejects a page that does not respond, unless verification is off", async () => {
      const { address } = await serveSources({ "/broken": 500 });
      const content = await start();
      for (const source_url of [`${address}/broken`, "http://127.0.0.1:9/"]) {
        const answer = await content.request("/v4/assets", {
          ...{ method: "POST", body: JSON.stringify({ source_url }) },
          headers: { "Content-Type": "application/json" },
        });
        expect(answer.status).toBe(400);
        expect(await answer.json()).toEqual({
          code: expect.any(String) as string,
          message: expect.stringMatching(
            /^The asset.s address cannot be reached: /,
          ) as string,
          details: source_url,
          hint: expect.any(String) as string,
          type: ["AssetUnreachableError"],
        });
        const body = { source_url, disable_verification: true };
        expect(await addAssetAndWait(content, body)).toMatchObject({
          ...{ status: "finished", type: "web", asset_url: source_url },
        });
      }
    });

    it("[V4-217] requests a page with the headers and the user agent of its asset", async () => {
      const { address, requests } = await serveSources({
        "/inside": ({ headers }, response) =>
          void response
            .writeHead(headers.cookie === "s=1" ? 200 : 401, {
              "Content-Type": "text/html",
            })
            .end("<p>inside</p>"),
      });
      const content = await start();
      const row = await addAssetAndWait(content, {
        ...{ source_url: `${address}/inside`, user_agent: "Signage" },
        headers: { Cookie: "s=1" },
      });
      expect(row).toMatchObject({ status: "finished", type: "web" });
      expect(requests("/inside")[0]?.headers).toMatchObject({
        ...{ cookie: "s=1", "user-agent": "Signage" },
      });
    });

    it("[V4-211] downloads nothing from private addresses for remote clients", async () => {
      const { address, requests } = await serveSources({
        "/a.png": png([1, 1, 1]),
      });
      const { port } = new URL(address);
      const open = { host: "0.0.0.0", behindProxy: true };
      const content = await start(open);
      const local = `http://127.0.0.1:${new URL(content.address).port}`;
      const client = clientAt(local);
      for (const name of ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]"]) {
        const source_url = `http://${name}:${port}/a.png`;
        expect(await addAssetAndWait(client, { source_url })).toMatchObject({
          ...{ status: "error", asset_url: "" },
          processing_error:
            "The source cannot be downloaded: it resolves to an address on a private network.",
        });
      }
      expect(requests("/a.png")).toHaveLength(0);
    });
  });
});
