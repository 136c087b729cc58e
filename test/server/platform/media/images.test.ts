// Validation of images by the real decoders: complete, damaged, too large, SVG.

import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import sharp, { type Sharp } from "sharp";
import { describe, expect, it } from "vitest";
import { judgeMedia } from "../../../../server/platform/media/media-probe.ts";
import {
  maxMemoryMb,
  maxPixels,
  maxShownPixels,
} from "../../../../server/platform/media/media-limits.ts";
import { shownSizeOf } from "../../../../server/platform/media/images.ts";
import { outsideReferenceOf } from "../../../../server/platform/media/svg-references.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { png } from "../../../support/media/media.ts";

async function written(bytes: Buffer | string): Promise<string> {
  const file = path.join(await temporaryFolder(), "file");
  await writeFile(file, bytes);
  return file;
}

async function judge(bytes: Buffer | string) {
  const file = await written(bytes);
  const shownFile = `${file}.shown`;
  const media = await judgeMedia({ file, shownFile });
  return { media, shownFile };
}

const noise = (width: number, height: number): Sharp =>
  sharp(randomBytes(width * height * 3), {
    raw: { width, height, channels: 3 },
  });

const formats = {
  png: () => noise(300, 200).png().toBuffer(),
  jpeg: () => noise(300, 200).jpeg().toBuffer(),
  "progressive JPEG": () =>
    noise(300, 200).jpeg({ progressive: true }).toBuffer(),
  webp: () => noise(300, 200).webp().toBuffer(),
  gif: () => noise(300, 200).gif().toBuffer(),
  avif: () => noise(300, 200).avif({ effort: 0 }).toBuffer(),
};

/** Of a path below a file. */
const notFolder = process.platform === "win32" ? "ENOENT" : "ENOTDIR";

describe("a disk that fails", () => {
  it.each(["previewFile", "shownFile"] as const)(
    "[V4-335] while the %s is written is not damage of the image",
    async (which) => {
      const side = which === "shownFile" ? 8200 : 40;
      const file = await written(
        await sharp({
          create: { width: side, height: 40, channels: 3, background: "red" },
        })
          .png()
          .toBuffer(),
      );
      const job = { file, [which]: path.join(file, "not", "there") };
      await expect(judgeMedia(job)).rejects.toMatchObject({ code: notFolder });
      const drawing = await written(
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9"/></svg>',
      );
      await expect(judgeMedia({ ...job, file: drawing })).rejects.toMatchObject(
        { code: notFolder },
      );
    },
  );
});

