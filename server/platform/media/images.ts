// Decodes images completely, and makes their renditions and thumbnails. Runs only in the media process.

import { open, readFile, stat, writeFile } from "node:fs/promises";
import sharp, { type Metadata, type Sharp } from "sharp";
import { systemCode } from "../outside-error.ts";
import {
  damaged,
  judged,
  type JudgedMedia,
  type MediaJob,
  type PixelSize,
} from "./media-job.ts";
import {
  maxPixels,
  maxShownPixels,
  maxShownSide,
  maxSvgBytes,
} from "./media-limits.ts";
import { isSvgMoving, outsideReferenceOf } from "./svg-references.ts";

/** An SVG has no pixels of its own: it is rendered at the size of a 4K display. */
const drawnSide = 3840;
const drawnPixels = 3840 * 2160;
/** Sharp enough for a list on a high-density display. */
const previewSide = 480;
/** Only to verify that all of it can be decoded. */
const checkedSide = 64;

sharp.cache(false);
sharp.concurrency(1);

export async function judgeImage(
  job: MediaJob,
  type: string,
): Promise<JudgedMedia> {
  if (type === "image/bmp") return judgeBitmap(job.file, type);
  if (type === "image/x-icon") return judged(type);
  if (type === "image/svg+xml") return judgeDrawing(job, type);
  return judgePixels(job, type);
}

/** What libvips calls truncated or broken is damaged; a mere warning (stray bytes after a camera's JPEG) is not. */
function opened(input: string | Buffer, isMoving = false): Sharp {
  return sharp(input, {
    ...{ failOn: "error", limitInputPixels: false, sequentialRead: true },
    animated: isMoving,
  });
}

async function judgePixels(
  { file, shownFile, previewFile }: MediaJob,
  type: string,
): Promise<JudgedMedia> {
  const about = await opened(file)
    .metadata()
    .catch(() => null);
  if (about === null)
    return (await isAnimatedAvif(file, type))
      ? judged(type, { problem: animatedAvif })
      : damagedImage(type);
  const size = sizeOf(about);
  const tooLarge = problemOfSize(size);
  if (tooLarge !== null) return damaged(type, tooLarge);
  const isMoving = (about.pages ?? 1) > 1 && /gif|webp/.test(type);
  const isLarge = isTooLargeToShow(size);
  if (isLarge && isMoving)
    return damaged(
      type,
      `This animation is larger than the limit of ${Math.floor(maxShownPixels / 1e6)} megapixels.`,
    );
  try {
    if (isMoving && !(await hasAllFrames(file, type)))
      return damagedImage(type);
    let source = file;
    // The stage ignores the orientation tag of a WebP.
    const isRotated = type === "image/webp" && (about.orientation ?? 1) > 1;
    if ((isLarge || (isRotated && !isMoving)) && shownFile !== undefined) {
      const shown = shownSizeOf(size);
      const rendition = await opened(file)
        .autoOrient()
        .resize(shown.width, shown.height, { fit: "fill" })
        .webp({ quality: 90, effort: 1 })
        .toBuffer();
      await writeFile(shownFile, rendition);
      source = shownFile;
    }
    await writePreview(source, previewFile);
    if (type === "image/jpeg" && (await isJpegCorrupt(file)))
      return damagedImage(type);
    return judged(type, {
      size,
      hasShownFile: source === shownFile,
      hasPreviewFile: previewFile !== undefined,
    });
  } catch (error) {
    if (systemCode(error) !== undefined) throw error;
    return damagedImage(type);
  }
}

const animatedAvif =
  "Animated AVIF is not supported; convert it to WebP or GIF.";

/** Its first box names the brand of the file: one with an image sequence. */
async function isAnimatedAvif(file: string, type: string): Promise<boolean> {
  if (type !== "image/avif") return false;
  const handle = await open(file, "r");
  try {
    const { buffer } = await handle.read(Buffer.alloc(12), 0, 12, 0);
    return buffer.toString("latin1", 4, 12) === "ftypavis";
  } finally {
    await handle.close();
  }
}

