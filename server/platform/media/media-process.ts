// The process that reads foreign media: it may crash, hang or run out of memory; its owner ends it, and nothing else suffers.

import { open } from "node:fs/promises";
import os from "node:os";
import { isMainThread } from "node:worker_threads";
import { fileTypeFromBuffer, fileTypeFromFile } from "file-type";
import {
  damaged,
  judged,
  maxMemoryMb,
  outOfMemoryCode,
  type JudgedMedia,
  type MediaJob,
  type PageTaken,
} from "./media-job.ts";
import { isPdfComplete } from "./pdf-ends.ts";
import { problemOfType } from "./playable.ts";
import { runPdfThread, splitPdf } from "./split-pdf.ts";
import { isSvg } from "./svg-detection.ts";

/** `type` comes first, so that it is known of a file that takes the process down with it. */
export type MediaMessage =
  | { readonly kind: "type"; readonly type: string }
  /** It is written; the next one waits until it is taken. */
  | { readonly kind: "page" }
  | {
      readonly kind: "done";
      readonly media: JudgedMedia | null;
      /** This process holds more memory than one that rests may: the next file wants another. */
      readonly isSpent: boolean;
    }
  | { readonly kind: "unreadable"; readonly reason: string };

/** Of a utility process of Electron, or of a plain child of Node. */
interface Parent {
  onMessage(listener: (message: MediaJob | PageTaken) => void): void;
  post(message: MediaMessage): void;
}

/** What is an SVG begins as one within this. */
const svgHeadBytes = 4096;
/** Decoding runs beside this thread, which watches how much it takes. */
const memoryCheckMs = 50;
/** With the decoders loaded it takes somewhat more than half of this. */
const maxRestingMb = 200;
/** What is on the screen comes first. */
const niceness = 10;

const parent = isMainThread ? parentOf() : null;
if (parent) serve(parent);
else if (!isMainThread) runPdfThread();

function serve({ onMessage, post }: Parent): void {
  setInterval(endWhenTooLarge, memoryCheckMs).unref();
  try {
    os.setPriority(niceness);
  } catch {
    // Only slower for others.
  }
  let takeNextPage = (): void => undefined;
  onMessage((message) => {
    if ("isPageTaken" in message) return takeNextPage();
    const job = message;
    judge(job, post, (takeNext) => (takeNextPage = takeNext))
      .then((media): MediaMessage => {
        const isSpent = memoryMb() > maxRestingMb;
        return { kind: "done", media, isSpent };
      })
      .catch((error: unknown): MediaMessage => ({
        kind: "unreadable",
        reason: error instanceof Error ? error.message : String(error),
      }))
      .then(post)
      // Nobody is there to hear it.
      .catch(() => process.exit(1));
  });
}

function endWhenTooLarge(): void {
  if (memoryMb() > maxMemoryMb) process.exit(outOfMemoryCode);
}

function memoryMb(): number {
  return process.memoryUsage.rss() / 1024 ** 2;
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
    const found = await fileTypeFromBuffer(Buffer.from(job.head, "base64"));
    return found ? judged(found.mime) : null;
  }
  if (job.isTypeOnly) {
    const found = await fileTypeFromFile(job.file);
    return found ? judged(found.mime) : null;
  }
  const type = await typeOf(job.file);
  if (type === null) return null;
  post({ kind: "type", type });
  const problem = problemOfType(type);
  if (problem !== null) return judged(type, { problem });
  // Each reader is loaded when its first file comes: most of them never do.
  if (type.startsWith("image/"))
    return (await import("./pictures.ts")).judgePicture(job, type);
  if (/^(video|audio)\//.test(type))
    return (await import("./moving.ts")).judgeMoving(job.file, type);
  if (type === "application/pdf" && !(await isPdfComplete(job.file)))
    return damaged(
      type,
      "This PDF is damaged or breaks off: its end is missing.",
    );
  return judged(type);
}

/** Null for what is no image, video, audio or PDF that is known. */
async function typeOf(file: string): Promise<string | null> {
  const found = await fileTypeFromFile(file);
  // MPEG layer 1 has hardly ever been written, and no player of this kind knows it: it is text in UTF-16.
  if (found?.ext === "mp1") return null;
  const type = found?.mime ?? null;
  if (type !== null && /^(image|video|audio)\/|^application\/pdf$/.test(type))
    return type;
  // SVG is text: other tools call it XML or nothing at all.
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

/** Null where it was started by nobody who gives it files. */
function parentOf(): Parent | null {
  const { parentPort } = process as unknown as {
    readonly parentPort?: {
      on(event: "message", listener: (event: { data: unknown }) => void): void;
      postMessage(message: unknown): void;
    };
  };
  if (parentPort)
    return {
      onMessage: (listener) =>
        parentPort.on("message", ({ data }) =>
          listener(data as MediaJob | PageTaken),
        ),
      post: (message) => parentPort.postMessage(message),
    };
  if (!process.send) return null;
  process.once("disconnect", () => process.exit(0));
  return {
    onMessage: (listener) =>
      process.on("message", (message) =>
        listener(message as MediaJob | PageTaken),
      ),
    post: (message) => process.send?.(message),
  };
}