describe("an image", () => {
  it.each(Object.entries(formats))(
    "[V2-420, V4-250] that is complete is accepted, cut off anywhere it is damaged: %s",
    async (_name, made) => {
      const complete = await made();
      expect((await judge(complete)).media).toMatchObject({
        ...{ problem: null, isDamaged: false },
        ...{ size: { width: 300, height: 200 }, hasShownFile: false },
      });
      for (const part of [0.3, 0.5, 0.9, 0.99]) {
        const cut = complete.subarray(0, Math.floor(complete.length * part));
        expect((await judge(cut)).media).toMatchObject({
          isDamaged: true,
          problem: expect.stringContaining("damaged") as string,
        });
      }
    },
  );

  it("[V2-420] that is a PNG with one byte flipped is damaged", async () => {
    const complete = await formats.png();
    for (const part of [0.2, 0.5, 0.8]) {
      const flipped = Buffer.from(complete);
      const at = Math.floor(complete.length * part);
      flipped.writeUInt8(flipped.readUInt8(at) ^ 0x55, at);
      expect((await judge(flipped)).media).toMatchObject({ isDamaged: true });
    }
  });

  it("[V2-501] that is a JPEG with decoder warnings is damaged, with stray bytes between its parts it is not", async () => {
    const complete = await sharp({
      create: { width: 640, height: 360, channels: 3, background: "#a33" },
    })
      .jpeg({ progressive: true })
      .toBuffer();
    const spoilt = Buffer.from(complete);
    spoilt.fill(0xff, complete.length - 600, complete.length - 590);
    expect((await judge(spoilt)).media).toMatchObject({ isDamaged: true });
    const behindHead = 4 + complete.readUInt16BE(4);
    const stray = Buffer.concat([
      complete.subarray(0, behindHead),
      Buffer.from("abc"),
      complete.subarray(behindHead),
    ]);
    expect((await judge(stray)).media).toMatchObject({ problem: null });
  });

  it("[V2-420] that is animated is decoded in all its frames", async () => {
    const frames = await sharp(randomBytes(64 * 360 * 3), {
      raw: { width: 64, height: 360, channels: 3, pageHeight: 36 },
    })
      .gif()
      .toBuffer();
    expect((await judge(frames)).media).toMatchObject({ problem: null });
    const cut = frames.subarray(0, Math.floor(frames.length * 0.8));
    expect((await judge(cut)).media).toMatchObject({ isDamaged: true });
  });

  it("[V2-421] of 108 megapixels is scaled to its display size, upright", async () => {
    const large = await sharp({
      create: { width: 12_000, height: 9_000, channels: 3, background: "#a33" },
    })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { media, shownFile } = await judge(large);
    expect(media).toMatchObject({
      ...{ problem: null, hasShownFile: true },
      size: { width: 9_000, height: 12_000 },
    });
    const { format, width, height } = await sharp(shownFile).metadata();
    expect({ format, width, height }).toEqual({
      format: "webp",
      ...shownSizeOf({ width: 9_000, height: 12_000 }),
    });
  });

  it("[V2-659] that is a WebP of a camera held upright is shown upright, as its preview is", async () => {
    const file = await written(
      await noise(300, 200).withMetadata({ orientation: 6 }).webp().toBuffer(),
    );
    const [shownFile, previewFile] = [`${file}.shown`, `${file}.preview`];
    expect(await judgeMedia({ file, shownFile, previewFile })).toMatchObject({
      ...{ problem: null, hasShownFile: true },
      size: { width: 200, height: 300 },
    });
    for (const created of [shownFile, previewFile])
      expect(await sharp(created).metadata()).toMatchObject({
        ...{ width: 200, height: 300 },
      });
  });

  it("[V2-659] that is an animated AVIF is rejected as such, not as damaged", async () => {
    const still = await formats.avif();
    const moving = Buffer.from(still);
    moving.write("avis", 8, "latin1");
    expect((await judge(moving)).media).toMatchObject({
      ...{ type: "image/avif", isDamaged: false },
      problem: expect.stringContaining("Animated AVIF") as string,
    });
  });

  it("[V2-421] of 20,000 by 20,000 pixels is scaled within the memory of its process", async () => {
    const huge = await sharp({
      create: {
        width: 20_000,
        height: 20_000,
        channels: 3,
        background: "#3a3",
      },
      limitInputPixels: false,
    })
      .png({ compressionLevel: 1 })
      .toBuffer();
    expect(maxMemoryMb).toBeLessThan(2048);
    expect((await judge(huge)).media).toMatchObject({
      ...{ problem: null, hasShownFile: true },
    });
  });

  it("[V2-421] is scaled to the pixel limit with its aspect ratio", () => {
    const side = fc.integer({ min: 1, max: 60_000 });
    fc.assert(
      fc.property(side, side, (width, height) => {
        const shown = shownSizeOf({ width, height });
        expect(shown.width * shown.height).toBeLessThanOrEqual(maxShownPixels);
        expect(Math.max(shown.width, shown.height)).toBeLessThanOrEqual(8192);
        expect(shown.width).toBeLessThanOrEqual(width);
        if (
          width * height > maxPixels ||
          Math.min(shown.width, shown.height) < 9
        )
          return;
        expect(shown.width / shown.height / (width / height)).toBeCloseTo(1, 0);
      }),
    );
  });

  it.each([
    ["image/tiff", () => noise(20, 20).tiff().toBuffer()],
    [
      "image/jp2",
      async () =>
        Buffer.from(
          "0000000c6a5020200d0a870a00000014667479706a703220000000006a703220",
          "hex",
        ),
    ],
  ])("[V2-422] of type %s cannot be shown on a screen", async (type, made) => {
    expect((await judge(await made())).media).toMatchObject({
      ...{ type, isDamaged: false },
      problem: expect.stringContaining("not supported") as string,
    });
  });

  it("[V2-420] that is a bitmap has all its rows", async () => {
    const bitmap = Buffer.alloc(54 + 40 * 30);
    bitmap.write("BM");
    bitmap.writeUInt32LE(bitmap.length, 2);
    bitmap.writeUInt32LE(54, 10);
    bitmap.writeUInt32LE(40, 14);
    bitmap.writeInt32LE(10, 18);
    bitmap.writeInt32LE(30, 22);
    bitmap.writeUInt16LE(1, 26);
    bitmap.writeUInt16LE(32, 28);
    expect((await judge(bitmap)).media).toMatchObject({
      ...{ problem: null, size: { width: 10, height: 30 } },
    });
    expect((await judge(bitmap.subarray(0, 600))).media).toMatchObject({
      isDamaged: true,
    });
  });
});