/**
 * Its decoder continues after most damage, and only logs a warning; stray bytes between its segments, which some cameras leave, are
 * not damage.
 */
async function isJpegCorrupt(file: string): Promise<boolean> {
  try {
    await sharp(file, {
      ...{ failOn: "warning", limitInputPixels: false, sequentialRead: true },
    })
      .resize(checkedSide, checkedSide, { fit: "fill" })
      .raw()
      .toBuffer();
    return false;
  } catch (error) {
    return /bad Huffman code|premature end of data segment/.test(String(error));
  }
}

/** Each frame is scaled down: libvips reads them one after the other. Throws when one cannot be decoded. */
async function hasAllFrames(file: string, type: string): Promise<boolean> {
  // In a truncated GIF, libvips omits the incomplete frame.
  if (type === "image/gif" && !(await endsAsGif(file))) return false;
  await opened(file, true)
    .resize(checkedSide, checkedSide, { fit: "fill" })
    .raw()
    .toBuffer();
  return true;
}

/** With the trailer, which some writers follow with zeros. */
async function endsAsGif(file: string): Promise<boolean> {
  const handle = await open(file, "r");
  try {
    const { size } = await handle.stat();
    const end = Buffer.alloc(Math.min(size, 64));
    await handle.read(end, 0, end.length, size - end.length);
    return end.findLast((byte) => byte !== 0) === 0x3b;
  } finally {
    await handle.close();
  }
}

async function writePreview(
  source: string | Buffer,
  previewFile: string | undefined,
): Promise<void> {
  const side = previewFile === undefined ? checkedSide : previewSide;
  const small = opened(source)
    .autoOrient()
    .resize(side, side, { fit: "inside", withoutEnlargement: true });
  if (previewFile === undefined) await small.raw().toBuffer();
  // libvips would not tell a disk that rejects it from a damaged image.
  else
    await writeFile(previewFile, await small.webp({ quality: 80 }).toBuffer());
}

/** Rendered once, within the limits of this process; the rendition contains only that image, in the drawing's own size. */
async function judgeDrawing(
  { file, shownFile, previewFile }: MediaJob,
  type: string,
): Promise<JudgedMedia> {
  const { size: bytes } = await stat(file);
  if (bytes > maxSvgBytes)
    return damaged(
      type,
      `This SVG is larger than the limit of ${maxSvgBytes / 1024 ** 2} MB.`,
    );
  // Passed as bytes, it has no base folder from which it could read other files.
  const svg = await readFile(file);
  const text = svg.toString("utf8");
  const outside = outsideReferenceOf(text);
  if (outside !== null)
    return damaged(
      type,
      `This SVG refers to ${outside.slice(0, 200)}, which is outside the file. Embed everything it shows.`,
    );
  try {
    const { width, height, densityFor } = await measured(svg);
    const png = await sharp(svg, {
      ...{ failOn: "error", limitInputPixels: maxShownPixels * 2 },
      density:
        shownFile === undefined
          ? densityFor(2 * previewSide, Infinity)
          : densityFor(drawnSide, drawnPixels),
    })
      .png({ compressionLevel: 2 })
      .toBuffer();
    if (!(await hasInk(png))) return damaged(type, "This SVG is empty.");
    if (shownFile !== undefined)
      await writeFile(shownFile, holding(png, { width, height }));
    await writePreview(png, previewFile);
    return judged(type, {
      size: { width, height },
      remark: isSvgMoving(text) ? "Animations in this SVG do not play." : null,
      hasShownFile: shownFile !== undefined,
      hasPreviewFile: previewFile !== undefined,
    });
  } catch (error) {
    if (systemCode(error) !== undefined) throw error;
    return damaged(type, "This SVG is damaged or cannot be rendered.");
  }
}

interface Drawing extends PixelSize {
  /** Density for rendering it with at most this many pixels, and neither side longer than that. */
  densityFor(side: number, pixels: number): number;
}

const baseDensity = 72;
/** Far enough from the first density to measure how a side grows. */
const measuredTimes = 4;

/**
 * A side in pixels grows with the density; one in millimetres, inches or points grows with its square, since the density applies to
 * the unit as well.
 */
