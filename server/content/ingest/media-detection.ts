// Identifies stored bytes: kind of asset, media type, size in pixels and duration, from the content alone (V4-220).

import { judgeMedia } from "../../platform/media/media-probe.ts";
import { IngestError } from "./ingest-error.ts";

export interface Measured {
  readonly type: "image" | "video" | "audio" | "pdf";
  readonly mimetype: string;
  /** As displayed: after applying the EXIF orientation. */
  readonly width: number | null;
  readonly height: number | null;
  readonly durationSeconds: number | null;
}

export interface MeasureOptions {
  /** The preview of an image (WebP) is written to this file. */
  readonly previewFile: string;
  /** Aborts a process that hangs on it, with `JudgingEnded`. */
  readonly signal?: AbortSignal | undefined;
}

export interface MeasuredWithPreview extends Measured {
  readonly hasPreview: boolean;
}

const pdfType = "application/pdf";

/** Null when the bytes are no media; throws `IngestError` for media that is damaged or that no player can show (V4-250). */
export async function measure(
  file: string,
  { previewFile, signal }: MeasureOptions,
): Promise<MeasuredWithPreview | null> {
  const media = await judgeMedia({ file, previewFile }, signal);
  if (media === null) return null;
  const { type: mimetype, problem, size, lengthSeconds, tracks } = media;
  if (problem !== null) throw new IngestError(problem);
  return {
    type: kindOf(mimetype, tracks?.hasVideo ?? false),
    mimetype,
    ...{ width: size?.width ?? null, height: size?.height ?? null },
    durationSeconds:
      lengthSeconds === null ? null : Math.round(lengthSeconds * 1000) / 1000,
    hasPreview: media.hasPreviewFile,
  };
}

/** A video container without a video track is audio: the tracks decide, not the container. */
function kindOf(mimetype: string, hasVideo: boolean): Measured["type"] {
  if (mimetype === pdfType) return "pdf";
  if (mimetype.startsWith("image/")) return "image";
  return hasVideo ? "video" : "audio";
}
