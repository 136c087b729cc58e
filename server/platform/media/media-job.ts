// What the process that reads foreign media is given, and what it answers.

export interface MediaJob {
  /** What is to be judged; of some bytes alone, any name. */
  readonly file: string;
  /** Nothing but its media type is wanted, of whatever kind. */
  readonly isTypeOnly?: boolean | undefined;
  /** In place of the file: the first bytes of one, in base64, of which nothing but the type is wanted. */
  readonly head?: string | undefined;
  /** A picture that is too large to be shown as it is, and every drawing, is drawn into this file. */
  readonly shownFile?: string | undefined;
  /** A picture's small copy (WebP) goes into this file. */
  readonly previewFile?: string | undefined;
  /** The file is a PDF, and nothing but its pages is wanted. */
  readonly pages?: PageExtraction | undefined;
}

export interface PageExtraction {
  /** Each page in turn is written into this file, as a PDF of its own. */
  readonly file: string;
  /** Of a PDF with more of them none is wanted. */
  readonly most: number;
}

/** The page that was written is taken, and the next one may be. */
export interface PageTaken {
  readonly isPageTaken: true;
}

export interface MediaTracks {
  readonly hasVideo: boolean;
  readonly hasAudio: boolean;
}

export interface JudgedMedia {
  /** e.g. `image/png`, `video/mp4`. */
  readonly type: string;
  readonly lengthSeconds: number | null;
  /** Why it cannot be played, in a sentence; null where it is worth a try. */
  readonly problem: string | null;
  /** It is not whole or not shown as it is meant, by no player; `problem` says why. */
  readonly isDamaged: boolean;
  /** What of it is not as it is meant, in a sentence, although it plays. */
  readonly remark: string | null;
  /** In pixels as it is seen: turned the way its camera says. */
  readonly size: PixelSize | null;
  /** Null for what has no tracks. */
  readonly tracks: MediaTracks | null;
  readonly hasShownFile: boolean;
  readonly hasPreviewFile: boolean;
}

export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** The process ends by itself when a file takes more memory than this. */
export const maxMemoryMb = 1536;
/** With this exit code. */
export const outOfMemoryCode = 77;
export const tooMuchMemory =
  "This file is damaged, or takes more memory to be read than it may.";

/** Of what is shown in place of a file of this type. */
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
  problem = "This file is damaged: it cannot be read to its end.",
): JudgedMedia {
  return judged(type, { problem, isDamaged: true });
}
