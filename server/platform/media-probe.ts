// What a file is, told by its bytes: type, and length where it has one.

import { open } from "node:fs/promises";
import { fileTypeFromBuffer, fileTypeFromFile } from "file-type";

export interface Media {
  /** e.g. `image/png`, `video/mp4`. */
  readonly type: string;
  readonly lengthSeconds: number | null;
  /** Why no PC of this kind can play it, in a sentence; null where it is worth a try. */
  readonly problem: string | null;
}

/** Null when the bytes are no picture, film, sound or PDF that is known. They are read unless they are at hand. */
export async function probeMedia(
  file: string,
  bytes?: Uint8Array,
): Promise<Media | null> {
  const found = bytes ? fileTypeFromBuffer(bytes) : fileTypeFromFile(file);
  const type = (await found)?.mime ?? null;
  if (type?.startsWith("image/") || type === "application/pdf")
    return still(type);
  if (type && /^(video|audio)\//.test(type))
    return { type, ...(await probeMoving(file, type)) };
  // SVG is text: other tools call it XML or nothing at all.
  if (type === null || type === "application/xml")
    return (await isSvg(file, bytes)) ? still("image/svg+xml") : null;
  return null;
}

function still(type: string): Media {
  return { type, lengthSeconds: null, problem: null };
}

/** What Chromium opens; the codecs inside decide the rest. */
const containers = new Set([
  "video/mp4",
  "video/x-m4v",
  "video/quicktime",
  "video/3gpp",
  "video/webm",
  "video/matroska",
  "video/x-matroska",
  "video/ogg",
]);

async function probeMoving(
  file: string,
  type: string,
): Promise<Pick<Media, "lengthSeconds" | "problem">> {
  if (type.startsWith("video/") && !containers.has(type))
    return {
      lengthSeconds: null,
      problem: `Files of type ${type} cannot be played here.`,
    };
  // Loaded when first needed: a large library that no start has to wait for.
  const { ALL_FORMATS, FilePathSource, Input } = await import("mediabunny");
  const input = new Input({
    source: new FilePathSource(file),
    formats: ALL_FORMATS,
  });
  try {
    const seconds = await input.computeDuration();
    const track = await input.getPrimaryVideoTrack();
    return {
      lengthSeconds: Number.isFinite(seconds) && seconds > 0 ? seconds : null,
      // A track whose codec has no name here is one that Chromium does not know either.
      problem:
        track && track.codec === null
          ? "This video's codec cannot be played here; H.264, VP9 and AV1 can."
          : null,
    };
  } catch {
    // The type is right and the rest is for the stage to judge.
    return { lengthSeconds: null, problem: null };
  } finally {
    input.dispose();
  }
}

const svgStart =
  /^\uFEFF?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*(?:<!DOCTYPE svg[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<svg[\s>]/i;

async function isSvg(file: string, bytes?: Uint8Array): Promise<boolean> {
  if (bytes) return svgStart.test(textOf(bytes.subarray(0, 4096)));
  const handle = await open(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0);
    return svgStart.test(textOf(buffer.subarray(0, bytesRead)));
  } finally {
    await handle.close();
  }
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("utf8");
}
