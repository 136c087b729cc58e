// Job and result of the media process, which parses untrusted media.

export interface MediaJob {
  /** The file to judge; any name if only bytes are given. */
  readonly file: string;
  /** Only the media type is requested, of any kind of file. */
  readonly isTypeOnly?: boolean | undefined;
  /** Instead of the file: its first bytes, in base64, of which only the type is requested. */
  readonly head?: string | undefined;
  /** The rendition of an image that is too large to be shown as it is, and of every SVG, is written to this file. */
  readonly shownFile?: string | undefined;
  /** A thumbnail of an image (WebP) is written to this file. */
  readonly previewFile?: string | undefined;
  /** The file is a PDF, and only its pages are requested. */
  readonly pages?: PageExtraction | undefined;
}

export interface PageExtraction {
  /** Each page in turn is written to this file, as a PDF of its own. */
  readonly file: string;
  /** A PDF with more pages is rejected. */
  readonly most: number;
}

/** Pixels of this program's own to be encoded, instead of a file to be judged. */
export interface PictureJob {
  /** Four bytes each, in base64: blue, green, red and one that is ignored. */
  readonly pixels: string;
  readonly width: number;
  readonly height: number;
  /** Of the WebP. */
  readonly maxBytes: number;
}

/** The written page has been taken, and the next one may follow. */
export interface PageTaken {
  readonly isPageTaken: true;
}

export interface MediaTracks {
  readonly hasVideo: boolean;
  readonly hasAudio: boolean;
}

export interface JudgedMedia {
  /** For example `image/png`, `video/mp4`. */
  readonly type: string;
  readonly lengthSeconds: number | null;
  /** Why it cannot be played, as a sentence; null if it may be playable. */
  readonly problem: string | null;
  /** The file is incomplete or cannot be shown as intended by any player; `problem` contains the reason. */
  readonly isDamaged: boolean;
  /** What is not as intended although the file plays, as a sentence. */
  readonly remark: string | null;
  /** In pixels as displayed: rotated according to the camera's orientation. */
  readonly size: PixelSize | null;
  /** Null for media without tracks. */
  readonly tracks: MediaTracks | null;
  readonly hasShownFile: boolean;
  readonly hasPreviewFile: boolean;
}

export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** Exit code of a process that ended because a file needed more memory than allowed. */
export const outOfMemoryCode = 77;
export const tooMuchMemory =
  "This file is damaged, or reading it takes more memory than allowed.";

/** Type of the rendition that is shown in place of a file of this type. */
export function shownTypeOf(type: string): string {
  return type === "image/svg+xml" ? type : "image/webp";
}

export function judged(
  type: string,
  rest: Partial<JudgedMedia> = {},
): JudgedMedia {
  return {
    ...{ type, lengthSeconds: null, problem: null, isDamaged: false },
    ...{ remark: null, size: null, tracks: null },
    ...{ hasShownFile: false, hasPreviewFile: false },
    ...rest,
  };
}

export function damaged(
  type: string,
  problem = "This file is damaged: it cannot be read completely.",
): JudgedMedia {
  return judged(type, { problem, isDamaged: true });
}
