// Media type and size detection: real images, videos and documents, intact and damaged.

import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { PDFDocument } from "@cantoo/pdf-lib";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import {
  measure as measureWith,
  type Measured,
} from "../../../../server/content/ingest/media-detection.ts";
import { splitPdf } from "../../../../server/content/ingest/split-pdf-pages.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { clip, picture } from "../../../support/media/media.ts";

async function written(bytes: Buffer | string): Promise<string> {
  const file = path.join(await temporaryFolder(), "file");
  await writeFile(file, bytes);
  return file;
}

const measure = async (file: string): Promise<Measured | null> => {
  const measured = await measureWith(file, { previewFile: `${file}.preview` });
  if (measured === null) return null;
  const { hasPreview: _, ...facts } = measured;
  return facts;
};

/** The preview's bytes; throws the error that rejects the image. */
const previewOf = async (file: string): Promise<Buffer> => {
  await measure(file);
  return readFile(`${file}.preview`);
};

const rotated = (): Promise<Buffer> =>
  sharp(picture([200, 30, 30], 64, 36))
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();

describe("measuring", () => {
  it("[V4-220] recognises an image by its bytes, with its size", async () => {
    expect(await measure(await written(picture([1, 2, 3])))).toEqual({
      ...{ type: "image", mimetype: "image/png", width: 64, height: 36 },
      durationSeconds: null,
    });
  });

  it("[V4-221] returns an image's size as displayed, with the camera's orientation applied", async () => {
    expect(await measure(await written(await rotated()))).toMatchObject({
      ...{ mimetype: "image/jpeg", width: 36, height: 64 },
    });
  });

  it("[V4-220] treats an SVG as an image", async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"><path d="M0 0h9v9"/></svg>';
    expect(await measure(await written(svg))).toMatchObject({
      ...{ type: "image", mimetype: "image/svg+xml", width: 30, height: 20 },
    });
  });

  it("[V4-220] returns a video's size and length", async () => {
    const film = await clip({ colour: [9, 9, 9], seconds: 2 });
    expect(await measure(await written(film))).toEqual({
      ...{ type: "video", mimetype: "video/mp4", width: 640, height: 360 },
      durationSeconds: expect.closeTo(2, 1) as number,
    });
  });

  it("[V4-220] does not recognise bytes that are not media", async () => {
    expect(await measure(await written("hello"))).toBeNull();
    expect(await measure(await written(Buffer.alloc(5000, 1)))).toBeNull();
  });

  it("[V4-216] rejects a truncated video, with a clear message", async () => {
    const film = await clip({ colour: [9, 9, 9], seconds: 1 });
    await expect(measure(await written(film.subarray(0, 300)))).rejects.toThrow(
      /damaged or breaks off/,
    );
  });
});

describe("a preview", () => {
  it("[V4-221] is small, with the camera's orientation applied", async () => {
    const large = await sharp(picture([0, 90, 0], 2000, 1000))
      .withMetadata({ orientation: 8 })
      .jpeg()
      .toBuffer();
    const preview = await previewOf(await written(large));
    const { format, width, height } = await sharp(preview).metadata();
    expect({ format, width, height }).toEqual({
      ...{ format: "webp", width: 240, height: 480 },
    });
  });

  it("[V4-216] of a truncated image is rejected", async () => {
    const half = picture([1, 2, 3], 300, 300).subarray(0, 200);
    await expect(previewOf(await written(half))).rejects.toThrow(
      /cannot be decoded to its end/,
    );
  });
});

describe("a PDF", () => {
  it("[V4-223] is split into one document per page", async () => {
    const complete = await PDFDocument.create();
    for (const width of [100, 200, 300]) complete.addPage([width, 50]);
    const pages: Uint8Array[] = [];
    const file = await written(Buffer.from(await complete.save()));
    const pageFile = `${file}.page`;
    await splitPdf(file, {
      pageFile,
      onPage: async () => void pages.push(await readFile(pageFile)),
    });
    const widths = await Promise.all(
      pages.map(async (bytes) => {
        const single = await PDFDocument.load(bytes);
        expect(single.getPageCount()).toBe(1);
        return single.getPage(0).getWidth();
      }),
    );
    expect(widths).toEqual([100, 200, 300]);
  });

  it("[V4-216] that is damaged is rejected with a clear message", async () => {
    const file = await written("%PDF-1.7\nnothing");
    const onPage = async (): Promise<void> => undefined;
    await expect(
      splitPdf(file, { pageFile: `${file}.page`, onPage }),
    ).rejects.toThrow("This PDF is damaged: its pages cannot be read.");
  });
});