async function measured(svg: Buffer): Promise<Drawing> {
  const at = async (density: number): Promise<PixelSize> =>
    sharp(svg, {
      ...{ failOn: "error", limitInputPixels: false, density },
    }).metadata();
  const base = await at(baseDensity);
  const large = await at(baseDensity * measuredTimes).catch(() => base);
  const isOfUnits = (side: "width" | "height"): boolean =>
    large[side] / base[side] > (measuredTimes + measuredTimes ** 2) / 2;
  const power = {
    width: isOfUnits("width") ? 2 : 1,
    height: isOfUnits("height") ? 2 : 1,
  };
  // An inch has 96 pixels in the browser.
  const shown = (side: "width" | "height"): number =>
    power[side] === 2
      ? Math.round((base[side] * 96) / baseDensity)
      : base[side];
  return {
    ...{ width: shown("width"), height: shown("height") },
    densityFor: (side, pixels) => {
      const scale = Math.min(
        (side / base.width) ** (1 / power.width),
        (side / base.height) ** (1 / power.height),
        (pixels / (base.width * base.height)) **
          (1 / (power.width + power.height)),
      );
      return Math.min(100_000, Math.max(1, baseDensity * scale));
    },
  };
}

async function hasInk(png: Buffer): Promise<boolean> {
  const alpha = await sharp(png)
    .ensureAlpha()
    .extractChannel("alpha")
    .raw()
    .toBuffer();
  return alpha.some((value) => value > 0);
}

function holding(png: Buffer, { width, height }: PixelSize): string {
  const box = `width="${width}" height="${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${box} viewBox="0 0 ${width} ${height}"><image ${box} preserveAspectRatio="none" href="data:image/png;base64,${png.toString("base64")}"/></svg>`;
}

/** Width, height and depth are at the same offset in every bitmap with a header of forty bytes or more. */
async function judgeBitmap(file: string, type: string): Promise<JudgedMedia> {
  const handle = await open(file, "r");
  try {
    const { size: sizeBytes } = await handle.stat();
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(54), 0, 54, 0);
    if (bytesRead < 54 || buffer.readUInt32LE(14) < 40)
      return damagedImage(type);
    const size = {
      width: Math.abs(buffer.readInt32LE(18)),
      height: Math.abs(buffer.readInt32LE(22)),
    };
    if (size.width * size.height > maxShownPixels)
      return damaged(
        type,
        `This BMP is larger than the limit of ${Math.floor(maxShownPixels / 1e6)} megapixels; convert it to PNG or JPEG.`,
      );
    const isPacked = buffer.readUInt32LE(30) !== 0;
    const rowBytes = Math.ceil((size.width * buffer.readUInt16LE(28)) / 32) * 4;
    const expectedBytes = buffer.readUInt32LE(10) + rowBytes * size.height;
    return size.width === 0 ||
      size.height === 0 ||
      (!isPacked && sizeBytes < expectedBytes)
      ? damagedImage(type)
      : judged(type, { size });
  } finally {
    await handle.close();
  }
}

function sizeOf({ autoOrient }: Metadata): PixelSize {
  return { width: autoOrient.width, height: autoOrient.height };
}

function problemOfSize({ width, height }: PixelSize): string | null {
  return width * height > maxPixels
    ? `This image is larger than the limit of ${maxPixels / 1e6} megapixels.`
    : null;
}

function isTooLargeToShow({ width, height }: PixelSize): boolean {
  return (
    width * height > maxShownPixels || Math.max(width, height) > maxShownSide
  );
}

/** The same aspect ratio within the maximum pixels and side that are shown. */
export function shownSizeOf({ width, height }: PixelSize): PixelSize {
  const scale = Math.min(
    1,
    Math.sqrt(maxShownPixels / (width * height)),
    maxShownSide / Math.max(width, height),
  );
  const scaled = (side: number) => Math.max(1, Math.floor(side * scale));
  return { width: scaled(width), height: scaled(height) };
}

function damagedImage(type: string): JudgedMedia {
  return damaged(
    type,
    `This ${type} image is damaged: it cannot be decoded completely.`,
  );
}
