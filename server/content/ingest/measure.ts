// What stored bytes are: kind of asset, media type, size in pixels and seconds; told by the bytes alone (V4-220).

import { judgeMedia } from "../../platform/media/media-probe.ts";
import { IngestError } from "./ingest-error.ts";

export interface Measured {
  readonly type: "image" | "video" | "audio" | "pdf";
  readonly mimetype: string;
  /** As it is seen: turned the way a camera says. */
  readonly width: number | null;
  readonly height: number | null;
  readonly durationSeconds: number | null;
}

export interface MeasureOptions {
  /** A picture's small copy (WebP) is written into this file. */
  readonly previewFile: string;
  /** What hangs by it ends at once, with `JudgingEnded`. */
  readonly signal?: AbortSignal | undefined;
}

export interface MeasuredWithPreview extends Measured {
  readonly hasPreview: boolean;
}

const pdfType = "application/pdf";

/** Null for what is no media at all; throws `IngestError` for media that is damaged or that no player shows (V4-250). */
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

/** A film without pictures is a sound: told by the tracks, not by the container. */
function kindOf(mimetype: string, hasVideo: boolean): Measured["type"] {
  if (mimetype === pdfType) return "pdf";
  if (mimetype.startsWith("image/")) return "image";
  return hasVideo ? "video" : "audio";
}
