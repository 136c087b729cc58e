// Media process, which parses untrusted media: it may crash, hang or run out of memory; its owner ends it, and nothing else is
// affected.

import { open } from "node:fs/promises";
import os from "node:os";
import { isMainThread } from "node:worker_threads";
import { fileTypeFromBuffer, fileTypeFromFile } from "file-type";
import { systemCode } from "../outside-error.ts";
import {
  damaged,
  judged,
  outOfMemoryCode,
  type JudgedMedia,
  type MediaJob,
  type PageTaken,
  type PictureJob,
} from "./media-job.ts";
import { maxMemoryMb } from "./media-limits.ts";
import { isPdfComplete } from "./pdf-truncated.ts";
import { problemOfType } from "./accepted-types.ts";
import { runPdfThread, splitPdf } from "./split-pdf.ts";
import { isSvg } from "./svg-detection.ts";
import { judgeUnchanged } from "./unchanged-file.ts";
import {
  parentProcess,
  type ParentProcess,
} from "../process/parent-process.ts";

/** `type` is sent first, so that it is known for a file that crashes the process. */
export type MediaMessage =
  | { readonly kind: "type"; readonly type: string }
  /** A page has been written; the next one waits until it is taken. */
  | { readonly kind: "page" }
  /** In base64; null when it does not become small enough. */
  | { readonly kind: "picture"; readonly picture: string | null }
  | {
      readonly kind: "done";
      readonly media: JudgedMedia | null;
      /** This process holds more memory than an idle one may: the next file needs a new process. */
      readonly isSpent: boolean;
    }
  | {
      readonly kind: "unreadable";
      readonly reason: string;
      /** Of a system error, such as `EIO`. */
      readonly code: string | undefined;
    };

type Parent = ParentProcess<MediaJob | PageTaken | PictureJob, MediaMessage>;

/** An SVG can be recognised within these bytes. */
const svgHeadBytes = 4096;
/** Decoding runs on other threads, while this one monitors the memory. */
const memoryCheckMs = 50;
/** With the decoders loaded it uses slightly more than half of this. */
const maxRestingMb = 200;
/** Playback on the screen takes precedence. */
const niceness = 10;

const parent: Parent | null = isMainThread
  ? parentProcess(() => process.exit(0))
  : null;
if (parent) serve(parent);
else if (!isMainThread) runPdfThread();

function serve({ onMessage, post }: Parent): void {
  setInterval(endWhenTooLarge, memoryCheckMs).unref();
  try {
    os.setPriority(niceness);
  } catch {
    // Without it, others only run slower.
  }
  let takeNextPage = (): void => undefined;
  onMessage((message) => {
    if ("isPageTaken" in message) return takeNextPage();
    const job = message;
    const result =
      "pixels" in job
        ? encode(job)
        : judge(job, post, (takeNext) => (takeNextPage = takeNext)).then(
            (media): MediaMessage => {
              const isSpent = memoryMb() > maxRestingMb;
              return { kind: "done", media, isSpent };
            },
          );
    result
      .catch((error: unknown): MediaMessage => ({
        kind: "unreadable",
        reason: error instanceof Error ? error.message : String(error),
        code: systemCode(error),
      }))
      .then(post)
      // There is no one left to receive the error.
      .catch(() => process.exit(1));
  });
}

function endWhenTooLarge(): void {
  if (memoryMb() > maxMemoryMb) process.exit(outOfMemoryCode);
}

function memoryMb(): number {
  return process.memoryUsage.rss() / 1024 ** 2;
}

async function encode(job: PictureJob): Promise<MediaMessage> {
  const { encodePicture } = await import("./encode-picture.ts");
  const picture = await encodePicture(job);
  return { kind: "picture", picture: picture?.toString("base64") ?? null };
}

async function judge(
  job: MediaJob,
  post: (message: MediaMessage) => void,
  onPagesBegun: (takeNext: () => void) => void,
): Promise<JudgedMedia | null> {
  const { file, pages } = job;
  if (pages) {
    post({ kind: "type", type: "application/pdf" });
    const script = new URL(import.meta.url);
    const split = splitPdf(script, { file, pages }, () =>
      post({ kind: "page" }),
    );
    onPagesBegun(split.takeNext);
    return split.done;
  }
  if (job.head !== undefined) {
    const type = await fileTypeFromBuffer(Buffer.from(job.head, "base64"));
    return type ? judged(type.mime) : null;
  }
  if (job.isTypeOnly) {
    const type = await fileTypeFromFile(job.file);
    return type ? judged(type.mime) : null;
  }
  const type = await typeOf(job.file);
  if (type === null) return null;
  post({ kind: "type", type });
  const problem = problemOfType(type);
  if (problem !== null) return judged(type, { problem });
  return judgeUnchanged(job.file, () => judgeAs(type, job));
}

async function judgeAs(type: string, job: MediaJob): Promise<JudgedMedia> {
  // Each reader is loaded for its first file: most are never needed.
  if (type.startsWith("image/"))
    return (await import("./images.ts")).judgeImage(job, type);
  if (/^(video|audio)\//.test(type))
    return (await import("./media-tracks.ts")).judgeMoving(job.file, type);
  if (type === "application/pdf" && !(await isPdfComplete(job.file)))
    return damaged(
      type,
      "This PDF is damaged or incomplete: its end is missing.",
    );
  return judged(type);
}

/** Null for a file that is not a known image, video, audio or PDF. */
async function typeOf(file: string): Promise<string | null> {
  const detected = await fileTypeFromFile(file);
  // MPEG layer 1 has hardly ever been used, and no player of this kind supports it: the match is text in UTF-16.
  if (detected?.ext === "mp1") return null;
  const type = detected?.mime ?? null;
  if (type !== null && /^(image|video|audio)\/|^application\/pdf$/.test(type))
    return type;
  // SVG is text: other tools detect it as XML or not at all.
  if (type !== null && type !== "application/xml") return null;
  return isSvg(Buffer.from(await headOf(file)).toString("utf8"))
    ? "image/svg+xml"
    : null;
}

async function headOf(file: string): Promise<Uint8Array> {
  const handle = await open(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read(
      Buffer.alloc(svgHeadBytes),
      0,
    );
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