const svg = (inside: string, attributes = 'width="300" height="200"'): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inside}</svg>`;
const square = '<rect width="100" height="100" fill="#c00"/>';

describe("an SVG", () => {
  it("[V2-423] is rendered once: an image in its own size is shown", async () => {
    const { media, shownFile } = await judge(svg(square));
    expect(media).toMatchObject({
      ...{ problem: null, remark: null, hasShownFile: true },
      size: { width: 300, height: 200 },
    });
    const shown = await readFile(shownFile, "utf8");
    expect(shown).toMatch(/^<svg [^>]*width="300" height="200"/);
    expect(outsideReferenceOf(shown)).toBeNull();
    const [, base64 = ""] = /base64,([^"]+)"/.exec(shown) ?? [];
    const { width, height } = await sharp(
      Buffer.from(base64, "base64"),
    ).metadata();
    expect(width / height).toBeCloseTo(1.5, 2);
    expect(width).toBeGreaterThan(3000);
  });

  it.each([
    [`${square}<image href="http://example.org/a.png" width="9" height="9"/>`],
    [
      `${square}<image xlink:href='file:///etc/hostname' width="9" height="9"/>`,
    ],
    [`${square}<use href="other.svg#a"/>`],
    [
      `${square}<rect width="9" height="9" fill="url(https://example.org/a#b)"/>`,
    ],
    [`<style>@import "//example.org/a.css";</style>${square}`],
    [`<style><![CDATA[@font-face{src:url('/font.woff')}]]></style>${square}`],
  ])("[V2-423] with external references is rejected: %s", async (inside) => {
    expect((await judge(svg(inside))).media).toMatchObject({
      isDamaged: true,
      problem: expect.stringContaining("refers to") as string,
    });
  });

  it.each([
    `<!-- <image href="http://example.org/a.png"/> -->${square}`,
    `<a href="http://example.org">${square}</a>`,
    `<defs><g id="a">${square}</g></defs><use xlink:href="#a"/>`,
    `<image width="9" height="9" href="data:image/png;base64,${png([1, 2, 3]).toString("base64")}"/>`,
    `<style>rect{fill:url(#a) red}</style>${square}`,
  ])("[V2-423] that refers to itself is accepted: %s", async (inside) => {
    expect((await judge(svg(inside))).media).toMatchObject({ problem: null });
  });

  it.each([
    ["210mm", "297mm", [793, 1123]],
    ["21cm", "29.7cm", [793, 1123]],
    ["8in", "4in", [768, 384]],
    ["300pt", "200pt", [400, 267]],
    ["20px", "10px", [20, 10]],
    ["20em", "10em", [240, 120]],
  ] as const)(
    "[V2-658] in %s by %s is rendered as large as any other, and shown in its own size",
    async (width, height, [cssWidth, cssHeight]) => {
      const { media, shownFile } = await judge(
        `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#a33"/></svg>`,
      );
      expect(media).toMatchObject({
        ...{ problem: null, size: { width: cssWidth, height: cssHeight } },
      });
      const shown = await readFile(shownFile, "utf8");
      const png = /base64,([^"]+)/.exec(shown)?.[1] ?? "";
      const drawn = await sharp(Buffer.from(png, "base64")).metadata();
      const pixels = drawn.width * drawn.height;
      expect(Math.max(drawn.width, drawn.height)).toBeLessThanOrEqual(3860);
      expect(pixels).toBeLessThanOrEqual(3860 * 2170);
      expect(
        Math.max(pixels / (3840 * 2160), drawn.width / 3840),
      ).toBeGreaterThan(0.9);
      expect(drawn.width / drawn.height).toBeCloseTo(cssWidth / cssHeight, 1);
    },
  );

  it("[V2-423] that draws nothing is rejected", async () => {
    for (const inside of ["", "<g/>", '<rect width="0" height="9"/>'])
      expect((await judge(svg(inside))).media).toMatchObject({
        isDamaged: true,
        problem: "This SVG is empty.",
      });
  });

  it("[V2-423] that would grow without bound is rejected, not rendered on the stage", async () => {
    const levels = Array.from(
      { length: 12 },
      (_, at) => `<g id="l${at + 1}">${`<use href="#l${at}"/>`.repeat(10)}</g>`,
    );
    const nested = `<defs><rect id="l0" width="9" height="9"/>${levels.join("")}</defs><use href="#l12"/>`;
    expect((await judge(svg(nested))).media).toMatchObject({
      isDamaged: true,
    });
  });

  it("[V2-424] that is animated is accepted with a warning", async () => {
    const moving = svg(
      '<rect width="9" height="9"><animate attributeName="x" to="9" dur="1s"/></rect>',
    );
    expect((await judge(moving)).media).toMatchObject({
      ...{ problem: null },
      remark: expect.stringContaining("do not play") as string,
    });
  });

  it("is scanned in time linear to its length", () => {
    for (const piece of [
      "<",
      "<a ",
      '<a b="',
      "<!--",
      "url(",
      "<![CDATA[",
      "<style>",
      " b=",
      "@import ",
    ])
      expect(outsideReferenceOf(piece.repeat(200_000))).toSatisfy(
        (found) => found === null || typeof found === "string",
      );
  });
});
