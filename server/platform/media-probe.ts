// What a file is, told by its bytes: type, and length where it has one.

import { open } from "node:fs/promises";
import { fileTypeFromFile } from "file-type";

export interface Media {
  /** e.g. `image/png`, `video/mp4`. */
  readonly type: string;
  readonly lengthSeconds: number | null;
}

/** Null when the bytes are no picture, film or sound that is known. */
export async function probeMedia(file: string): Promise<Media | null> {
  const type = (await fileTypeFromFile(file))?.mime ?? null;
  if (type && /^(image|video|audio)\//.test(type)) {
    const lengthSeconds = type.startsWith("image/")
      ? null
      : await lengthOf(file);
    return { type, lengthSeconds };
  }
  // SVG is text: other tools call it XML or nothing at all.
  if (type === null || type === "application/xml")
    return (await isSvg(file))
      ? { type: "image/svg+xml", lengthSeconds: null }
      : null;
  return null;
}

async function lengthOf(file: string): Promise<number | null> {
  // Loaded when first needed: a large library that no start has to wait for.
  const { ALL_FORMATS, FilePathSource, Input } = await import("mediabunny");
  const input = new Input({
    source: new FilePathSource(file),
    formats: ALL_FORMATS,
  });
  try {
    const seconds = await input.computeDuration();
    return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
  } catch {
    // The type is right and the rest is for the stage to judge.
    return null;
  } finally {
    input.dispose();
  }
}

const svgStart =
  /^\uFEFF?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*(?:<!DOCTYPE svg[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<svg[\s>]/i;

async function isSvg(file: string): Promise<boolean> {
  const handle = await open(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0);
    return svgStart.test(buffer.subarray(0, bytesRead).toString("utf8"));
  } finally {
    await handle.close();
  }
}
