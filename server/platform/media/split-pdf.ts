// Starts the thread that extracts the pages of a PDF: the media process itself keeps monitoring its memory.

import { parentPort, Worker } from "node:worker_threads";
import { systemCode } from "../outside-error.ts";
import {
  damaged,
  judged,
  tooMuchMemory,
  type JudgedMedia,
} from "./media-job.ts";
import type { PdfThreadJob, PdfThreadMessage } from "./pdf-pages.ts";

export interface PdfSplit {
  readonly done: Promise<JudgedMedia>;
  /** The written page has been taken. */
  takeNext(): void;
}

const pdfType = "application/pdf";
/** Memory outside the heap comes on top: the bytes of the file and of a page. */
const maxHeapMb = 1024;

/** `script` is the one of this process, which detects that it runs in a thread. */
export function splitPdf(
  script: URL,
  job: PdfThreadJob,
  onPage: () => void,
): PdfSplit {
  const thread = new Worker(script, {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  const done = new Promise<JudgedMedia>((resolve, reject) => {
    thread.on("message", (message: PdfThreadMessage) => {
      if ("page" in message) onPage();
      else if ("failure" in message) reject(new Error(message.failure));
      else resolve(judged(pdfType, message));
    });
    thread.once("error", (error: Error) => {
      if (systemCode(error) === "ERR_WORKER_OUT_OF_MEMORY")
        resolve(damaged(pdfType, tooMuchMemory));
      else reject(error);
    });
    thread.once("exit", () => reject(new Error("The thread ended early.")));
  });
  return {
    done: thenTerminate(done, thread),
    takeNext: () => thread.postMessage(null),
  };
}

async function thenTerminate(
  done: Promise<JudgedMedia>,
  thread: Worker,
): Promise<JudgedMedia> {
  try {
    return await done;
  } finally {
    await thread.terminate();
  }
}

/** What this process runs in such a thread. */
export function runPdfThread(): void {
  import("./pdf-pages.ts")
    .then(({ writePages }) => writePages())
    .catch((error: unknown) => {
      const failure: PdfThreadMessage = { failure: String(error) };
      parentPort?.postMessage(failure);
    });
}
